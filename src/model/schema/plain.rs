//! Schemas and arguments of the plainest kind, judged in one walk where they stand: no copy, no
//! validator. Most schemas that people write are plain, and building the validator's own
//! meta-schema costs more than everything else in a short run.
//!
//! Yes is final: the rest of this folder would find nothing either, which the tests hold. No means
//! only that it is for the rest of the folder to judge.

use serde_json::{Map, Value};

use super::coerce::coerce;
use super::survey::TYPES;
use crate::source::{Kind, View};

/// The draft that is meant when none is named.
const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";
/// Levels of subschemas, letters of text, and names in one list.
const LEVELS: usize = 16;
const LETTERS: usize = 1 << 16;
const NAMES: usize = 64;
/// Digits of a number that is compared without loss.
const DIGITS: usize = 15;

/// A value of JSON, in a file or in memory.
pub(super) trait Json<'v>: Copy {
    fn kind(self) -> Kind;
    fn truth(self) -> Option<bool>;
    /// Digit for digit.
    fn number(self) -> Option<&'v str>;
    fn text(self) -> Option<&'v str>;
    fn elements(self) -> impl ExactSizeIterator<Item = Self>;
    fn fields(self) -> impl ExactSizeIterator<Item = (&'v str, Self)>;
    fn field(self, name: &str) -> Option<Self>;

    fn is_scalar(self) -> bool {
        !matches!(self.kind(), Kind::List | Kind::Map)
    }
}

impl<'v> Json<'v> for View<'v> {
    fn kind(self) -> Kind {
        View::kind(self)
    }

    fn truth(self) -> Option<bool> {
        self.as_bool()
    }

    fn number(self) -> Option<&'v str> {
        self.as_number()
    }

    fn text(self) -> Option<&'v str> {
        self.as_str()
    }

    fn elements(self) -> impl ExactSizeIterator<Item = Self> {
        self.items()
    }

    fn fields(self) -> impl ExactSizeIterator<Item = (&'v str, Self)> {
        View::fields(self).map(|field| (field.key, field.value))
    }

    fn field(self, name: &str) -> Option<Self> {
        self.get(name)
    }
}

impl<'v> Json<'v> for &'v Value {
    fn kind(self) -> Kind {
        match self {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Bool,
            Value::Number(_) => Kind::Number,
            Value::String(_) => Kind::String,
            Value::Array(_) => Kind::List,
            Value::Object(_) => Kind::Map,
        }
    }

    fn truth(self) -> Option<bool> {
        self.as_bool()
    }

    fn number(self) -> Option<&'v str> {
        match self {
            Value::Number(number) => Some(number.as_str()),
            _ => None,
        }
    }

    fn text(self) -> Option<&'v str> {
        self.as_str()
    }

    fn elements(self) -> impl ExactSizeIterator<Item = Self> {
        self.as_array().map(Vec::as_slice).unwrap_or_default().iter()
    }

    fn fields(self) -> impl ExactSizeIterator<Item = (&'v str, Self)> {
        static NONE: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
        let map = self.as_object().unwrap_or(&NONE);
        map.iter().map(|(name, value)| (name.as_str(), value))
    }

    fn field(self, name: &str) -> Option<Self> {
        self.get(name)
    }
}

/// Whether a schema is plain, and so nothing is wrong with it.
pub(super) fn is_plain<'v>(schema: impl Json<'v>) -> bool {
    Walk { letters: LETTERS }.schema(schema, 0)
}

/// Whether nothing is wrong with the arguments of a plain schema. They are judged as they are.
pub(super) fn fits_all<'v, J: Json<'v>>(schema: J, args: Option<J>) -> bool {
    match args {
        Some(args) => args.kind() == Kind::Map && fits(schema, args),
        None => {
            let object = schema.field("type").is_none_or(|kind| kind.text() == Some("object"));
            object
                && ["required", "enum", "minProperties"]
                    .iter()
                    .all(|name| schema.field(name).is_none())
        }
    }
}

/// The arguments as a plain schema wants them.
pub(super) fn accepted(schema: &Value, args: &Map<String, Value>) -> Option<Map<String, Value>> {
    if !is_plain(schema) {
        return None;
    }
    let args = Value::Object(coerce(schema, args.clone()));
    match args {
        Value::Object(map) if fits(schema, &Value::Object(map.clone())) => Some(map),
        _ => None,
    }
}

/// One walk over a schema.
struct Walk {
    /// How much text may still come.
    letters: usize,
}

impl Walk {
    fn schema<'v>(&mut self, schema: impl Json<'v>, level: usize) -> bool {
        level < LEVELS && schema.kind() == Kind::Map && schema.fields().all(|(name, value)| self.keyword(name, value, level))
    }

    /// Takes one text more, whose length is counted with something for the value itself.
    fn read(&mut self, text: &str) -> bool {
        let left = self.letters.checked_sub(text.len() + 8);
        self.letters = left.unwrap_or_default();
        left.is_some()
    }

    fn keyword<'v, J: Json<'v>>(&mut self, name: &str, value: J, level: usize) -> bool {
        self.read(name)
            && match name {
                "$schema" => level == 0 && value.text() == Some(DRAFT),
                "type" => value.text().is_some_and(|text| TYPES.contains(&text)) || self.types(value),
                "properties" => {
                    value.kind() == Kind::Map && value.fields().all(|(name, value)| self.read(name) && self.schema(value, level + 1))
                }
                "items" => self.schema(value, level + 1),
                "required" => self.names(value),
                "enum" => value.elements().len() > 0 && self.scalars(value),
                "examples" => value.kind() == Kind::List && self.scalars(value),
                "default" => self.scalar(value),
                "title" | "description" | "format" | "$comment" => value.text().is_some_and(|text| self.read(text)),
                "additionalProperties" | "deprecated" | "readOnly" | "writeOnly" => value.kind() == Kind::Bool,
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.kind() == Kind::Number,
                "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
                    whole(value).is_some_and(|count| count >= 0)
                }
                _ => false,
            }
    }

    fn scalar<'v>(&mut self, value: impl Json<'v>) -> bool {
        value.is_scalar() && self.read(value.text().unwrap_or_default())
    }

    fn scalars<'v>(&mut self, value: impl Json<'v>) -> bool {
        value.elements().all(|value| self.scalar(value))
    }

    /// A list of names, none twice.
    fn names<'v>(&mut self, value: impl Json<'v>) -> bool {
        let few = value.kind() == Kind::List && value.elements().len() <= NAMES;
        few && value.elements().enumerate().all(|(index, one)| {
            let name = one.text().filter(|name| self.read(name));
            name.is_some_and(|name| value.elements().take(index).all(|other| other.text() != Some(name)))
        })
    }

    fn types<'v>(&mut self, value: impl Json<'v>) -> bool {
        let known = |value: &_| Json::text(*value).is_some_and(|text| TYPES.contains(&text));
        value.elements().len() > 0 && self.names(value) && value.elements().all(|value| known(&value))
    }
}

/// A whole number that is compared without loss.
fn whole<'v>(value: impl Json<'v>) -> Option<i64> {
    let text = value.number()?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let small = digits.len() <= DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    small.then(|| text.parse().ok())?
}

/// Whether a value fits a plain schema. Fields that the schema does not name are not judged here.
fn fits<'v, J: Json<'v>>(schema: J, value: J) -> bool {
    let named = value.kind() != Kind::Map || {
        let properties = schema.field("properties");
        let property = |name| properties.and_then(|properties| properties.field(name));
        value
            .fields()
            .all(|(name, value)| property(name).is_some_and(|schema| fits(schema, value)))
    };
    named && schema.fields().all(|(name, rule)| obeys(name, rule, value))
}

fn obeys<'v, J: Json<'v>>(name: &str, rule: J, value: J) -> bool {
    let ordered = |right: fn(&i64, &i64) -> bool| match (value.kind(), whole(value), whole(rule)) {
        (Kind::Number, Some(value), Some(rule)) => right(&value, &rule),
        (kind, ..) => kind != Kind::Number,
    };
    let counted = |kind: Kind, count: usize, right: fn(&i64, &i64) -> bool| {
        value.kind() != kind || matches!((i64::try_from(count), whole(rule)), (Ok(count), Some(rule)) if right(&count, &rule))
    };
    let letters = || value.text().map_or(0, |text| text.chars().count());
    match name {
        "type" => match rule.text() {
            Some(kind) => is_of(value, kind),
            None => rule.elements().any(|kind| kind.text().is_some_and(|kind| is_of(value, kind))),
        },
        "enum" => rule.elements().any(|choice| is_same(choice, value)),
        "items" => value.elements().all(|value| fits(rule, value)),
        "required" => {
            value.kind() != Kind::Map
                || rule
                    .elements()
                    .all(|name| name.text().is_some_and(|name| value.field(name).is_some()))
        }
        "minimum" => ordered(i64::ge),
        "maximum" => ordered(i64::le),
        "exclusiveMinimum" => ordered(i64::gt),
        "exclusiveMaximum" => ordered(i64::lt),
        "minLength" => counted(Kind::String, letters(), i64::ge),
        "maxLength" => counted(Kind::String, letters(), i64::le),
        "minItems" => counted(Kind::List, value.elements().len(), i64::ge),
        "maxItems" => counted(Kind::List, value.elements().len(), i64::le),
        "minProperties" => counted(Kind::Map, value.fields().len(), i64::ge),
        "maxProperties" => counted(Kind::Map, value.fields().len(), i64::le),
        _ => true,
    }
}

fn is_of<'v>(value: impl Json<'v>, kind: &str) -> bool {
    match value.kind() {
        Kind::Null => kind == "null",
        Kind::Bool => kind == "boolean",
        Kind::Number => kind == "number" || (kind == "integer" && whole(value).is_some()),
        Kind::String => kind == "string",
        Kind::List => kind == "array",
        Kind::Map => kind == "object",
    }
}

/// Whether two plain values are surely the same.
fn is_same<'v, J: Json<'v>>(one: J, other: J) -> bool {
    one.is_scalar()
        && one.kind() == other.kind()
        && (one.text(), one.number(), one.truth()) == (other.text(), other.number(), other.truth())
}
