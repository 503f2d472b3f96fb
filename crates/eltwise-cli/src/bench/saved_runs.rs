//! Saved runs: [`SavedRuns`] reads and writes one JSON file for each, in the user's data directory.

use std::fs;
use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};

use crate::error::{CliError, Result};

use super::record::{Record, SCHEMA};

/// The directory of saved runs.
pub(crate) struct SavedRuns {
    directory: PathBuf,
}

impl SavedRuns {
    /// Runs in `directory`, or in `eltwise/bench` of the user's data directory (`$XDG_DATA_HOME`, `~/.local/share`).
    pub(crate) fn new(directory: Option<&Path>) -> Result<SavedRuns> {
        if let Some(directory) = directory {
            return Ok(SavedRuns { directory: directory.to_path_buf() });
        }
        let strategy = choose_base_strategy()
            .map_err(|e| CliError::Argument(format!("no directory for saved runs ({e}); give one with --dir")))?;
        Ok(SavedRuns { directory: strategy.data_dir().join("eltwise").join("bench") })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(format!("{name}.json"))
    }

    /// Saves a run under a name. Replaces an older run of this name. Returns the path.
    pub(crate) fn save(&self, name: &str, record: &Record) -> Result<PathBuf> {
        let path = self.path(name);
        fs::create_dir_all(&self.directory).map_err(|e| CliError::io(&self.directory, &e))?;
        // Written under a temporary name, so that no other process reads an incomplete run.
        let part = self.directory.join(format!("{name}.json.{}.tmp", std::process::id()));
        fs::write(&part, text(record)).map_err(|e| CliError::io(&part, &e))?;
        fs::rename(&part, &path).map_err(|e| CliError::io(&path, &e))?;
        Ok(path)
    }

    /// Loads a run.
    ///
    /// # Errors
    /// An unknown name, with the names that exist; a file that is not a run of this format.
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

    /// The names of the saved runs, sorted.
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
    // A record has only string keys, so the serialisation cannot fail.
    let text = serde_json::to_string_pretty(record).unwrap_or_default();
    format!("{text}\n")
}

/// Parses the name of a run, which becomes a file name.
pub(crate) fn name(text: &str) -> std::result::Result<String, String> {
    let ordinary = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if text.is_empty() || text.starts_with('.') || !text.chars().all(ordinary) {
        return Err("expected letters, digits, '-', '_' and '.'; '.' must not be first".to_string());
    }
    Ok(text.to_string())
}
