//! Saved runs: one file of JSON each, in a directory of the user.

use std::fs;
use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};

use crate::error::{CliError, Result};

use super::record::{Record, SCHEMA};

/// Where runs are saved.
pub(crate) struct Store {
    directory: PathBuf,
}

impl Store {
    /// The directory that was asked for, or `eltwise/bench` of the user's data (`$XDG_DATA_HOME`, `~/.local/share`).
    pub(crate) fn new(directory: Option<&Path>) -> Result<Store> {
        if let Some(directory) = directory {
            return Ok(Store { directory: directory.to_path_buf() });
        }
        let strategy = choose_base_strategy()
            .map_err(|e| CliError::Argument(format!("no directory for saved runs ({e}); give one with --dir")))?;
        Ok(Store { directory: strategy.data_dir().join("eltwise").join("bench") })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(format!("{name}.json"))
    }

    /// Writes a run under a name, in place of an older one; the path.
    pub(crate) fn save(&self, name: &str, record: &Record) -> Result<PathBuf> {
        let path = self.path(name);
        fs::create_dir_all(&self.directory).map_err(|e| CliError::io(&self.directory, &e))?;
        // Under another name first: a run that is being written is not one to compare with.
        let part = self.directory.join(format!("{name}.json.{}.tmp", std::process::id()));
        fs::write(&part, text(record)).map_err(|e| CliError::io(&part, &e))?;
        fs::rename(&part, &path).map_err(|e| CliError::io(&path, &e))?;
        Ok(path)
    }

    /// Reads a run.
    ///
    /// # Errors
    /// A name that was never saved, with those that were; a file that is none of this program's.
    pub(crate) fn load(&self, name: &str) -> Result<Record> {
        let path = self.path(name);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                let names = self.names();
                let saved = if names.is_empty() { "none".to_string() } else { names.join(", ") };
                let directory = self.directory.display();
                return Err(CliError::Argument(format!("no saved run {name:?} in {directory}; saved there: {saved}")));
            }
            Err(e) => return Err(CliError::io(&path, &e)),
        };
        let broken = |why: String| CliError::file(&path, format!("is not a saved run of this version: {why}"));
        let value: serde_json::Value = serde_json::from_str(&text).map_err(|e| broken(e.to_string()))?;
        match value.get("schema").and_then(|s| s.as_str()) {
            Some(SCHEMA) => {}
            other => return Err(broken(format!("its schema is {}, expected {SCHEMA}", other.unwrap_or("missing")))),
        }
        serde_json::from_value(value).map_err(|e| broken(e.to_string()))
    }

    /// The names of saved runs, sorted.
    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let names = files.filter_map(|f| f.file_name().to_str()?.strip_suffix(".json").map(str::to_string));
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

/// A run as JSON.
pub(crate) fn text(record: &Record) -> String {
    // A record has string keys and finite numbers, so that nothing can fail.
    let text = serde_json::to_string_pretty(record).unwrap_or_default();
    format!("{text}\n")
}

/// The name of a run, which is that of a file.
pub(crate) fn name(text: &str) -> std::result::Result<String, String> {
    let ordinary = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if text.is_empty() || text.starts_with('.') || !text.chars().all(ordinary) {
        return Err("expected letters, digits, '-', '_' and '.', not first".to_string());
    }
    Ok(text.to_string())
}
