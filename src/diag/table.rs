//! The table of rules. `P` is connector.json, `C` a pack, `O` an import; the first digit is the
//! topic: 0 file and fields, 1 names, 2 requests, 3 keys, 4 risks, 5 cases, 6 limits, 7 answers.
//! A code is never used again. Each rule has its page in `docs/rules`.

use super::{Level, Rule};

macro_rules! rules {
    ($($name:ident $code:literal $slug:literal $level:ident $summary:literal)*) => {
        $(pub static $name: Rule = Rule {
            code: $code,
            slug: $slug,
            level: Level::$level,
            summary: $summary,
            page: include_str!(concat!("../../docs/rules/", $code, ".md")),
        };)*

        /// Every rule, by code.
        pub static ALL: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    NOT_YAML "C000" "not-yaml" Error "the file is not YAML"
    UNKNOWN_KEY "C001" "unknown-key" Warning "a key that nothing reads"
    MISSING_KEY_OF_PACK "C002" "missing-key" Error "a key that must be there is not"
    WRONG_TYPE_IN_PACK "C003" "wrong-type" Error "a value of the wrong kind"
    MISSPELT_KEY "C004" "misspelt-key" Warning "a key that is one slip away from a known one"
    REPEATED_KEY_IN_PACK "C005" "repeated-key" Error "the same key twice"
    YAML_TRAP "C006" "yaml-trap" Warning "a bare word that other readers take for something else"
    NOT_ONE_LINE "C007" "not-one-line" Error "`about` is one line"
    BAD_TOOL_NAME "C101" "bad-tool-name" Error "a tool name is lowercase letters, digits and `_`"
    PERIOD_NAME "C102" "period-name" Warning "a date that is not called `from` or `to`"
    BAD_BASE_URL "C202" "bad-base-url" Error "an address that is refused"
    ODD_BASE_URL "C203" "odd-base-url" Warning "an address that will surprise someone"
    UNKNOWN_PACK_METHOD "C204" "not-a-reading-method" Error "a tool is a GET, or a POST that reads"
    BAD_PACK_PATH "C205" "bad-path" Error "a path that is refused"
    ODD_PACK_PATH "C206" "odd-path" Warning "a path that will surprise someone"
    UNKNOWN_TYPE "C207" "unknown-type" Error "a type other than string, integer, number, boolean and date"
    UNKNOWN_PLACE "C208" "unknown-place" Error "`in` is `query` or `body`"
    BODY_ON_READING_GET "C209" "body-on-get" Error "an argument in the body of a GET"
    WRONG_VALUE "C210" "wrong-value" Error "a default or an option that its argument cannot have"
    BAD_STEP "C211" "bad-step" Error "a name in a body that leads nowhere"
    OPTIONAL_STEP "C212" "optional-step" Warning "an optional argument inside a fixed list"
    SENT_TWICE "C213" "sent-twice" Warning "two values under one name of a query"
    NESTED_IN_QUERY "C214" "nested-in-query" Error "a nested value in a query"
    UNKNOWN_AUTH "C301" "unknown-auth" Error "`auth` is header, bearer, basic, query or none"
    AUTH_WITHOUT_NAME "C302" "auth-without-name" Error "a header or query parameter for the key has no name"
    WRITING_NAME "C401" "writing-name" Error "a tool name that sounds like writing"
    WRITING_WORD "C402" "writing-word" Warning "a tool name that may sound like writing"
    POST_WITHOUT_READ "C403" "post-without-read" Error "a POST that is not said to read"
    CHECK_WITHOUT_TOOL "C502" "check-without-tool" Error "`check` names a tool that does not exist"
    CHECK_WITH_ARGUMENTS "C503" "check-with-arguments" Error "`check` names a tool that needs arguments"
    ROLE_WITHOUT_TOOL "C504" "role-without-tool" Error "a role or a lookup names a tool that does not exist"
    ENTRY_WITHOUT_TOOL "C505" "entry-without-tool" Warning "the profile shows a tool that does not exist"
    ODD_ENTRY "C506" "odd-entry" Warning "the profile uses a field or an argument that its tool does not have"
    BAD_LIMIT "C601" "bad-limit" Error "a limit outside its range"
    UNKNOWN_LIMIT "C602" "unknown-limit" Error "a limit that does not exist"
    NO_RETURNS "C701" "no-returns" Error "a tool that returns nothing"
    BAD_ANSWER_PATH "C702" "bad-answer-path" Error "not a dot path"
    STAR_IN_PATH "C703" "star-in-path" Warning "`*` in a path of an answer"
    NOT_JSON "P000" "not-json" Error "the file is not JSON"
    UNKNOWN_FIELD "P001" "unknown-field" Warning "a field that nothing reads"
    MISSING_FIELD "P002" "missing-field" Error "a field that must be there is not"
    WRONG_TYPE "P003" "wrong-type" Error "a value of the wrong type"
    MISSPELT_FIELD "P004" "misspelt-field" Error "a field that is one slip away from a known one"
    REPEATED_FIELD "P005" "repeated-field" Error "the same field twice"
    EMPTY_FIELD "P006" "empty-field" Error "an empty text where a word must be"
    IGNORED_FIELD "P007" "ignored-field" Warning "a field that belongs to another kind of connector"
    NO_EFFECT "P008" "no-effect" Warning "a field that changes nothing"
    BAD_CONNECTOR_NAME "P101" "bad-connector-name" Error "a connector name is 2 to 31 lowercase letters and digits"
    BAD_CAPABILITY_NAME "P102" "bad-capability-name" Error "a capability is named `<connector>.<method>`"
    ODD_CAPABILITY_NAME "P103" "odd-capability-name" Warning "a method name with letters that assistants refuse"
    REPEATED_NAME "P104" "repeated-name" Error "two capabilities with one name"
    BUILT_IN_NAME "P105" "built-in-name" Error "a name that the host has itself"
    BUILT_IN_FAMILY "P106" "built-in-family" Warning "a family of names that the host may have itself"
    BAD_KEY_NAME "P107" "bad-key-name" Error "a key is named in upper-case letters, digits and `_`"
    REPEATED_KEY "P108" "repeated-key" Warning "the same key declared twice"
    SIGNATURE_DIFFERS "P109" "signature-differs" Warning "`signature` and `schema` name different arguments"
    NOT_ONE_TRANSPORT "P201" "not-one-transport" Error "a connector has exactly one of `http`, `command` and `url`"
    BAD_ADDRESS "P202" "bad-address" Error "an address that is refused"
    ODD_ADDRESS "P203" "odd-address" Warning "an address that will surprise someone"
    UNKNOWN_METHOD "P204" "unknown-method" Error "a method other than GET, POST, PUT, PATCH and DELETE"
    BAD_PATH "P205" "bad-path" Error "a path that is refused"
    ODD_PATH "P206" "odd-path" Warning "a path that will surprise someone"
    QUERY_IN_PATH "P207" "query-in-path" Error "a query or a fragment in the path"
    BAD_HEADER_NAME "P208" "bad-header-name" Error "not a name that a header can have"
    FORBIDDEN_HEADER "P209" "forbidden-header" Error "a header that the connection sets itself"
    ODD_HEADER "P210" "odd-header" Warning "a header that will surprise someone"
    BAD_HEADER_VALUE "P211" "bad-header-value" Error "a value that a header cannot have"
    BAD_PLACEHOLDER "P212" "bad-placeholder" Error "braces that are not a placeholder"
    PLACEHOLDER_IN_NAME "P213" "placeholder-in-name" Warning "a placeholder where none is filled"
    UNDECLARED_ARGUMENT "P214" "undeclared-argument" Error "an argument that `schema` does not have"
    UNUSED_ARGUMENT "P215" "unused-argument" Warning "an argument that no template uses"
    BEYOND_HOST "P216" "beyond-host" Warning "a form that the released host does not read"
    LIST_AS_TEXT "P217" "list-as-text" Warning "a list that is sent as one JSON text"
    BODY_ON_GET "P218" "body-on-get" Warning "a GET with a body"
    FORM_WITHOUT_FIELDS "P219" "form-without-fields" Error "a form whose body is not an object"
    BAD_SCHEMA "P220" "bad-schema" Error "not a JSON Schema"
    COSTLY_PATTERN "P221" "costly-pattern" Warning "a pattern that can take very long"
    OPTIONAL_IN_PATH "P222" "optional-in-path" Warning "the path needs an argument that `schema` does not require"
    REQUIRED_NOWHERE "P223" "required-nowhere" Error "`schema` requires an argument that it does not have"
    UNDECLARED_KEY "P301" "undeclared-key" Error "a key that `env` does not list"
    KEY_IN_PATH "P302" "key-in-path" Error "a key may not go in the path"
    ARGUMENT_AS_KEY "P303" "argument-as-key" Warning "an argument where a key belongs"
    UNUSED_KEY "P304" "unused-key" Warning "a key that no template uses"
    LITERAL_KEY "P305" "literal-key" Error "a key typed into the file"
    UNKNOWN_RISK "P401" "unknown-risk" Error "a risk other than read, notify, reversible and irreversible"
    WRITE_AS_READ "P402" "write-as-read" Error "a request that changes something, declared as a read"
    SAFE_CHANGE "P403" "safe-change" Warning "`safe` on a method that cannot read"
    READ_WITHOUT_CASE "P501" "read-without-case" Error "a read without a contract case"
    CASE_OF_NOTHING "P502" "case-of-nothing" Error "a case for a capability that does not exist"
    CASE_OF_CHANGE "P503" "case-of-change" Error "a case for a capability that does not only read"
    BAD_CASE_ARGUMENTS "P504" "bad-case-arguments" Error "arguments that `schema` refuses"
    CASE_WITHOUT_KEYS "P505" "case-without-keys" Warning "a case that looks at nothing"
    IMPOSSIBLE_KEY "P506" "impossible-key" Error "a case asks for a key that `result` does not keep"
    CASE_FAILED "P510" "case-failed" Error "the call of a case failed"
    MISSING_KEY "P511" "missing-key" Error "the answer does not have a key"
    MISSING_PATH "P512" "missing-path" Error "`result.path` is not in the answer"
    EMPTY_LIST "P513" "empty-list" Error "the answer is an empty list, so nothing is proved"
    WRONG_SHAPE "P514" "wrong-shape" Error "the answer is not an object or a list of objects"
    BAD_MAXIMUM "P601" "bad-maximum" Error "`max` is not a whole number from 0"
    BAD_RESULT_PATH "P701" "bad-result-path" Error "not a dot path"
}

/// The rule with a code (in any case) or a slug; connectors come before packs.
pub fn find(text: &str) -> Option<&'static Rule> {
    let code = ALL.iter().find(|rule| rule.code.eq_ignore_ascii_case(text));
    code.or_else(|| ALL.iter().rev().find(|rule| rule.slug == text)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_sorted_and_named_once() {
        assert!(ALL.is_sorted_by(|a, b| a.code < b.code));
        for product in ["P", "C", "O"] {
            let mut slugs: Vec<_> = ALL
                .iter()
                .filter(|rule| rule.code.starts_with(product))
                .map(|rule| rule.slug)
                .collect();
            let all = slugs.len();
            slugs.sort_unstable();
            slugs.dedup();
            assert_eq!(slugs.len(), all, "{product}");
        }
    }

    #[test]
    fn a_rule_is_found_by_code_and_by_slug() {
        assert_eq!(find("p302").map(|rule| rule.slug), Some("key-in-path"));
        assert_eq!(find("key-in-path").map(|rule| rule.code), Some("P302"));
        assert_eq!(find("bad-path").map(|rule| rule.code), Some("P205"));
        assert!(find("P999").is_none());
    }
}
