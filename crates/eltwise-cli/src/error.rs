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

impl fmt::Display for CliError {
    /// One line; for a place in an expression two more: the expression and the caret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CliError::Engine(e @ eltwise::Error::Parse { text, at, .. }) => {
                write!(f, "{e}\n  {}", eltwise::caret(text, at).replace('\n', "\n  "))
            }
            CliError::Engine(e) => e.fmt(f),
            CliError::File { path, why } => write!(f, "{}: {why}", path.display()),
            CliError::Argument(why) => f.write_str(why),
        }
    }
}
