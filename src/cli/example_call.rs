//! A call of a capability as one types it, for the next command after a connector was written.

use crate::model::Capability;

/// `get_pet id=…`.
pub(super) fn words(capability: &Capability) -> String {
    let method = capability
        .name
        .split_once('.')
        .map_or(capability.name.as_str(), |(_, method)| method);
    let required = capability.schema.as_ref().and_then(|schema| schema.get("required")?.as_array());
    let names = required.into_iter().flatten().filter_map(serde_json::Value::as_str);
    let arguments: String = names.map(|name| format!(" {name}=…")).collect();
    format!("{method}{arguments}")
}
