"""What the arguments of a call are in the description's own words: the value of each parameter and
the body. Which argument is which parameter is read from the templates of the connector."""

import re

TEMPLATE = re.compile(r"\{\{([^{}]+)\}\}")
JOINED = re.compile(r"joined with (commas|blanks|tabs|`?\|`?|pipes|bars)")


class Disagreement(Exception):
    """The request is not what the description asks for."""


def slots(request):
    """Each place of a request that takes an argument: (place, name on the wire, dot path)."""
    found = []
    for name in TEMPLATE.findall(request["path"]):
        found.append(("path", None, name.split(".")))
    for place, field in (("query", "query"), ("header", "headers")):
        for name, value in (request.get(field) or {}).items():
            value = value[0] if isinstance(value, list) else value.get("value") if isinstance(value, dict) else value
            for argument in TEMPLATE.findall(value):
                if not argument.startswith("env."):
                    found.append((place, name, argument.split(".")))
    return found


def letters(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())


def alike(argument, wire):
    """Whether an argument's name is made from a name on the wire."""
    return letters(argument).removeprefix("p").startswith(letters(wire).removeprefix("p")) or not letters(wire)


class Expected:
    """The values that a call with `given` arguments must carry."""

    def __init__(self, description, operation, capability, given):
        self.description, self.given = description, given
        self.request = capability["request"]
        self.method, self.path = operation["method"], operation["path"]
        self.parameters = {"path": {}, "query": {}, "header": {}}
        self.declared = {}
        self.arguments = {}
        self.read_parameters()
        self.media, self.body = self.read_body()

    def read_parameters(self):
        places = slots(self.request)
        in_path = re.findall(r"\{([^{}]+)\}", self.path)
        blanks = [way for place, _, way in places if place == "path"]
        if len(blanks) != len(in_path):
            raise Disagreement(f"{len(blanks)} blanks in the path for {len(in_path)} of {self.path}")
        for parameter in self.description.parameters(self.method, self.path):
            place, name = parameter["in"], parameter["name"]
            if place not in self.parameters:
                continue
            self.declared[(place, name)] = parameter
            ways = [blanks[at] for at, blank in enumerate(in_path) if blank == name] if place == "path" else [
                way for other, wire, way in places if other == place and same_name(place, wire, name)]
            if not ways and place == "query":
                ways = [way[:1] for other, _, way in places if other == place and len(way) > 1 and letters(way[0]) == letters(name)]
            if not ways:
                continue
            argument = ways[0][0]
            if not alike(argument, name):
                raise Disagreement(f"the argument `{argument}` goes to the parameter `{name}`")
            self.arguments[(place, name)] = argument
            if argument in self.given:
                self.parameters[place][name] = self.apart(parameter, self.given[argument])
        for blank, way in zip(in_path, blanks):
            if blank not in self.parameters["path"]:
                self.parameters["path"][blank] = self.given.get(way[0])

    def apart(self, parameter, value):
        """A list that the caller has joined in one text is that list; so is an object."""
        kinds = self.description.kinds(self.description.schema(parameter))
        if not isinstance(value, str) or "content" in parameter or "string" in kinds:
            return value
        if "array" in kinds:
            mark = {"ssv": " ", "tsv": "\t", "pipes": "|"}.get(parameter.get("collectionFormat"), ",")
            return [self.typed(one, parameter) for one in value.split(mark)]
        if "object" in kinds:
            parts = value.split(",")
            if parameter.get("explode"):
                return dict(part.split("=", 1) for part in parts)
            return dict(zip(parts[::2], parts[1::2]))
        return value

    def with_pattern(self, argument, schema):
        """A pattern that the released host cannot read is not in the connector; the value keeps to it."""
        parameter = next((self.declared[key] for key, name in self.arguments.items() if name == argument), None)
        if parameter:
            pattern = self.description.schema(parameter).get("pattern")
        else:
            field = self.description.fields(self.method, self.path).get(argument)
            pattern = (self.description.follow(field) or {}).get("pattern") if field else None
        return {**schema, "pattern": pattern} if pattern and "pattern" not in schema else schema

    def of_one_alternative(self, given):
        """Arguments that are fields of alternatives are not given together: those of the first stay."""
        for media, offer in self.description.bodies(self.method, self.path).items():
            schema = self.description.follow(offer.get("schema") or {})
            parts = [self.description.properties(part) for part in schema.get("oneOf") or schema.get("anyOf") or []]
            if not parts or isinstance(self.request.get("body"), str) or (self.media and media.split(";")[0] != self.media):
                continue
            other = {name for part in parts[1:] for name in part} - set(parts[0]) - set(schema.get("properties") or {})
            return {name: value for name, value in given.items() if name not in other}
        return given

    def joined(self, argument):
        """The text that a caller gives for a list or an object that is one argument of text; nothing
        for other arguments."""
        parameter = next((self.declared[key] for key, name in self.arguments.items() if name == argument), None)
        kinds = self.description.kinds(self.description.schema(parameter)) if parameter else set()
        if not parameter or "content" in parameter or "string" in kinds or not kinds & {"array", "object"}:
            return None
        schema = self.description.schema(parameter)
        if "array" in kinds:
            mark = {"ssv": " ", "tsv": "\t", "pipes": "|"}.get(parameter.get("collectionFormat"), ",")
            items = self.description.follow(schema.get("items") or {})
            known = [str(one) for one in items.get("enum") or []][:2] or ["7", "8"]
            words = ["a b".replace(mark, "-"), "x/y"] if self.description.kinds(items) <= {"string"} and "enum" not in items and "pattern" not in items else known
            return mark.join(words)
        names = list(self.description.properties(schema))[:2] or ["role", "name"]
        return ",".join(f"{name}=a b" if parameter.get("explode") else f"{name},a b" for name in names)

    def typed(self, text, parameter):
        schema = self.description.schema(parameter)
        kinds = self.description.kinds(schema.get("items") or {})
        if "integer" in kinds:
            return int(text)
        if "number" in kinds:
            return float(text)
        if "boolean" in kinds:
            return text == "true"
        return text

    def read_body(self):
        body = self.request.get("body")
        if body is None:
            return None, None
        media = next((value for name, value in (self.request.get("headers") or {}).items() if name.lower() == "content-type"), None)
        media = media or FORMS.get(self.request.get("form"), "application/json")
        if isinstance(body, str):
            whole = filled(body, self.given)
            return media, None if whole is ABSENT else whole
        whole = {}
        for wire, value in body.items():
            argument = TEMPLATE.fullmatch(value) if isinstance(value, str) else None
            way = argument.group(1).split(".") if argument else []
            name = wire.split("[")[0] if len(way) > 1 else wire
            if argument and not alike(way[0], name):
                raise Disagreement(f"the argument `{way[0]}` goes to the field `{name}`")
            made = self.given.get(way[0], ABSENT) if argument else filled(value, self.given)
            if made is not ABSENT:
                whole[name] = made
        return media, whole


ABSENT = object()
FORMS = {True: "application/x-www-form-urlencoded", "multipart": "multipart/form-data"}


def same_name(place, wire, name):
    return wire.lower() == name.lower() if place == "header" else wire == name


def filled(tree, given):
    """A body's template with its arguments."""
    if isinstance(tree, dict):
        made = {name: filled(value, given) for name, value in tree.items()}
        return {name: value for name, value in made.items() if value is not ABSENT}
    if isinstance(tree, list):
        return [value for value in (filled(one, given) for one in tree) if value is not ABSENT]
    argument = TEMPLATE.fullmatch(tree) if isinstance(tree, str) else None
    if not argument:
        return tree
    value = given
    for step in argument.group(1).split("."):
        if not isinstance(value, dict) or step not in value:
            return ABSENT
        value = value[step]
    return value
