//! Errors of the tool. [`CliError`] prints as one line, or as three lines with a caret for an error in an expression.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// An error that ends the tool with exit code 2.
#[derive(Debug)]
pub(crate) enum CliError {
    /// An error of the library: syntax, dtypes, broadcasting, sizes.
    Engine(eltwise::Error),
    /// A file that cannot be read or written, or whose content is invalid.
    File {
        path: PathBuf,
        /// The problem, as a phrase that continues the path.
        why: String,
    },
    /// An invalid operand or option.
    Argument(String),
    /// A benchmark case whose result is wrong: a bug of the library.
    WrongResult(String),
}

/// A result with a [`CliError`].
pub(crate) type Result<T> = std::result::Result<T, CliError>;

impl CliError {
    /// A file and the problem with it.
    pub(crate) fn file(path: &Path, why: impl Into<String>) -> CliError {
        CliError::File { path: path.to_path_buf(), why: why.into() }
    }

    /// A file and an error of the operating system.
    pub(crate) fn io(path: &Path, error: &io::Error) -> CliError {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "no such file or directory".to_string(),
            io::ErrorKind::PermissionDenied => "permission denied".to_string(),
            io::ErrorKind::StorageFull => "the disk is full".to_string(),
            _ => error.to_string(),
        };
        CliError::file(path, why)
    }
}

impl From<eltwise::Error> for CliError {
    fn from(e: eltwise::Error) -> CliError {
        CliError::Engine(e)
    }
}

/// The text of a library error. If the number of elements of a shape overflows, the text does not mention the element size:
/// the shape is too large for every dtype.
pub(crate) fn engine(error: &eltwise::Error) -> String {
    match error {
        eltwise::Error::TooLarge { shape, .. } if shape.elements().is_err() => {
            format!("shape {shape} is larger than the address space, whatever the dtype")
        }
        other => other.to_string(),
    }
}

/// Escapes control characters and bidirectional overrides, which the text of a file may contain and terminals act on.
fn printable(message: &str) -> String {
    /// Characters that change the direction of the text after them.
    const BIDI_CONTROLS: [std::ops::RangeInclusive<char>; 2] = ['\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
    let mut out = String::with_capacity(message.len());
    for c in message.chars() {
        if c.is_control() || BIDI_CONTROLS.iter().any(|range| range.contains(&c)) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// Cuts the middle out of a message with a very long name or number.
fn shortened(message: String) -> String {
    const MAX_CHARS: usize = 1000;
    /// Characters kept at the beginning and at the end of a longer message.
    const SHOWN: usize = 100;
    let length = message.chars().count();
    if length <= MAX_CHARS {
        return message;
    }
    let first = message.chars().take(SHOWN);
    first.chain("...".chars()).chain(message.chars().skip(length - SHOWN)).collect()
}

impl fmt::Display for CliError {
    /// One line. For an error in an expression two more lines: the expression, and a caret below the position.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CliError::Engine(e @ eltwise::Error::Parse { text, at, .. }) => {
                write!(f, "{}\n  {}", shortened(e.to_string()), eltwise::caret(text, at).replace('\n', "\n  "))
            }
            CliError::Engine(e) => f.write_str(&engine(e)),
            CliError::File { path, why } => f.write_str(&printable(&format!("{}: {why}", path.display()))),
            CliError::Argument(why) | CliError::WrongResult(why) => f.write_str(why),
        }
    }
}
