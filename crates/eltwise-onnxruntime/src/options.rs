//! The options of a session: [`Options`].

use std::path::PathBuf;

use eltwise::Accuracy;
use eltwise_onnx::policy::{PartitionOptions, Policy};

use crate::api::{Failure, Outcome};

/// The options of a session.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Options {
    /// `claim`, which groups of nodes are claimed, and `accuracy`, the tier of math operators.
    pub(crate) partition: PartitionOptions,
    /// `report`: the file for the [`Report`](crate::report::Report).
    pub(crate) report: Option<PathBuf>,
}

/// The values of options that are words.
const CLAIM: &[(&str, Policy)] = &[("auto", Policy::Auto), ("all", Policy::All), ("none", Policy::None)];
const ACCURACY: &[(&str, Accuracy)] = &[("fast", Accuracy::Fast), ("correctly_rounded", Accuracy::CorrectlyRounded)];

impl Options {
    /// The options in the entries of a session's configuration. Options have names that begin with `prefix`; other entries are
    /// not ours. They are for ONNX Runtime 1.`runtime`.
    ///
    /// # Errors
    /// An option that does not exist, and a value that is none of its values.
    pub(crate) fn read<'a>(
        prefix: &str,
        runtime: u32,
        entries: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Outcome<Options> {
        let mut options = Options { partition: PartitionOptions::default().runtime(runtime), report: None };
        for (name, value) in entries {
            let Some(name) = name.strip_prefix(prefix) else { continue };
            match name {
                "claim" => options.partition.policy = word(name, value, CLAIM)?,
                "accuracy" => options.partition.accuracy = word(name, value, ACCURACY)?,
                "report" => options.report = Some(value).filter(|value| !value.is_empty()).map(PathBuf::from),
                _ => {
                    let message =
                        format!("no option is called {name:?}, expected \"claim\", \"accuracy\" or \"report\"");
                    return Err(Failure::invalid(message));
                }
            }
        }
        Ok(options)
    }
}

/// The meaning of a word.
fn word<T: Copy>(name: &str, given: &str, words: &[(&str, T)]) -> Outcome<T> {
    if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == given) {
        return Ok(*meaning);
    }
    let words: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
    Err(Failure::invalid(format_args!("option {name} is {given:?}, expected {}", words.join(" or "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(entries: &[(&str, &str)]) -> Outcome<Options> {
        Options::read("ep.e.", 30, entries.iter().copied())
    }

    #[test]
    fn options_have_defaults_and_other_entries_are_ignored() {
        let defaults = Options { partition: PartitionOptions::default().runtime(30), report: None };
        assert_eq!(read(&[("session.x", "1"), ("ep.other.claim", "some")]).unwrap(), defaults);
        let given = read(&[("ep.e.claim", "all"), ("ep.e.accuracy", "correctly_rounded"), ("ep.e.report", "r.json")]);
        let report = Some("r.json".into());
        assert_eq!(
            given.unwrap(),
            Options {
                partition: PartitionOptions::new(Policy::All).accuracy(Accuracy::CorrectlyRounded).runtime(30),
                report
            }
        );
    }

    #[test]
    fn wrong_options_say_what_is_expected() {
        let message = |entries: &[(&str, &str)]| read(entries).unwrap_err().message;
        assert_eq!(
            message(&[("ep.e.claim", "some")]),
            r#"eltwise: option claim is "some", expected "auto" or "all" or "none""#
        );
        assert_eq!(
            message(&[("ep.e.clain", "all")]),
            r#"eltwise: no option is called "clain", expected "claim", "accuracy" or "report""#
        );
    }
}
