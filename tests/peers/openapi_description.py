"""A description as its author wrote it: read without Becket, references followed by pointer."""

import json
import urllib.parse

import yaml

METHODS = ("get", "post", "put", "patch", "delete")


class Loader(yaml.CSafeLoader):
    """YAML as JSON has it: dates stay texts, and so do `on`, `yes` and `no`."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rules if tag not in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool")]
    for first, rules in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", __import__("re").compile("^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


def load(file):
    with open(file, encoding="utf-8") as text:
        document = json.load(text) if file.suffix == ".json" else yaml.load(text, Loader)
    return texts_as_keys(document)


def texts_as_keys(value):
    if isinstance(value, dict):
        return {str(name): texts_as_keys(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [texts_as_keys(inner) for inner in value]
    return value


class Description:
    def __init__(self, file):
        self.document = load(file)
        self.version = str(self.document.get("openapi") or self.document.get("swagger"))

    @property
    def is_old(self):
        return "swagger" in self.document

    def base_path(self):
        """The path of the service's address, when the description says no more."""
        servers = self.document.get("servers") or [{}]
        path = self.document.get("basePath", "") if self.is_old else servers[0].get("url", "")
        return path if path.startswith("/") else ""

    def follow(self, value):
        for _ in range(30):
            if not isinstance(value, dict) or "$ref" not in value:
                return value
            value = self.at(value["$ref"])
        return value

    def at(self, reference):
        value = self.document
        for step in reference.removeprefix("#/").split("/"):
            step = urllib.parse.unquote(step).replace("~1", "/").replace("~0", "~")
            value = self.follow(value)
            value = value[int(step)] if isinstance(value, list) else value[step]
        return value

    def operation(self, method, path):
        item = self.follow(self.document["paths"][path])
        return self.follow(item[method.lower()]), item

    def parameters(self, method, path):
        """The operation's parameters, those of its path among them."""
        operation, item = self.operation(method, path)
        found = {}
        for parameter in list(item.get("parameters") or []) + list(operation.get("parameters") or []):
            parameter = self.follow(parameter)
            found[(parameter["in"], parameter["name"])] = parameter
        return list(found.values())

    def schema(self, parameter):
        """The schema of a parameter, with its first reference followed."""
        if "content" in parameter:
            parameter = next(iter(parameter["content"].values()), {})
        schema = parameter.get("schema")
        return self.follow(parameter if schema is None else schema) or {}

    def kinds(self, schema, depth=0):
        """The JSON types that a schema allows, as far as it says so."""
        schema = self.follow(schema)
        if not isinstance(schema, dict) or depth > 8:
            return set()
        kind = schema.get("type")
        found = set(kind) if isinstance(kind, list) else {kind} if kind else set()
        if not found:
            for word in ("allOf", "oneOf", "anyOf"):
                for part in schema.get(word) or []:
                    found |= self.kinds(part, depth + 1)
        if not found and "properties" in schema:
            found = {"object"}
        if not found and "items" in schema:
            found = {"array"}
        return found - {"null"}

    def properties(self, schema, depth=0):
        """The names of the properties of a schema and of its alternatives."""
        schema = self.follow(schema)
        if not isinstance(schema, dict) or depth > 12:
            return {}
        found = dict(schema.get("properties") or {})
        for word in ("allOf", "oneOf", "anyOf"):
            for part in schema.get(word) or []:
                found = {**self.properties(part, depth + 1), **found}
        return found

    def bodies(self, method, path):
        """The types that a body is offered in, with their schemas and encodings."""
        operation, _ = self.operation(method, path)
        if not self.is_old:
            body = self.follow(operation.get("requestBody") or {})
            return {media: self.follow(offer or {}) for media, offer in (body.get("content") or {}).items()}
        parameters = self.parameters(method, path)
        consumes = operation.get("consumes", self.document.get("consumes")) or ["application/json"]
        for parameter in parameters:
            if parameter["in"] == "body":
                return {media: {"schema": parameter.get("schema", {})} for media in consumes}
        fields = {one["name"]: one for one in parameters if one["in"] == "formData"}
        return {media: {"schema": {"type": "object", "properties": fields}} for media in consumes} if fields else {}

    def fields(self, method, path):
        """The fields of all bodies that are offered."""
        return {name: field for offer in self.bodies(method, path).values() for name, field in self.properties(offer.get("schema")).items()}

    def schemes(self):
        if self.is_old:
            return self.document.get("securityDefinitions") or {}
        return (self.document.get("components") or {}).get("securitySchemes") or {}

    def requirements(self, method, path):
        operation, _ = self.operation(method, path)
        return operation.get("security", self.document.get("security"))

    def features(self, method, path):
        """What is particular about an operation: a diverse choice has each of these."""
        operation, _ = self.operation(method, path)
        found = {("method", method)}
        for parameter in self.parameters(method, path):
            kinds = "/".join(sorted(self.kinds(self.schema(parameter)))) or "any"
            style = (parameter.get("style"), parameter.get("explode"), parameter.get("collectionFormat"), "content" in parameter)
            found.add(("parameter", parameter["in"], kinds, style, self.schema(parameter).get("format"), "enum" in self.schema(parameter)))
        for media, offer in self.bodies(method, path).items():
            schema = self.follow(offer.get("schema") or {})
            words = tuple(word for word in ("allOf", "oneOf", "anyOf", "discriminator") if word in schema)
            found.add(("body", media, "/".join(sorted(self.kinds(schema))), words))
        for requirement in self.requirements(method, path) or []:
            found.add(("security", tuple(sorted(requirement))))
        if "security" in operation and not operation["security"]:
            found.add(("security", "none"))
        return found

    def diverse(self, operations, most):
        """Of operations (with `method` and `path`), up to `most` that differ as much as can be."""
        left = list(operations)
        features = {one["id"]: self.features(one["method"], one["path"]) for one in left}
        chosen, seen = [], set()
        while left and len(chosen) < most:
            best = max(left, key=lambda one: len(features[one["id"]] - seen))
            if not features[best["id"]] - seen:
                break
            seen |= features[best["id"]]
            chosen.append(best)
            left.remove(best)
        step = max(1, len(left) // max(1, most - len(chosen)))
        return chosen + left[::step][: most - len(chosen)]
