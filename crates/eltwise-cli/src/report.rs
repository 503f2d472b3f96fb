//! Standard output ([`Report`]), standard error ([`stderr_line`]), and numbers with units. A closed pipe on standard output
//! is not an error and does not stop a run. A failed write to standard error is ignored.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

use crate::error::{CliError, Result};

/// Writes lines to standard output until a write fails.
#[derive(Default)]
pub(crate) struct Report {
    closed: Option<io::Error>,
}

impl Report {
    /// Prints one line or several. [`Report::finish`] reports a failed write.
    pub(crate) fn line(&mut self, text: impl Display) {
        if self.closed.is_none() {
            let mut out = io::stdout().lock();
            self.closed = writeln!(out, "{text}").and_then(|()| out.flush()).err();
        }
    }

    /// Ends the output.
    ///
    /// # Errors
    /// The first failed write, unless it was to a closed pipe.
    pub(crate) fn finish(self) -> Result<()> {
        match self.closed {
            Some(e) if e.kind() != io::ErrorKind::BrokenPipe => {
                Err(CliError::Argument(format!("standard output: {e}")))
            }
            _ => Ok(()),
        }
    }
}

/// Prints a line to standard error: an error, a warning or a note.
pub(crate) fn stderr_line(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A duration with three digits: `812 ns`, `41.3 us`, `1.62 ms`, `2.41 s`.
pub(crate) fn duration(d: Duration) -> String {
    let ns = d.as_nanos() as f64;
    let (value, unit) = match ns {
        n if n < 1e3 => return format!("{n} ns"),
        n if n < 1e6 => (n / 1e3, "us"),
        n if n < 1e9 => (n / 1e6, "ms"),
        n => (n / 1e9, "s"),
    };
    let digits = if value < 10.0 {
        2
    } else if value < 100.0 {
        1
    } else {
        0
    };
    format!("{value:.digits$} {unit}")
}

/// A transfer rate such as `12.7 GB/s`; `-` for no bytes or no time.
pub(crate) fn speed(bytes: u64, d: Duration) -> String {
    let seconds = d.as_secs_f64();
    if bytes == 0 || seconds == 0.0 {
        return "-".to_string();
    }
    let gb = bytes as f64 / seconds / 1e9;
    if gb < 0.1 { format!("{gb:.4} GB/s") } else { format!("{gb:.1} GB/s") }
}

/// A number of bytes: `32 KiB`, `2 MiB`, `787200 bytes`.
pub(crate) fn bytes(n: u64) -> String {
    match n {
        n if n >= 1 << 20 && n % (1 << 20) == 0 => format!("{} MiB", n >> 20),
        n if n >= 1 << 10 && n % (1 << 10) == 0 => format!("{} KiB", n >> 10),
        n => format!("{n} bytes"),
    }
}

/// A number with its noun: `1 thread`, `2 threads`.
pub(crate) fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_three_digits() {
        let of = |ns| duration(Duration::from_nanos(ns));
        assert_eq!(of(812), "812 ns");
        assert_eq!(of(41_300), "41.3 us");
        assert_eq!(of(1_620_000), "1.62 ms");
        assert_eq!(of(162_000_000), "162 ms");
        assert_eq!(of(2_410_000_000), "2.41 s");
    }

    #[test]
    fn speed_is_in_decimal_gigabytes() {
        assert_eq!(speed(3_000_000_000, Duration::from_secs(2)), "1.5 GB/s");
        assert_eq!(speed(0, Duration::from_secs(2)), "-");
        assert_eq!(speed(1_000_000, Duration::from_secs(1)), "0.0010 GB/s");
    }

    #[test]
    fn sizes_use_binary_units() {
        assert_eq!(bytes(48 << 10), "48 KiB");
        assert_eq!(bytes(2 << 20), "2 MiB");
        assert_eq!(bytes(105 * 1024 * 1024 + 1), "110100481 bytes");
        assert_eq!((count(1, "thread"), count(2, "thread")), ("1 thread".into(), "2 threads".into()));
    }
}
