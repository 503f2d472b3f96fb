//! Environment variables that turn debugging on, such as `ELTWISE_CHECK`.

#[cfg(feature = "check")]
use std::sync::OnceLock;

/// Whether an environment variable is on: set, not empty and not `0`.
pub(super) fn is_switched_on(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "0")
}

/// Whether `ELTWISE_CHECK` is on. The variable is read once.
#[cfg(feature = "check")]
pub(crate) fn is_check_mode() -> bool {
    static ON: OnceLock<bool> = OnceLock::new();
    *ON.get_or_init(|| is_switched_on("ELTWISE_CHECK"))
}
