//! Observing runs: observers ([`observe::Observer`]), and the environment variables that turn debugging on
//! ([`switches`]).

pub(crate) mod observe;
pub(crate) mod switches;
