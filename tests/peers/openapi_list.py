"""The descriptions that are tried, and what is known to be wrong with a reader or a description."""

import fnmatch
from dataclasses import dataclass
from typing import Callable

DESCRIPTIONS = [
    # Swagger 2.0
    "Redocly__redoc-demo__swagger.yaml",
    "argoproj__argo-cd-assets__swagger.json",
    "go-vikunja__vikunja-pkg__swagger.json",
    "goharbor__harbor-v2.0__swagger.yaml",
    "gotify__server__spec.json",
    "microsoft__Tallyfy__apiDefinition.swagger.json",
    "microsoft__Text-Request__apiDefinition.swagger.json",
    "moby__v1.47.yaml",
    "netlify__open-api__swagger.yml",
    "samchon__semanticscholar.json",
    "slackapi__slack-web-openapi-v2.json",
    # OpenAPI 3.0
    "DataDog__datadog-api-client-python-v1__openapi.yaml",
    "PaystackOSS__paystack.yaml",
    "XeroAPI__xero-accounting.yaml",
    "bacen__pix-api__openapi.yaml",
    "intercom__api.intercom.io.yaml",
    "line__channel-access-token.yml",
    "npm--octokit-openapi-23.0.2__api.github.com.json",
    "od__trello.com.json",
    "od__wikimedia.org.json",
    "oxidecomputer__nexus.json",
    "pb33f__stripe-old.yaml",
    "qdrant__qdrant-v1.18.x__openapi.json",
    "swagger-api__swagger-petstore__openapi.yaml",
    "twilio__twilio-notify-v1.yaml",
    "typesense__typesense-api-spec__openapi.yml",
    "weather-gov__api-assets__openapi.yaml",
    # OpenAPI 3.1
    "apache__v2.yaml",
    "discord__discord-api-spec-specs__openapi.json",
    "figma__rest-api-spec__openapi.yaml",
    "meilisearch__open-api.json",
    "openai__openai-openapi__openapi.yaml",
    "readmeio__parameters-style.yaml",
    # OpenAPI 3.2
    "AdguardTeam__AdGuardHome__openapi.yaml",
]

CORE, PEER = "openapi-core", "schemathesis"


@dataclass
class Known:
    """A complaint that is not about the request. The patterns are those of file names."""

    reader: str
    reason: str
    where: str = "*"
    why: str = "*"
    file: str = "*"
    operation: str = "*"
    when: Callable = lambda expected, where: True

    def covers(self, file, operation, reader, where, why, expected):
        words = [(reader, self.reader), (where, self.where), (why, self.why), (file, self.file), (operation, self.operation)]
        return all(fnmatch.fnmatchcase(word, pattern) for word, pattern in words) and self.when(expected, where)


def parameter(expected, where):
    place, _, name = where.partition(" ")
    return expected.declared.get((place, name), {}), expected.parameters.get(place, {}).get(name)


def is_exploded_object(expected, where):
    declared, value = parameter(expected, where)
    return isinstance(value, dict) and declared.get("style", "form") == "form" and declared.get("explode", True)


def is_list_with_a_comma(expected, where):
    declared, value = parameter(expected, where)
    return isinstance(value, list) and any("," in str(one) for one in value) and declared.get("explode") is False


def is_deep_without_type(expected, where):
    declared, _ = parameter(expected, where)
    return declared.get("style") == "deepObject" and expected.description.schema(declared).get("type") != "object"


def is_deep_list(expected, where):
    """A list in the style deepObject, in the query or in a form."""
    place, _, name = where.partition(" ")
    name = name.split("[")[0]
    if place == "query":
        declared, value = parameter(expected, f"query {name}")
        return declared.get("style") == "deepObject" and isinstance(value, list)
    offers = expected.description.bodies(expected.method, expected.path).values()
    deep = [offer for offer in offers if (offer.get("encoding") or {}).get(name, {}).get("style") == "deepObject"]
    return bool(deep) and isinstance((expected.body or {}).get(name), list)


# What one reader cannot judge, the other one does. Nothing here is about what Becket sends.
EXCEPTIONS = [
    # Limits of openapi-core.
    Known(CORE, "does not read objects in exploded form style", where="query *", when=is_exploded_object),
    Known(CORE, "decodes before it splits: a comma inside a value becomes a delimiter", where="query *", when=is_list_with_a_comma),
    Known(CORE, "decodes before it splits: a comma inside a value becomes a delimiter", file="readmeio__parameters-style*", where="query object", operation="query_form_non_exploded"),
    Known(PEER, "joins names and values before it encodes: a comma inside a value becomes a delimiter", file="readmeio__parameters-style*", where="query object", operation="query_form_non_exploded"),
    Known(CORE, "reads deepObject only where the schema itself says that it is an object", where="query *", when=is_deep_without_type),
    Known(CORE, "reads no form with a list in the style deepObject", where="body", why="*('deepObject', *"),
    Known(CORE, "leaves a text a text where anyOf offers a text and a number", where="query size", operation="icons"),
    Known(CORE, "leaves a body of type text/plain a text whatever its schema says", file="meilisearch__*", where="body", why="$: '*' is not of type *"),
    Known(CORE, "knows no path with a query or a fragment of its own", file="openai__*", operation="beta_list_input_items"),
    Known(CORE, "knows no path with a query or a fragment of its own", file="readmeio__parameters-style*", operation="cookies_form_*", where="path"),
    # A choice of ours.
    Known(PEER, "a form without a part: RFC 2046 wants one, so nothing is sent", file="Redocly__*", operation="upload_file"),
    # Faults of the descriptions.
    Known(PEER, "OpenAPI does not say what a list is in the style deepObject; the service reads name[] and name[0]", when=is_deep_list),
    Known(CORE, "a discriminator without a mapping whose values are no names of schemas", file="openai__*", where="body", why="*could not be resolved*"),
    Known(CORE, "two paths that no address tells apart", file="XeroAPI__*", operation="get_account_attachment_by_file_name"),
    Known(CORE, "two paths that no address tells apart", file="XeroAPI__*", operation="get_journal_by_number"),
    Known(CORE, "two paths that no address tells apart", file="bacen__*", operation="get_cobv_2"),
    Known(CORE, "the default of a boolean is the text `false`, which the reader puts in", file="XeroAPI__*", where="body",
              why="*read-only property with false*"),
    Known(CORE, "an `id` that is both required and only in answers; alternatives that any object fits", file="bacen__*", where="body"),
    Known(PEER, "the address of a server has a variable that is declared nowhere", file="bacen__*", where="reader", operation="get_cobv_2"),
    Known(CORE, "a list of allowed values that is empty", file="discord__*", where="query status"),
    # Values that the connector's schema lets through: it is cut where it is large, keeps no pattern
    # that can take very long, and asks of alternatives only what all of them require.
    Known(CORE, "a value from a schema that is cut", file="discord__*", where="body"),
    Known(CORE, "a value for a pattern that is not kept", file="oxidecomputer__*", why="*does not match*"),
    Known(CORE, "a value for a pattern that is not kept", file="oxidecomputer__*", operation="instance_serial_console_v1"),
    Known(CORE, "no alternative of a body has all that it requires", file="openai__*", operation="create_vector_store_file_batch", where="body"),
    Known(CORE, "no alternative of a body has all that it requires", file="line__*", operation="issue_stateless_channel_token", where="body"),
]


def is_judgeable(description, operation):
    """Swagger 2.0 is schemathesis' alone, and it takes `{a.b}` in a path for a field of `a`."""
    return not description.is_old or "." not in "".join(blank.split("}")[0] for blank in operation["path"].split("{")[1:])
