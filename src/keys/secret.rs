//! A value that must not be seen.

use zeroize::Zeroizing;

/// A key's value. It has no `Debug`, no `Display` and no `Clone`; its memory is cleared when it is
/// dropped. [`Secret::expose`] may be called only where bytes leave for the service.
pub struct Secret(Zeroizing<String>);

impl Secret {
    pub fn new(value: impl Into<String>) -> Self {
        Self(Zeroizing::new(value.into()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value. `tests/it/layers.rs` lists the files that may ask for it.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}
