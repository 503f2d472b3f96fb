//! The data of a run: machine, build, limits, and a result for each case. `--save` writes it and `--json` prints it. The main
//! type is [`Record`].

use serde::{Deserialize, Serialize};

use crate::cpu;

use super::case::{Action, PlannedCase};
use super::limits::{Limits, Setup};
use super::memory_level::MemoryLevel;
use super::stats::Summary;

/// The version of the file format. A file with a different version is an error.
pub(crate) const SCHEMA: &str = "eltwise-bench-1";

/// The data of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) schema: String,
    /// The time in UTC, to the second.
    pub(crate) date: String,
    pub(crate) machine: Machine,
    pub(crate) build: Build,
    /// The load average of the minute before the run, if the system reports it.
    pub(crate) load: Option<f64>,
    /// Whether it was measured with `--quick`.
    pub(crate) quick: bool,
    pub(crate) limits: Limits,
    pub(crate) cases: Vec<CaseResult>,
}

/// The machine of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) caches: String,
    pub(crate) isa: String,
    pub(crate) threads: usize,
    pub(crate) os: String,
}

/// The build of a run: version, compiler and flags.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Build {
    pub(crate) eltwise: String,
    pub(crate) rustc: String,
    pub(crate) flags: String,
    pub(crate) profile: String,
}

/// The result of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CaseResult {
    pub(crate) name: String,
    pub(crate) expression: String,
    pub(crate) threads: usize,
    /// Elements of the result.
    pub(crate) elements: u64,
    /// Bytes read and written, each element once; 0 for cases of binding and parsing.
    pub(crate) bytes: u64,
    /// Arithmetic operations of a run, if they can be counted; a fused multiply-add counts as two.
    pub(crate) operations: Option<u64>,
    /// The level of the operands; `None` for cases of binding and parsing.
    pub(crate) level: Option<MemoryLevel>,
    /// Nanoseconds per run.
    pub(crate) time: Summary,
    pub(crate) limit: Option<Limit>,
}

/// The least time that the machine needs for a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Limit {
    pub(crate) ns: f64,
    pub(crate) by: LimitedBy,
}

/// The resource that sets a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LimitedBy {
    Memory,
    Arithmetic,
}

impl CaseResult {
    /// The time of the limit divided by the measured time: 1 is as fast as the machine allows.
    pub(crate) fn fraction(&self) -> Option<f64> {
        self.limit.as_ref().map(|limit| limit.ns / self.time.median)
    }

    /// The less disturbed one of two measurements of the same case: the one with the lower median, relative to its limit if it
    /// has one.
    pub(crate) fn less_disturbed(self, other: CaseResult) -> CaseResult {
        let relative_time = |case: &CaseResult| case.time.median / case.limit.as_ref().map_or(1.0, |limit| limit.ns);
        if relative_time(&other) < relative_time(&self) { other } else { self }
    }

    /// The group: the part of the name before the first `/`.
    pub(crate) fn group(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }

    /// The rate in GB/s.
    pub(crate) fn gb_per_second(&self) -> f64 {
        self.bytes as f64 / self.time.median
    }
}

impl Machine {
    /// This machine, as used by a run.
    pub(crate) fn detect(setup: Setup<'_>) -> Machine {
        let Setup { isa, threads, levels } = setup;
        let guess = if levels.known { "" } else { " (assumed)" };
        let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Machine {
            cpu: cpu::cpu_name().unwrap_or_else(|| "unknown".into()),
            caches: format!("{}{guess}", cpu::caches().unwrap_or_else(|| "L1d 32 KiB, L2 1 MiB, L3 32 MiB".into())),
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
    /// The running program.
    pub(crate) fn current() -> Build {
        Build {
            eltwise: env!("CARGO_PKG_VERSION").into(),
            rustc: env!("ELTWISE_RUSTC").into(),
            flags: env!("ELTWISE_RUSTFLAGS").into(),
            profile: env!("ELTWISE_PROFILE").into(),
        }
    }
}

/// The result of a case: its time, and the limit of the machine for the level that holds its operands.
pub(crate) fn case_result(planned: &PlannedCase, time: Summary, limits: &Limits, setup: Setup<'_>) -> CaseResult {
    let Setup { threads, levels, .. } = setup;
    let case = &planned.case;
    let runs = matches!(case.action, Action::Run | Action::RunOnAll);
    let threads = planned.threads(threads);
    let (reads, writes) = if runs { planned.traffic() } else { (0, 0) };
    let level = runs.then(|| levels.level_of((reads + writes) as usize, threads));
    // The loops of the limits run over thousands of elements. Calls on few elements are mostly overhead, so they have no limit.
    let limited = !case.name.starts_with("calls/");
    let limit = level.filter(|_| limited).and_then(|level| {
        let memory = limits.bandwidth(level, threads)?.ns(reads, writes);
        let peak = limits.peak(planned.float(), threads);
        let arithmetic = case.cost.zip(peak).map_or(0.0, |(cost, peak)| peak.ns(planned.elements(), cost));
        let by = if memory >= arithmetic { LimitedBy::Memory } else { LimitedBy::Arithmetic };
        Some(Limit { ns: memory.max(arithmetic), by })
    });
    CaseResult {
        name: case.name.clone(),
        expression: case.expression.clone(),
        threads,
        elements: planned.elements(),
        bytes: reads + writes,
        operations: case.cost.filter(|_| runs).map(|cost| u64::from(cost.operations()) * planned.elements()),
        level,
        time,
        limit,
    }
}
