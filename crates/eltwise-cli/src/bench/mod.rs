//! `eltwise bench`: measures the limits of the machine, and how close the library comes to them on a fixed set of cases.
//! The entry point is [`run`].
//!
//! | module | contents |
//! |---|---|
//! | [`args`] | options |
//! | [`memory_level`] | cache sizes, and the working sets for each level of the memory |
//! | [`limits`] | memory bandwidth and arithmetic rates of the machine |
//! | [`limit_loops`], [`traffic`], [`stream`], [`simd_float`] | the loops that measure them, with regular and with non-temporal stores, generic over f32 and f64 |
//! | [`cases`], [`case`](mod@case) | the set of cases; one case and its plan |
//! | [`operand_values`], [`check`] | values of operands; the check of a result before it is timed |
//! | [`measure`], [`arena`], [`stats`] | timing of cases, the memory of their operands, medians and quantiles |
//! | [`record`], [`saved_runs`] | the data of a run, and where runs are saved |
//! | [`compare`] | verdicts against a saved run |
//! | [`table`], [`json_formats`], [`html`] | output |

mod arena;
pub(crate) mod args;
mod case;
mod cases;
mod check;
mod compare;
mod html;
mod json_formats;
mod limit_loops;
mod limits;
mod measure;
mod memory_level;
mod operand_values;
mod record;
mod saved_runs;
mod simd_float;
mod stats;
mod stream;
mod table;
mod traffic;

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use eltwise::Isa;
use indicatif::{ProgressBar, ProgressStyle};

use crate::error::{CliError, Result};
use crate::report::{Report, stderr_line};
use crate::threads::cpus;

use self::arena::Arena;
use self::case::PlannedCase;
use self::compare::{CaseComparison, Comparison, Verdict};
use self::limits::{LimitEffort, Limits, Setup};
use self::measure::{CaseTimer, Effort};
use self::memory_level::{MemoryLevel, MemoryLevels};
use self::record::{Build, Machine, Record};
use self::saved_runs::SavedRuns;

/// The exit code if a case is slower than in the saved run.
pub(crate) const REGRESSED: u8 = 3;

/// The pause before each repetition of cases that look slower. Other programs come and go within seconds; a regression of the
/// library stays.
const REPEAT_PAUSES: [Duration; 4] =
    [Duration::ZERO, Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4)];

/// Runs the subcommand. Returns the exit code: 0 or [`REGRESSED`].
pub(crate) fn run(args: &args::Bench, report: &mut Report) -> Result<u8> {
    let isa = args.isa.map_or_else(Isa::current, |isa| isa.lowered().min(Isa::current()));
    let threads = args.threads.map_or_else(cpus, usize::from);
    let levels = MemoryLevels::detect(args.quick);
    let setup = Setup { isa, threads, levels: &levels };
    let cases = select_cases(args, setup)?;
    if args.list {
        cases.iter().for_each(|planned| report.line(&planned.case.name));
        return Ok(0);
    }
    // Errors in the arguments are reported here, before the measurements.
    let runs = SavedRuns::new(args.dir.as_deref())?;
    let saved = load_saved(args, &runs, &cases, threads)?;
    create_output_files(args)?;

    let load = record::load();
    warn_if_disturbed(load);
    let mut timer = CaseTimer {
        isa,
        arena: Arena::new(arena_bytes(&cases, setup)?)?,
        pool: pool(threads)?,
        effort: if args.quick { Effort::QUICK } else { Effort::FULL },
    };
    let mut record = measure_limits(args, setup, load, &mut timer.arena);
    if args.prints_table() {
        table::limits(&record, report);
    }
    measure_cases(&mut record, &cases, setup, &mut timer)?;
    let comparisons = match &saved {
        Some((_, saved)) => {
            Some(compare_and_repeat(saved, &mut record, &cases, args.threshold / 100.0, &mut timer, setup)?)
        }
        None => None,
    };

    if args.prints_table() {
        table::cases(&record, report);
    }
    let comparison = saved.as_ref().zip(comparisons.as_ref()).map(|((name, saved), cases)| {
        let warnings = compare::environment_differences(saved, &record);
        for name in compare::missing_cases(saved, &record.cases).into_iter().filter(|name| args.selects(name)) {
            stderr_line(format_args!("warning: the saved case {name:?} was not measured now"));
        }
        Comparison { name, threshold: args.threshold, cases, warnings }
    });
    if let Some(comparison) = &comparison {
        for warning in &comparison.warnings {
            stderr_line(format_args!("warning: the runs differ: {warning}"));
        }
        if args.prints_table() {
            table::comparison(&record, comparison, report);
        }
    }
    write_outputs(args, &record, comparison.as_ref(), &runs, report)?;
    let regressed = comparisons.iter().flatten().any(|c| c.verdict == Verdict::Slower);
    Ok(if regressed { REGRESSED } else { 0 })
}

impl args::Bench {
    /// Whether the filters select a case with this name.
    fn selects(&self, name: &str) -> bool {
        self.filter.is_empty() || self.filter.iter().any(|text| name.contains(text.as_str()))
    }

    /// Whether tables are printed: not if JSON goes to standard output.
    fn prints_table(&self) -> bool {
        self.json.as_deref() != Some(Path::new("-"))
    }
}

/// The selected cases, planned.
///
/// # Errors
/// Filters that select no case.
fn select_cases(args: &args::Bench, setup: Setup<'_>) -> Result<Vec<PlannedCase>> {
    let mut cases = cases::all(setup.levels, setup.threads, args.quick)?;
    cases.retain(|case| args.selects(&case.name));
    if cases.is_empty() {
        let filter = args.filter.join("\" or \"");
        return Err(CliError::Argument(format!("no case has \"{filter}\" in its name; --list shows the names")));
    }
    cases.into_iter().map(|case| case.bind(setup.isa)).collect()
}

/// The saved run of `--against`, with its name.
///
/// # Errors
/// A run that cannot be read, or that has none of the selected cases.
fn load_saved<'a>(
    args: &'a args::Bench,
    runs: &SavedRuns,
    cases: &[PlannedCase],
    threads: usize,
) -> Result<Option<(&'a str, Record)>> {
    let Some(name) = args.against.as_deref() else { return Ok(None) };
    let saved = runs.load(name)?;
    match compare::no_common_case(name, &saved, cases, threads) {
        Some(why) => Err(CliError::Argument(why)),
        None => Ok(Some((name, saved))),
    }
}

/// Creates the files of `--json` and `--html`, so that a path that cannot be written is an error now.
fn create_output_files(args: &args::Bench) -> Result<()> {
    let files = [&args.json, &args.html].into_iter().flatten().filter(|path| path.as_os_str() != "-");
    for path in files {
        fs::OpenOptions::new().append(true).create(true).open(path).map_err(|e| CliError::io(path, &e))?;
    }
    Ok(())
}

fn warn_if_disturbed(load: Option<f64>) {
    if let Some(load) = load.filter(|load| *load > 0.5 * cpus() as f64) {
        stderr_line(format_args!(
            "warning: the load average is {load}: other programs are running and distort the times"
        ));
    }
    if cfg!(debug_assertions) {
        stderr_line("warning: this binary was built without optimisation; its times are meaningless");
    }
}

/// Bytes for the operands of any case and of the loops that measure the limits.
fn arena_bytes(cases: &[PlannedCase], setup: Setup<'_>) -> Result<usize> {
    let Setup { threads, levels, .. } = setup;
    let mut bytes = levels.largest().max(levels.working_set(MemoryLevel::L2).unwrap_or(0) * threads);
    for planned in cases {
        bytes = bytes.max(planned.sizes()?.iter().sum());
    }
    // Each operand starts at a page. Each thread of a loop has three arrays.
    Ok(bytes + threads * 3 * (16 << 10))
}

fn pool(threads: usize) -> Result<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| CliError::Argument(format!("no {threads} threads: {e}")))
}

/// Measures the limits of the machine. Returns the record of the run, without cases.
fn measure_limits(args: &args::Bench, setup: Setup<'_>, load: Option<f64>, arena: &mut Arena) -> Record {
    let effort = LimitEffort::new(args.quick);
    let bar = progress_bar("limits", effort.rounds);
    let limits = Limits::measure(setup, effort, arena, &|| bar.inc(1));
    bar.finish_and_clear();
    Record {
        schema: record::SCHEMA.into(),
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        machine: Machine::detect(setup),
        build: Build::current(),
        load,
        quick: args.quick,
        limits,
        cases: Vec::new(),
    }
}

/// Measures the cases and adds them to the record.
fn measure_cases(record: &mut Record, cases: &[PlannedCase], setup: Setup<'_>, timer: &mut CaseTimer) -> Result<()> {
    let all: Vec<&PlannedCase> = cases.iter().collect();
    let bar = progress_bar("cases", timer.effort.rounds);
    let times = timer.measure(&all, &|| bar.inc(1))?;
    bar.finish_and_clear();
    let result = |(planned, time)| record::case_result(planned, time, &record.limits, setup);
    record.cases = cases.iter().zip(times).map(result).collect();
    Ok(())
}

/// Compares the record with a saved run. Cases that look slower are measured again, with the limits, up to four times; the
/// better measurement counts. A single slow measurement is no regression, nor is one that the machine itself explains.
fn compare_and_repeat(
    saved: &Record,
    record: &mut Record,
    cases: &[PlannedCase],
    threshold: f64,
    timer: &mut CaseTimer,
    setup: Setup<'_>,
) -> Result<Vec<CaseComparison>> {
    for pause in REPEAT_PAUSES {
        let comparisons = compare::cases(saved, &record.cases, threshold);
        let slower: Vec<usize> = (0..cases.len()).filter(|&k| comparisons[k].verdict == Verdict::Slower).collect();
        if slower.is_empty() {
            return Ok(comparisons);
        }
        if !record.quick {
            std::thread::sleep(pause);
        }
        // As many rounds as before: the best of fewer rounds is a lower limit, which would excuse slow cases.
        let limits = Limits::measure(setup, LimitEffort::new(record.quick), &mut timer.arena, &|| ());
        let bar = progress_bar("repeat", timer.effort.rounds);
        let repeated: Vec<&PlannedCase> = slower.iter().map(|&k| &cases[k]).collect();
        for (k, time) in slower.into_iter().zip(timer.measure(&repeated, &|| bar.inc(1))?) {
            let result = record::case_result(&cases[k], time, &limits, setup);
            record.cases[k] = record.cases[k].clone().less_disturbed(result);
        }
        bar.finish_and_clear();
    }
    Ok(compare::cases(saved, &record.cases, threshold))
}

/// Writes the JSON, the HTML page and the saved run that the options ask for.
fn write_outputs(
    args: &args::Bench,
    record: &Record,
    comparison: Option<&Comparison<'_>>,
    runs: &SavedRuns,
    report: &mut Report,
) -> Result<()> {
    if let Some(path) = &args.json {
        let text = json_formats::text(record, args.format);
        if path == Path::new("-") {
            report.line(text.trim_end());
        } else {
            fs::write(path, text).map_err(|e| CliError::io(path, &e))?;
        }
    }
    if let Some(path) = &args.html {
        fs::write(path, html::page(record, comparison)).map_err(|e| CliError::io(path, &e))?;
    }
    if let Some(name) = &args.save {
        let path = runs.save(name, record)?;
        if args.prints_table() {
            report.line(format_args!("\nsaved as {}", path.display()));
        }
    }
    Ok(())
}

/// A progress bar of rounds, drawn if standard error is a terminal.
fn progress_bar(prefix: &'static str, rounds: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix:8} {bar:40} {percent:>3}%  {elapsed}, {eta} left");
    let style = style.unwrap_or(ProgressStyle::default_bar());
    ProgressBar::new(rounds as u64).with_style(style).with_prefix(prefix)
}
