//! `eltwise bench`: the limits of a machine, and how near the library comes to them.
//!
//! | question | module |
//! |---|---|
//! | which options are there? | [`args`] |
//! | how large is a level of the memory? | [`level`] |
//! | what can the machine do? | [`limits`], by the loops of [`loops`] and [`stream`], over vectors of [`float`] |
//! | what is timed? | [`cases`], each a [`case`](mod@case) |
//! | is its result right? | [`check`], over the operands of [`values`] |
//! | how is it timed? | [`measure`], in an [`arena`], with the [`stats`] of rounds |
//! | what is a run, and where is it saved? | [`record`], [`store`] |
//! | is it slower than a saved one? | [`compare`] |
//! | how is it written? | [`table`], [`formats`], [`html`] |

mod arena;
pub(crate) mod args;
mod case;
mod cases;
mod check;
mod compare;
mod float;
mod formats;
mod html;
mod level;
mod limits;
mod loops;
mod measure;
mod record;
mod stats;
mod store;
mod stream;
mod table;
mod values;

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use eltwise::Isa;
use indicatif::{ProgressBar, ProgressStyle};

use crate::error::{CliError, Result};
use crate::report::{Report, aside};
use crate::threads::cpus;

use self::arena::Arena;
use self::case::Bound;
use self::compare::{Against, Compared, Verdict};
use self::level::Levels;
use self::limits::Limits;
use self::measure::{Bench, Effort};
use self::record::{Build, Machine, Record};
use self::store::Store;

/// The exit code when a case is slower than the saved one.
pub(crate) const REGRESSED: u8 = 3;

/// The pauses, each before a case that looks slower is measured again: other programs come and go within seconds, a slower
/// library stays.
const SECOND_LOOKS: [Duration; 4] =
    [Duration::ZERO, Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4)];

/// Rounds of a measurement of limits, and the time of a loop in each. The same in second looks: the best of fewer rounds is a
/// lower limit, which would excuse cases.
const LIMITS: (usize, Duration) = (10, Duration::from_millis(8));
const LIMITS_QUICK: (usize, Duration) = (2, Duration::from_micros(300));

/// Measures, prints, saves, compares; the exit code: 0, or [`REGRESSED`].
pub(crate) fn run(args: &args::Bench, report: &mut Report) -> Result<u8> {
    let isa = args.isa.map_or_else(Isa::current, |isa| isa.lowered().min(Isa::current()));
    let threads = args.threads.map_or_else(cpus, usize::from);
    let levels = Levels::found(args.quick);
    let cases = chosen(args, isa, &levels, threads)?;
    if args.list {
        cases.iter().for_each(|bound| report.line(&bound.case.name));
        return Ok(0);
    }
    // Before anything is measured: what cannot be compared or written needs no two minutes to say so.
    let store = Store::new(args.dir.as_deref())?;
    let saved = match args.against.as_deref() {
        Some(name) => Some((name, store.load(name)?)),
        None => None,
    };
    let nothing = saved.as_ref().and_then(|(name, saved)| compare::nothing_in_common(name, saved, &cases, threads));
    if let Some(why) = nothing {
        return Err(CliError::Argument(why));
    }
    let files = [&args.json, &args.html].into_iter().flatten().filter(|path| path.as_os_str() != "-");
    for path in files {
        fs::OpenOptions::new().append(true).create(true).open(path).map_err(|e| CliError::io(path, &e))?;
    }
    let load = record::load();
    if let Some(load) = load.filter(|load| *load > 0.5 * cpus() as f64) {
        aside(format_args!(
            "warning: the load of this machine is {load}: other programs run, and their work is in the times"
        ));
    }
    if cfg!(debug_assertions) {
        aside("warning: this program was built without optimisation; its times say nothing");
    }
    let mut bench = Bench {
        isa,
        arena: Arena::new(room(&cases, &levels, threads)?)?,
        pool: pool(threads)?,
        effort: if args.quick { Effort::QUICK } else { Effort::FULL },
    };

    let (rounds, turn) = if args.quick { LIMITS_QUICK } else { LIMITS };
    let bar = bar("limits", rounds);
    let limits = Limits::measure((isa, threads), (rounds, turn), &levels, &mut bench.arena, &|| bar.inc(1));
    bar.finish_and_clear();
    let mut record = Record {
        schema: record::SCHEMA.into(),
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        machine: Machine::here(isa, threads, &levels),
        build: Build::here(),
        load,
        quick: args.quick,
        limits,
        cases: Vec::new(),
    };
    let printed = args.json.as_deref() != Some(Path::new("-"));
    if printed {
        table::limits(&record, report);
    }

    let all: Vec<&Bound> = cases.iter().collect();
    let bar = self::bar("cases", bench.effort.rounds);
    let times = bench.measure(&all, &|| bar.inc(1))?;
    bar.finish_and_clear();
    let row = |bound, time| record::timed(bound, time, &record.limits, &levels, threads);
    record.cases = cases.iter().zip(times).map(|(bound, time)| row(bound, time)).collect();
    let compared = match &saved {
        Some((_, saved)) => {
            let machine = (&levels, threads);
            Some(compare(saved, &mut record, &cases, args.threshold / 100.0, (&mut bench, machine))?)
        }
        None => None,
    };

    if printed {
        table::cases(&record, report);
    }
    let against = saved.as_ref().zip(compared.as_ref()).map(|((name, saved), cases)| {
        let warnings = compare::circumstances(saved, &record);
        for name in compare::gone(saved, &record.cases).into_iter().filter(|name| args.takes(name)) {
            aside(format_args!("warning: the saved case {name:?} was not measured now"));
        }
        Against { name, threshold: args.threshold, cases, warnings }
    });
    if let Some(against) = &against {
        for warning in &against.warnings {
            aside(format_args!("warning: the runs are not of the same kind: {warning}"));
        }
        if printed {
            table::comparison(&record, against, report);
        }
    }
    write(args, &record, against.as_ref(), &store, report)?;
    let slower = compared.iter().flatten().any(|c| c.verdict == Verdict::Slower);
    Ok(if slower { REGRESSED } else { 0 })
}

impl args::Bench {
    /// Whether a case was asked for.
    fn takes(&self, name: &str) -> bool {
        self.filter.is_empty() || self.filter.iter().any(|text| name.contains(text.as_str()))
    }
}

/// The cases that were asked for, planned.
fn chosen(args: &args::Bench, isa: Isa, levels: &Levels, threads: usize) -> Result<Vec<Bound>> {
    let mut cases = cases::all(levels, threads, args.quick)?;
    cases.retain(|case| args.takes(&case.name));
    if cases.is_empty() {
        let filter = args.filter.join("\" or \"");
        return Err(CliError::Argument(format!("no case has \"{filter}\" in its name; --list shows the names")));
    }
    cases.into_iter().map(|case| case.bind(isa)).collect()
}

/// Bytes for the operands of any case and of the limits' loops.
fn room(cases: &[Bound], levels: &Levels, threads: usize) -> Result<usize> {
    let mut most = levels.largest().max(levels.working_set(level::Level::L2).unwrap_or(0) * threads);
    for bound in cases {
        most = most.max(bound.sizes()?.iter().sum());
    }
    // Operands begin at pages, and each thread of a loop has three.
    Ok(most + threads * 3 * (16 << 10))
}

fn pool(threads: usize) -> Result<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| CliError::Argument(format!("no {threads} threads: {e}")))
}

/// Compares, after cases that look slower were measured again, and the limits beside them: a time that comes once is no
/// regression, nor is one that the machine needs itself.
fn compare(
    saved: &Record,
    record: &mut Record,
    cases: &[Bound],
    threshold: f64,
    (bench, (levels, threads)): (&mut Bench, (&Levels, usize)),
) -> Result<Vec<Compared>> {
    for pause in SECOND_LOOKS {
        let compared = compare::cases(saved, &record.cases, threshold);
        let slower: Vec<usize> = (0..cases.len()).filter(|&k| compared[k].verdict == Verdict::Slower).collect();
        if slower.is_empty() {
            return Ok(compared);
        }
        if !record.quick {
            std::thread::sleep(pause);
        }
        let effort = if record.quick { LIMITS_QUICK } else { LIMITS };
        let limits = Limits::measure((bench.isa, threads), effort, levels, &mut bench.arena, &|| ());
        let bar = bar("again", bench.effort.rounds);
        let again: Vec<&Bound> = slower.iter().map(|&k| &cases[k]).collect();
        for (k, time) in slower.into_iter().zip(bench.measure(&again, &|| bar.inc(1))?) {
            let again = record::timed(&cases[k], time, &limits, levels, threads);
            record.cases[k] = record.cases[k].clone().quieter(again);
        }
        bar.finish_and_clear();
    }
    Ok(compare::cases(saved, &record.cases, threshold))
}

/// Writes what was asked for.
fn write(
    args: &args::Bench,
    record: &Record,
    against: Option<&Against<'_>>,
    store: &Store,
    report: &mut Report,
) -> Result<()> {
    if let Some(path) = &args.json {
        let text = formats::text(record, args.format);
        if path == Path::new("-") {
            report.line(text.trim_end());
        } else {
            fs::write(path, text).map_err(|e| CliError::io(path, &e))?;
        }
    }
    if let Some(path) = &args.html {
        fs::write(path, html::page(record, against)).map_err(|e| CliError::io(path, &e))?;
    }
    if let Some(name) = &args.save {
        let path = store.save(name, record)?;
        if args.json.as_deref() != Some(Path::new("-")) {
            report.line(format_args!("\nsaved as {}", path.display()));
        }
    }
    Ok(())
}

/// A bar of rounds, on a terminal.
fn bar(what: &'static str, rounds: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix:8} {bar:40} {percent:>3}%  {elapsed}, {eta} left");
    let style = style.unwrap_or(ProgressStyle::default_bar());
    ProgressBar::new(rounds as u64).with_style(style).with_prefix(what)
}
