"""The descriptions that are tried, and what is known to be wrong with a reader or a description."""

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
    "evcc-io__evcc-server__openapi.yaml",
    "figma__rest-api-spec__openapi.yaml",
    "meilisearch__open-api.json",
    "openai__openai-openapi__openapi.yaml",
    "readmeio__parameters-style.yaml",
    # OpenAPI 3.2
    "AdguardTeam__AdGuardHome__openapi.yaml",
]


class Exception_:
    pass


EXCEPTIONS = []
