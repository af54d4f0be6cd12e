//! The few things the expander says in HTML by itself: escaped text, JSON inside a script element, the names of built files.

use sha2::{Digest, Sha256};

/// Text as HTML text or attribute value.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON that no `</script>` or `<!--` can end.
pub(crate) fn script_json(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// The first eight hexadecimal digits of the SHA-256.
pub(crate) fn hash8(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_cannot_leave_its_element() {
        assert_eq!(script_json(&serde_json::json!({ "a": "</script>" })), r#"{"a":"\u003c/script>"}"#);
    }

    #[test]
    fn a_hash_is_the_beginning_of_sha256() {
        assert_eq!(hash8(b"abc"), "ba7816bf");
    }
}
