//! A run that is done: the machine, its limits, and a time for each case. What `--save` writes and `--json` prints.

use serde::{Deserialize, Serialize};

use eltwise::Isa;

use crate::info;

use super::case::{Bound, What};
use super::level::{Level, Levels};
use super::limits::Limits;
use super::stats::Summary;

/// The form of the file; a file of another form is refused.
pub(crate) const SCHEMA: &str = "eltwise-bench-1";

/// A run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) schema: String,
    /// UTC, to the second.
    pub(crate) date: String,
    pub(crate) machine: Machine,
    pub(crate) build: Build,
    /// Programs that wanted to run in the minute before (the load average), where the system tells.
    pub(crate) load: Option<f64>,
    /// Whether `--quick` measured it.
    pub(crate) quick: bool,
    pub(crate) limits: Limits,
    pub(crate) cases: Vec<Timed>,
}

/// Where it ran.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) caches: String,
    pub(crate) isa: String,
    pub(crate) threads: usize,
    pub(crate) os: String,
}

/// What ran.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Build {
    pub(crate) eltwise: String,
    pub(crate) rustc: String,
    pub(crate) flags: String,
    pub(crate) profile: String,
}

/// A case that was timed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Timed {
    pub(crate) name: String,
    pub(crate) expression: String,
    pub(crate) threads: usize,
    /// Of the result.
    pub(crate) elements: u64,
    /// Read and written, each element once; 0 where nothing runs.
    pub(crate) bytes: u64,
    /// Arithmetic of a run, where it can be counted; a fused multiply-add is two.
    pub(crate) operations: Option<u64>,
    /// Where the operands lie; none where nothing runs.
    pub(crate) level: Option<Level>,
    /// Nanoseconds.
    pub(crate) time: Summary,
    pub(crate) limit: Option<Limit>,
}

/// The least time that the machine would need.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Limit {
    pub(crate) ns: f64,
    pub(crate) by: By,
}

/// What sets a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum By {
    Memory,
    Arithmetic,
}

impl Timed {
    /// The limit's time in parts of the time taken: 1 is as fast as the machine goes.
    pub(crate) fn fraction(&self) -> Option<f64> {
        self.limit.as_ref().map(|limit| limit.ns / self.time.median)
    }

    /// The quieter one of two measurements of the same: the one with the lower median, beside its limit where it has one.
    pub(crate) fn quieter(self, other: Timed) -> Timed {
        let load = |timed: &Timed| timed.time.median / timed.limit.as_ref().map_or(1.0, |limit| limit.ns);
        if load(&other) < load(&self) { other } else { self }
    }

    /// The part of the name before the first `/`.
    pub(crate) fn group(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }

    /// Bytes a nanosecond, which are billions a second.
    pub(crate) fn gigabytes(&self) -> f64 {
        self.bytes as f64 / self.time.median
    }
}

impl Machine {
    /// This machine, at a level, with so many threads.
    pub(crate) fn here(isa: Isa, threads: usize, levels: &Levels) -> Machine {
        let guess = if levels.known { "" } else { " (assumed)" };
        let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Machine {
            cpu: info::cpu_name().unwrap_or_else(|| "unknown".into()),
            caches: format!("{}{guess}", info::caches().unwrap_or_else(|| "L1d 32 KiB, L2 1 MiB, L3 32 MiB".into())),
            isa: isa.name().into(),
            threads,
            os: format!("{} {} {}", std::env::consts::OS, std::env::consts::ARCH, kernel.trim()).trim_end().into(),
        }
    }
}

/// The load average of the last minute.
pub(crate) fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

impl Build {
    /// This program.
    pub(crate) fn here() -> Build {
        Build {
            eltwise: env!("CARGO_PKG_VERSION").into(),
            rustc: env!("ELTWISE_RUSTC").into(),
            flags: env!("ELTWISE_RUSTFLAGS").into(),
            profile: env!("ELTWISE_PROFILE").into(),
        }
    }
}

/// The row of a case: its time beside the limit of the level where its operands lie.
pub(crate) fn timed(bound: &Bound, time: Summary, limits: &Limits, levels: &Levels, threads: usize) -> Timed {
    let case = &bound.case;
    let runs = matches!(case.what, What::Run | What::RunOnAll);
    let threads = bound.threads(threads);
    let (reads, writes) = if runs { bound.traffic() } else { (0, 0) };
    let level = runs.then(|| levels.of((reads + writes) as usize, threads));
    // The limits are those of loops over thousands of elements: beside them a call is all overhead.
    let limited = !case.name.starts_with("calls/");
    let limit = level.filter(|_| limited).and_then(|level| {
        let memory = limits.bandwidth(level, threads)?.ns(reads, writes);
        let peak = limits.peak(bound.float(), threads);
        let arithmetic = case.cost.zip(peak).map_or(0.0, |(cost, peak)| peak.ns(bound.elements(), cost));
        let by = if memory >= arithmetic { By::Memory } else { By::Arithmetic };
        Some(Limit { ns: memory.max(arithmetic), by })
    });
    Timed {
        name: case.name.clone(),
        expression: case.expression.clone(),
        threads,
        elements: bound.elements(),
        bytes: reads + writes,
        operations: case.cost.filter(|_| runs).map(|cost| u64::from(cost.operations()) * bound.elements()),
        level,
        time,
        limit,
    }
}
