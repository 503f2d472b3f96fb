//! The package's own threads: a team of this process, made when work is first shared, and again after a `fork`.

use std::ffi::CString;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use eltwise::{Executor, Team};
use pyo3::exceptions::{PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;

/// How many threads work at a time, the caller's among them; 0 until it was asked for.
static WIDTH: AtomicUsize = AtomicUsize::new(0);

/// The threads of a process. Looked at with Python's lock held, so no `fork` finds it locked.
static TEAM: Mutex<Option<(u32, Arc<Team>)>> = Mutex::new(None);

/// The threads that a run may use.
pub(crate) enum Threads {
    /// The caller's.
    Caller,
    /// The caller's and those of a team.
    Team(Arc<Team>),
}

impl Threads {
    /// The threads for a run of so many nanoseconds. Where the system gives none, the caller's, and `get_num_threads` is 1.
    pub(crate) fn new(ns: usize) -> Threads {
        let width = width();
        if width <= 1 || ns < 2 * Team::TASK {
            return Threads::Caller;
        }
        let mut team = TEAM.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if let Some((of, team)) = &*team
            && (*of, team.width()) == (process, width)
        {
            return Threads::Team(Arc::clone(team));
        }
        // An old one ends once no run has it; that of a parent process has no threads here.
        let Ok(new) = Team::new(width) else {
            // No more threads to be had: the caller does it all, from now on.
            WIDTH.store(1, Ordering::Relaxed);
            return Threads::Caller;
        };
        let new = Arc::new(new);
        *team = Some((process, Arc::clone(&new)));
        Threads::Team(new)
    }
}

impl Executor for Threads {
    fn width(&self) -> usize {
        match self {
            Threads::Caller => 1,
            Threads::Team(team) => team.width(),
        }
    }

    fn least_task(&self) -> usize {
        match self {
            Threads::Caller => usize::MAX,
            Threads::Team(team) => team.least_task(),
        }
    }

    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        match self {
            Threads::Caller => (0..tasks).for_each(f),
            Threads::Team(team) => team.parallel_for(tasks, f),
        }
    }
}

/// How many threads work at a time. Called with Python's lock held.
pub(crate) fn width() -> usize {
    match WIDTH.load(Ordering::Relaxed) {
        0 => start_width(),
        width => width,
    }
}

/// The threads that the environment asks for, else one for each CPU.
#[cold]
fn start_width() -> usize {
    let text = std::env::var_os(VARIABLE).unwrap_or_default();
    let text = text.to_string_lossy();
    let wanted = text.trim().parse().ok().filter(|n| (1..=MOST_THREADS).contains(n));
    let width = wanted.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
    // Before the warning: what it calls may come here again. Of several threads, one warns.
    let first = WIDTH.compare_exchange(0, width, Ordering::Relaxed, Ordering::Relaxed).is_ok();
    if first && wanted.is_none() && !text.trim().is_empty() {
        ignored(&text, width);
    }
    width
}

/// Warns that the environment's number of threads is none.
fn ignored(text: &str, width: usize) {
    let message = format!("{VARIABLE}={text:?}, expected 1 to {MOST_THREADS}; using {width}");
    Python::attach(|py| {
        let warned = CString::new(message).map_err(PyErr::from).and_then(|message| {
            let category = py.get_type::<PyRuntimeWarning>();
            PyErr::warn(py, &category, &message, 1)
        });
        // Where warnings are errors: there is no call that could fail for it.
        if let Err(error) = warned {
            error.write_unraisable(py, None);
        }
    });
}

/// The environment's number of threads.
const VARIABLE: &str = "ELTWISE_NUM_THREADS";

/// More threads than any machine has use for; a typing error above it is an error.
const MOST_THREADS: usize = 1024;

/// Uses at most `n` threads from now on, the caller's among them; 1 keeps all work on the calling thread.
///
/// The start value is the environment variable ELTWISE_NUM_THREADS, else the number of CPUs that this process may use;
/// what is no such number there is a RuntimeWarning. Small work stays on one thread. Results do not depend on it.
#[pyfunction]
#[pyo3(text_signature = "(n)")]
pub(crate) fn set_num_threads(n: i64) -> PyResult<()> {
    match usize::try_from(n) {
        Ok(width @ 1..=MOST_THREADS) => {
            WIDTH.store(width, Ordering::Relaxed);
            Ok(())
        }
        _ => Err(PyValueError::new_err(format!("set_num_threads: {n}, expected 1 to {MOST_THREADS}"))),
    }
}

/// The most threads that a call uses.
#[pyfunction]
#[pyo3(text_signature = "()")]
pub(crate) fn get_num_threads() -> usize {
    width()
}
