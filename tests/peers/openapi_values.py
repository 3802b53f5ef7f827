"""Values for the arguments of a capability, made from its schema alone: always the same ones, with
what goes wrong on the way in them (blanks, slashes, `&`, letters beyond ASCII, commas in lists)."""

import base64
import copy
import re

import hypothesis
import jsonschema
from hypothesis import strategies

DEEPEST = 6

TEXTS = {
    "path": ["a b/ü&c=d", "x;y,z+1"],
    "query": ["a b&c=d/ü+%#?", "x,y;\"z\""],
    "header": ["a b; c=\"d\"", "x/y&z"],
    "body": ["a b&c/ü\n\"q\" <é> \\ 😀", "x,y+z%41"],
}
FORMATS = {
    "date": ["2024-02-29", "2023-12-31"],
    "date-time": ["2024-02-29T12:30:45Z", "2023-12-31T23:59:59+02:00"],
    "time": ["12:30:45Z", "23:59:59Z"],
    "duration": ["P1DT2H", "PT5M"],
    "uuid": ["0b1c2d3e-4f50-4678-9abc-def012345678", "9a1c2d3e-4f50-4678-9abc-def012345678"],
    "email": ["a.b+c@example.org", "d@example.org"],
    "idn-email": ["a@example.org", "d@example.org"],
    "uri": ["https://example.org/a%20b?c=d&e=f#g", "https://example.org/z"],
    "url": ["https://example.org/a%20b?c=d&e=f#g", "https://example.org/z"],
    "uri-reference": ["/a%20b?c=d", "/z"],
    "hostname": ["a.example.org", "b.example.org"],
    "ipv4": ["192.0.2.7", "192.0.2.8"],
    "ipv6": ["2001:db8::7", "2001:db8::8"],
    "ip": ["192.0.2.7", "192.0.2.8"],
    "byte": [base64.b64encode(b"a\xfb\xff?").decode(), base64.b64encode(b"b").decode()],
    "regex": ["^a+$", "b*"],
    "json-pointer": ["/a/b", "/c"],
}
# Plain words, tried first where a pattern rules.
PLAIN = ["abc", "a", "12", "A1", "abc-def", "2024-02-29", "abcdefgh12345678", "ABC", "1.2.3.4", "12:30", "+15551234567",
         "a@b.org", "abcdefghijklmnop1234567890", "1234567890", "12345678901", "12345678901234", "2024-02-29T12:30:45Z", "123.45", "abc.def", "a_b", "https://example.org/x", "0b1c2d3e-4f50-4678-9abc-def012345678"]


class Unmakeable(Exception):
    """No value is known that the schema accepts."""


def make(schema, place, turn=0):
    """A value that `schema` accepts; `turn` chooses among several."""
    for extra in range(4):
        value = Maker(place, turn + extra, False).value(schema, 0)
        if accepts(schema, value) and (value != "" or place == "body"):
            return value
    value = Maker(place, turn, True).value(schema, 0)
    if accepts(schema, value) and (value != "" or place == "body"):
        return value
    raise Unmakeable(f"no value for {str(schema)[:200]}")


def accepts(schema, value):
    try:
        return jsonschema.Draft202012Validator(schema).is_valid(value)
    except re.error:
        return True


class Maker:
    def __init__(self, place, turn, least):
        self.place, self.turn, self.least = place, turn, least

    def value(self, schema, depth):
        if schema is True or schema == {}:
            return self.text({}, depth)
        if schema is False:
            raise Unmakeable("nothing is allowed")
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            known = [one for one in schema["enum"] if one is not None and one != ""] or schema["enum"]
            return known[self.turn % len(known)]
        schema = self.chosen(schema)
        if "const" in schema or "enum" in schema:
            return self.value({name: schema[name] for name in ("const", "enum") if name in schema}, depth)
        kind = self.kind(schema)
        return getattr(self, kind)(schema, depth)

    def chosen(self, schema):
        """One of the alternatives, with everything that holds besides."""
        for _ in range(8):
            for word in ("allOf", "oneOf", "anyOf"):
                if word in schema:
                    rest = {name: value for name, value in schema.items() if name != word}
                    parts = schema[word] if word == "allOf" else [self.alternative(schema[word])]
                    for part in parts:
                        rest = merged(rest, part)
                    schema = rest
                    break
            else:
                return schema
        return schema

    def alternative(self, parts):
        real = [part for part in parts if part is not True and part.get("type") != "null"] or parts
        return real[self.turn % len(real)]

    def kind(self, schema):
        kind = schema.get("type")
        if isinstance(kind, list):
            real = [one for one in kind if one != "null"] or kind
            kind = real[self.turn % len(real)]
        if kind is None:
            if "properties" in schema or "additionalProperties" in schema or "required" in schema:
                kind = "object"
            elif "items" in schema:
                kind = "array"
            elif "minimum" in schema or "maximum" in schema:
                kind = "number"
            else:
                kind = "text"
        return {"string": "text", "null": "null"}.get(kind, kind)

    def null(self, _schema, _depth):
        return None

    def boolean(self, _schema, _depth):
        return self.turn % 2 == 0

    def integer(self, schema, _depth):
        return int(self.bounded(schema, 7 + self.turn, 1))

    def number(self, schema, _depth):
        value = self.bounded(schema, 2.5 + self.turn, 0.5)
        return int(value) if value == int(value) else value

    def bounded(self, schema, wish, step):
        low, high = schema.get("minimum"), schema.get("maximum")
        under, over = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
        if isinstance(under, (int, float)) and not isinstance(under, bool):
            low = under + step if low is None else max(low, under + step)
        if isinstance(over, (int, float)) and not isinstance(over, bool):
            high = over - step if high is None else min(high, over - step)
        value = wish
        if low is not None and value < low:
            value = low
        if high is not None and value > high:
            value = high
        multiple = schema.get("multipleOf")
        if multiple:
            value = -(-value // multiple) * multiple
        return value

    def text(self, schema, _depth):
        shape = schema.get("format")
        pattern = schema.get("pattern")
        least, most = schema.get("minLength", 0), schema.get("maxLength", 10_000)
        if self.place in ("path", "query", "header"):
            least = max(least, 1)
        words = FORMATS.get(shape, TEXTS[self.place])
        words = words[self.turn % len(words):] + words[: self.turn % len(words)]
        if shape not in FORMATS:
            words = [fitted(word, least, most) for word in words]
        words = words + [fitted(word, least, most) for word in PLAIN] + PLAIN
        for word in words:
            if least <= len(word) <= most and (pattern is None or matches(pattern, word)):
                return word
        return from_pattern(pattern, least, most)

    def array(self, schema, depth):
        least, most = schema.get("minItems", 0), schema.get("maxItems", 1000)
        count = max(least, min(2, most)) if depth < DEEPEST else least
        before = list(schema.get("prefixItems") or [])
        values = []
        for at in range(max(count, len(before) if count else 0)):
            items = before[at] if at < len(before) else schema.get("items", {})
            values.append(Maker(self.place, self.turn + at, self.least).value(items, depth + 1))
        if schema.get("uniqueItems"):
            values = [value for at, value in enumerate(values) if value not in values[:at]]
        return values

    def object(self, schema, depth):
        properties = schema.get("properties") or {}
        required = schema.get("required") or []
        wanted = list(required)
        if not self.least and depth < DEEPEST:
            wanted += [name for name in properties if name not in required]
        most = schema.get("maxProperties")
        made = {}
        for name in wanted[:most]:
            try:
                made[name] = self.value(properties.get(name, True), depth + 1)
            except Unmakeable:
                if name in required:
                    raise
        others = schema.get("additionalProperties", True)
        if not made and others is not False and not properties and depth < DEEPEST:
            made["some key" if self.place == "body" else "some_key"] = self.value(others, depth + 1)
        return made


def merged(one, two):
    if one is True or two is True:
        return two if one is True else one
    result = copy.copy(one)
    for name, value in two.items():
        if name == "properties" and name in result:
            both = dict(result[name])
            for key, inner in value.items():
                both[key] = merged(both[key], inner) if key in both else inner
            result[name] = both
        elif name == "required" and name in result:
            result[name] = list(dict.fromkeys(list(result[name]) + list(value)))
        elif name in ("allOf", "anyOf", "oneOf") and name in result:
            result.setdefault("allOf", [])
            result["allOf"] = list(result["allOf"]) + [{name: value}]
        else:
            result[name] = value
    return result


def fitted(word, least, most):
    while len(word) < least:
        word += "x" * (least - len(word))
    return word[:most].strip() or word[:most]


def matches(pattern, word):
    try:
        return re.search(pattern, word) is not None
    except re.error:
        return True


def from_pattern(pattern, least, most):
    if pattern is None:
        raise Unmakeable(f"no text of {least} to {most} letters")
    quiet = hypothesis.settings(derandomize=True, database=None, max_examples=300, deadline=None,
                                suppress_health_check=list(hypothesis.HealthCheck))
    try:
        letters = strategies.characters(min_codepoint=32, max_codepoint=126)
        texts = strategies.from_regex(pattern, fullmatch=pattern.startswith("^"), alphabet=letters)
        return hypothesis.find(texts, lambda text: least <= len(text) <= most and text.strip() == text, settings=quiet)
    except (hypothesis.errors.HypothesisException, re.error) as error:
        raise Unmakeable(f"no text for {pattern}") from error
