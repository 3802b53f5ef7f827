"""The two programs that judge a recorded request against the description, each in its own way:
openapi-core reads the request back into values, and schemathesis writes its own request from the
values, which must be the same one. openapi-core knows no Swagger 2.0."""

import copy
import email
import json
import re
import urllib.parse
import warnings

import requests
import schemathesis
from jsonschema.exceptions import best_match
from jsonschema_path import SchemaPath
from openapi_core import V30RequestUnmarshaller, V31RequestUnmarshaller, V32RequestUnmarshaller
from openapi_core.datatypes import RequestParameters
from openapi_core.validation.request.exceptions import RequestBodyValidationError, SecurityValidationError
from schemathesis.core.transforms import jsonify_python_specific_types
from schemathesis.transport.serialization import quote_all
from werkzeug.datastructures import Headers, ImmutableMultiDict

from openapi_expected import Disagreement

warnings.simplefilter("ignore")
UNMARSHALLERS = {"3.0": V30RequestUnmarshaller, "3.1": V31RequestUnmarshaller, "3.2": V32RequestUnmarshaller}
# What every request has.
OWN = {"host", "accept", "user-agent", "accept-encoding", "content-type", "content-length", "connection"}


def pairs(text):
    return urllib.parse.parse_qsl(text, keep_blank_values=True)


class Request:
    """A recorded request as openapi-core wants it, at the service's own address."""

    def __init__(self, seen, service):
        path, _, query = seen.target.partition("?")
        self.host_url, self.path, self.method = service, path, seen.method.lower()
        self.body = seen.body or None
        media, mark, rest = (seen.header("Content-Type") or "").partition(";")
        self.content_type = media.lower() + mark + rest
        self.parameters = RequestParameters(query=ImmutableMultiDict(pairs(query)), header=Headers(seen.headers), cookie=ImmutableMultiDict())


class Core:
    """openapi-core: the request becomes values again, each valid for its schema."""

    name = "openapi-core"

    def __init__(self, description, service):
        self.description, self.service = description, service
        spec = SchemaPath.from_dict(description.document)
        self.reader = UNMARSHALLERS[description.version[:3]](spec, base_url=service, format_unmarshallers=AsTheyAre(),
                                                           extra_media_type_deserializers=JsonByAnyName())

    def judge(self, expected, seen, _keys):
        request = Request(seen, self.service)
        found = self.reader.path_finder.find(request.method, self.service + request.path)
        complaints = [("path", f"it is read as {found.path_result.pattern}")] if found.path_result.pattern != expected.path else []
        request.parameters.path = {name: urllib.parse.unquote(value) for name, value in found.path_result.variables.items()}
        read = self.reader.unmarshal(request)
        complaints += [(where(error), told(error)) for error in read.errors]
        for place, values in expected.parameters.items():
            for name, value in values.items():
                if (place, name) in expected.declared and f"{place} {name}" not in dict(complaints):
                    complaints += same(f"{place} {name}", value, getattr(read.parameters, place).get(name, "nothing"))
        if expected.body is not None and request.body is not None and "body" not in dict(complaints):
            complaints += same("body", expected.body, only_given(read.body, expected.body))
        return complaints


def where(error):
    """What an error of openapi-core is about, such as `query limit`."""
    if isinstance(error, RequestBodyValidationError):
        return "body"
    if hasattr(error, "location") and hasattr(error, "name"):
        return f"{error.location} {error.name}"
    return "keys" if isinstance(error, SecurityValidationError) else "request"


def only_given(read, given):
    """Without the defaults that the reader has put in."""
    if isinstance(read, dict) and isinstance(given, dict):
        return {name: only_given(value, given[name]) for name, value in read.items() if name in given}
    if isinstance(read, list) and isinstance(given, list) and len(read) == len(given):
        return [only_given(value, other) for value, other in zip(read, given)]
    return read


class AsTheyAre(dict):
    """Dates and the like stay the texts that they are."""

    def __bool__(self):
        return True

    def __contains__(self, _):
        return True

    def __getitem__(self, _):
        return lambda value: value


class JsonByAnyName(dict):
    """Types such as `text/json` and `application/vnd.x+json` are JSON."""

    def __contains__(self, media):
        return "json" in media

    def __getitem__(self, _):
        return lambda body, **_: json.loads(body)


class Writer:
    """schemathesis: what it would send for the same values is what was sent."""

    name = "schemathesis"

    def __init__(self, description, service):
        self.description, self.service = description, service
        self.schema = schemathesis.openapi.from_dict(copy.deepcopy(description.document))

    def judge(self, expected, seen, keys):
        wanted = self.request(expected)
        theirs, ours = urllib.parse.urlsplit(wanted.url), urllib.parse.urlsplit(seen.target)
        complaints = same("method", wanted.method, seen.method) + same("path", steps(theirs.path), steps(ours.path))
        complaints += self.judge_query(query(theirs.query), [one for one in query(ours.query) if ("query", one[0].lower()) not in keys])
        return complaints + self.judge_headers(expected, wanted, seen, keys) + self.judge_body(wanted, seen)

    def judge_query(self, theirs, ours):
        names = dict.fromkeys(name for name, _ in theirs + ours)
        chosen = lambda pairs, wanted: [value for name, value in pairs if name == wanted]
        return [complaint for name in names for complaint in same(f"query {name}", chosen(theirs, name), chosen(ours, name))]

    def judge_headers(self, expected, wanted, seen, keys):
        given = {name.lower() for name in expected.parameters["header"]}
        extra = {name.lower() for name, _ in seen.headers} - OWN - given - {name for place, name in keys if place == "header"}
        complaints = [(f"header {name}", "nobody asked for it") for name in sorted(extra)]
        for name in expected.parameters["header"]:
            complaints += same(f"header {name}", text(wanted.headers.get(name)), seen.header(name))
        return complaints

    def judge_body(self, wanted, seen):
        theirs, ours = text(wanted.body) or "", seen.body.decode()
        if not theirs and not ours:
            return []
        their_media, our_media = wanted.headers.get("Content-Type"), seen.header("Content-Type")
        complaints = same("body", essence(their_media), essence(our_media))
        if "json" in essence(our_media):
            return complaints + same("body", json.loads(theirs or "null"), json.loads(ours or "null"))
        read = parts if essence(our_media).startswith("multipart/") else lambda _, body: query(body)
        theirs, ours = read(their_media, theirs), read(our_media, ours)
        names = dict.fromkeys(name for name, _ in theirs + ours)
        chosen = lambda pairs, wanted: [value for name, value in pairs if name == wanted]
        return complaints + [complaint for name in names for complaint in same(f"form {name}", chosen(theirs, name), chosen(ours, name))]

    def request(self, expected):
        operation = self.schema[expected.path][expected.method]
        values = {}
        for place, field in (("path", "path_parameters"), ("query", "query"), ("header", "headers")):
            given = copy.deepcopy(expected.parameters[place])
            serialize = operation.get_parameter_serializer(place)
            values[field] = jsonify_python_specific_types(serialize(given) if serialize else given)
            quote_all(values[field]) if place == "path" else None
        if expected.body is not None:
            values |= {"body": copy.deepcopy(expected.body), "media_type": expected.media}
        parts = operation.Case(**values).as_transport_kwargs(base_url=self.service)
        parts = {name: part for name, part in parts.items() if name in ("method", "url", "params", "headers", "data", "json", "files")}
        return requests.Request(**parts).prepare()


def steps(path):
    return [urllib.parse.unquote(step) for step in path.split("/") if step]


def query(text):
    """The pairs, the values cut at the delimiters that are not encoded, which stay among the parts."""
    found = []
    for pair in filter(None, text.split("&")):
        name, _, value = pair.partition("=")
        found.append((urllib.parse.unquote_plus(name), canonical([urllib.parse.unquote_plus(part) for part in re.split(r"([,|])", value)])))
    return found


def parts(media, body):
    """The parts of a multipart body."""
    message = email.message_from_string(f"Content-Type: {media}\r\n\r\n{body}")
    return [(part.get_param("name", header="content-disposition"), canonical([part.get_payload().rstrip("\r\n")])) for part in message.get_payload()]


def canonical(parts):
    """JSON text as the value that it is."""
    whole = "".join(parts)
    try:
        return json.loads(whole) if whole[:1] in ("{", "[") else parts
    except ValueError:
        return parts


def text(value):
    return value.decode("utf-8") if isinstance(value, bytes) else value


def essence(media):
    return (media or "").split(";")[0].strip().lower()


def judge_keys(description, operation, seen, values):
    """The places of keys in the request; each requirement of the description is met by one of its
    alternatives, each key of it in its place and form."""
    schemes = description.schemes()
    alternatives = description.requirements(operation["method"], operation["path"])
    found = parameter_keys(description, operation, seen, values)
    if alternatives is None:
        # Where nothing is said, as in a third of real files, each declared key may be needed.
        return found | {place for place in (placed(scheme, seen, values) for scheme in schemes.values()) if place}
    if not alternatives and not found and any(value in repr(seen) for value in values.values()):
        raise Disagreement("a key is sent where the description asks for none")
    for alternative in sorted(alternatives, key=len, reverse=True):
        places = [placed(schemes.get(name, {}), seen, values) for name in alternative]
        if all(places):
            return found | set(places)
    if alternatives:
        raise Disagreement(f"no alternative of {alternatives} has its keys")
    return found


def parameter_keys(description, operation, seen, values):
    """Parameters that are keys in all but name, such as a header `X-API-Key`."""
    schemes = [{"type": "apiKey", "in": one["in"], "name": one["name"]}
               for one in description.parameters(operation["method"], operation["path"]) if one["in"] in ("header", "query")]
    return {place for place in (placed(scheme, seen, values) for scheme in schemes) if place}


def placed(scheme, seen, values):
    kind, name, value = scheme.get("type"), scheme.get("name", ""), seen.header("Authorization") or ""
    if kind == "apiKey" and scheme["in"] == "query":
        found = dict(pairs(urllib.parse.urlsplit(seen.target).query)).get(name)
        return ("query", name.lower()) if found in values.values() else None
    if kind == "apiKey":
        found = seen.header(name) or ""
        return ("header", name.lower()) if found.split(" ")[-1] in values.values() else None
    word = "Basic" if kind == "basic" or scheme.get("scheme", "").lower() == "basic" else "Bearer"
    start, _, rest = value.partition(" ")
    return ("header", "authorization") if start == word and rest in values.values() else None


def told(error):
    """An error of openapi-core with what is at its bottom."""
    inner = getattr(error.__cause__, "schema_errors", None) or []
    deepest = [best_match([one]) for one in inner]
    return "; ".join(f"{one.json_path}: {one.message[:200]}" for one in deepest) or f"{error} {error.__cause__ or ''}"[:300]


def same(what, wanted, found):
    return [] if equal(wanted, found) else [(what, f"wanted {short(wanted)}, found {short(found)}")]


def short(value):
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) < 400 else text[:400] + "…"


def equal(one, two):
    if isinstance(one, bool) or isinstance(two, bool):
        return one is two
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(equal(one[name], two[name]) for name in one)
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(equal(a, b) for a, b in zip(one, two))
    return one == two
