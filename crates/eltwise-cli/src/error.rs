//! What goes wrong at the command line, printed as one line (and a caret for an expression).

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Anything that ends the program with exit code 2.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The engine refused: parse, dtypes, broadcast, bounds.
    Engine(eltwise::Error),
    /// A file that cannot be read, or is not what its name says.
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// An operand or option that makes no sense.
    Argument(String),
}

/// A result of this program.
pub(crate) type Result<T> = std::result::Result<T, CliError>;

impl CliError {
    /// A file and what is wrong with it.
    pub(crate) fn file(path: &Path, why: impl Into<String>) -> CliError {
        CliError::File { path: path.to_path_buf(), why: why.into() }
    }

    /// A file and the operating system's word.
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

/// The engine's words. A shape whose elements cannot be counted is too large whatever the bytes of each, which the engine
/// has not looked at then.
pub(crate) fn engine(error: &eltwise::Error) -> String {
    match error {
        eltwise::Error::TooLarge { shape, .. } if shape.elements().is_err() => {
            format!("shape {shape} is larger than the address space, whatever the dtype")
        }
        other => other.to_string(),
    }
}

/// A message without the codes that terminals act on, which the text of a file may hold.
fn printable(message: &str) -> String {
    /// Turns the direction of what follows on the line.
    const TURNS: [std::ops::RangeInclusive<char>; 2] = ['\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
    let mut out = String::with_capacity(message.len());
    for c in message.chars() {
        if c.is_control() || TURNS.iter().any(|turn| turn.contains(&c)) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// A message without the middle, if a very long name or number stands there.
fn shortened(message: String) -> String {
    const MOST: usize = 1000;
    /// Characters shown at the beginning and at the end of a longer message.
    const SHOWN: usize = 100;
    let length = message.chars().count();
    if length <= MOST {
        return message;
    }
    let first = message.chars().take(SHOWN);
    first.chain("...".chars()).chain(message.chars().skip(length - SHOWN)).collect()
}

impl fmt::Display for CliError {
    /// One line; for a place in an expression two more: the expression and the caret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CliError::Engine(e @ eltwise::Error::Parse { text, at, .. }) => {
                write!(f, "{}\n  {}", shortened(e.to_string()), eltwise::caret(text, at).replace('\n', "\n  "))
            }
            CliError::Engine(e) => f.write_str(&engine(e)),
            CliError::File { path, why } => f.write_str(&printable(&format!("{}: {why}", path.display()))),
            CliError::Argument(why) => f.write_str(why),
        }
    }
}
