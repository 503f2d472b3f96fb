//! The values of command-line options: their parsers, which the options of every subcommand name.

use std::num::NonZeroUsize;

use eltwise::{Accuracy, Isa};

/// A `NAME=VALUE` argument, split at the first `=`.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    /// The operand's name in the expression.
    pub(crate) name: String,
    /// A file, a layout or a scalar, parsed by [`operand::open`](crate::operand::open).
    pub(crate) value: String,
}

/// Parses a [`Binding`].
pub(crate) fn binding(text: &str) -> Result<Binding, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok(Binding { name: name.to_string(), value: value.to_string() })
        }
        _ => Err("expected NAME=VALUE, such as x=x.npy".to_string()),
    }
}

/// Parses an ISA of this architecture. An ISA of a different architecture is an error, because no ISA here is a lower level of
/// it.
pub(crate) fn isa(text: &str) -> Result<Isa, String> {
    let isa = text.parse::<Isa>().map_err(|e| e.to_string())?;
    if isa.is_native() {
        return Ok(isa);
    }
    let available: Vec<&str> = Isa::available().map(Isa::name).collect();
    Err(format!("this CPU has no {isa}; it has {}", available.join(" ")))
}

/// The reason why plans cannot use `isa`, or `None` if they can.
pub(crate) fn excluded(isa: Isa) -> Option<String> {
    if !isa.is_available() {
        return Some(format!("this CPU has no {isa}"));
    }
    (isa > Isa::current()).then(|| format!("ELTWISE_ISA={} excludes {isa}", Isa::current()))
}

/// Parses a number of threads.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a whole number from 1 on".to_string())
}

/// Parses an accuracy.
pub(crate) fn accuracy(text: &str) -> Result<Accuracy, String> {
    text.parse::<Accuracy>().map_err(|e| e.to_string())
}

/// Accepts `-x` as an expression; `--x` is an error, because it is more likely a misspelt option.
pub(crate) fn expression(text: &str) -> Result<String, String> {
    if text.starts_with("--") {
        return Err("no such option (an expression that begins with two signs is written as -(-x))".to_string());
    }
    Ok(text.to_string())
}
