//! The package's threads: one team per process ([`Threads`]), created when a run first needs it, and again in a forked
//! process. Here too: `set_num_threads`, `get_num_threads` and `ELTWISE_NUM_THREADS`.

use std::cell::Cell;
use std::ffi::CString;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use eltwise::{Executor, Team};
use pyo3::exceptions::{PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;

/// The number of threads to use, including the calling thread; 0 until it is first needed.
static WIDTH: AtomicUsize = AtomicUsize::new(0);

/// The team, and the id of the process that it belongs to. Locked only while the GIL is held, so a `fork` by
/// another thread of Python never copies it locked.
static TEAM: Mutex<Option<(u32, Arc<Team>)>> = Mutex::new(None);

/// The threads that a run may use.
pub(crate) enum Threads {
    /// The calling thread only.
    Caller,
    /// The calling thread and those of a team.
    Team(Arc<Team>),
}

impl Threads {
    /// The threads for a run that is not inline. If the system can start no threads, the calling thread does everything,
    /// and `get_num_threads` returns 1 from then on.
    pub(crate) fn for_run() -> Threads {
        let width = width();
        if width <= 1 {
            return Threads::Caller;
        }
        let mut team = TEAM.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if let Some((owner, team)) = &*team
            && (*owner, team.width()) == (process, width)
        {
            return Threads::Team(Arc::clone(team));
        }
        let Ok(new) = Team::new(width) else {
            WIDTH.store(1, Ordering::Relaxed);
            return Threads::Caller;
        };
        let new = Arc::new(new);
        // The old team ends when no run uses it any more. The threads of a parent process's team do not exist here.
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

    fn min_task_ns(&self) -> usize {
        match self {
            Threads::Caller => usize::MAX,
            Threads::Team(team) => team.min_task_ns(),
        }
    }

    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        match self {
            Threads::Caller => (0..tasks).for_each(f),
            Threads::Team(team) => team.parallel_for(tasks, f),
        }
    }
}

/// The number of threads to use, including the calling thread. The caller holds the GIL.
pub(crate) fn width() -> usize {
    let width = match WIDTH.load(Ordering::Relaxed) {
        0 => initial_width(),
        width => width,
    };
    width.min(LIMIT.get())
}

thread_local! {
    /// The most threads that calls of this thread use.
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Sets the most threads that calls of this thread use, and returns what it was; 0 is no limit. For tasks of dask.
#[pyfunction]
pub(crate) fn _limit_threads(n: usize) -> usize {
    let before = LIMIT.replace(if n == 0 { usize::MAX } else { n });
    if before == usize::MAX { 0 } else { before }
}

/// The number of threads in the environment variables, else one per CPU that the process may use.
#[cold]
fn initial_width() -> usize {
    let read = |variable: &str| std::env::var_os(variable).unwrap_or_default().to_string_lossy().into_owned();
    let number = |text: &str| text.trim().parse().ok().filter(|n| (1..=MAX_THREADS).contains(n));
    let text = read(VARIABLE);
    let requested = number(&text);
    // A list has a number for each level of nesting. Other programs judge a value that is wrong.
    let of_openmp = || read(OPENMP_VARIABLE).split(',').next().and_then(number);
    let width =
        requested.or_else(of_openmp).unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
    // Store before the warning: a warning hook may call into the package. If several threads get here, one warns.
    let is_first = WIDTH.compare_exchange(0, width, Ordering::Relaxed, Ordering::Relaxed).is_ok();
    if is_first && requested.is_none() && !text.trim().is_empty() {
        warn_ignored(&text, width);
    }
    width
}

/// Warns that the value of the environment variable is ignored.
fn warn_ignored(text: &str, width: usize) {
    let message = format!("{VARIABLE}={text:?}, expected 1 to {MAX_THREADS}; using {width}");
    Python::attach(|py| {
        let warned = CString::new(message).map_err(PyErr::from).and_then(|message| {
            let category = py.get_type::<PyRuntimeWarning>();
            PyErr::warn(py, &category, &message, 1)
        });
        // A filter turned the warning into an error, which no call can raise: print it.
        if let Err(error) = warned {
            error.write_unraisable(py, None);
        }
    });
}

/// The environment variable with the initial number of threads.
const VARIABLE: &str = "ELTWISE_NUM_THREADS";

/// The variable of OpenMP, which dask and others set for all libraries. It counts if the other one is not set or invalid.
const OPENMP_VARIABLE: &str = "OMP_NUM_THREADS";

/// More threads than any machine can use: a larger number is a typing error.
const MAX_THREADS: usize = 1024;

/// Sets the number of threads that calls may use.
///
/// Small work stays on the calling thread. Results do not depend on the number of threads.
///
/// Parameters
/// ----------
/// n : int
///     1 to 1024, including the calling thread; 1 keeps all work on the calling thread. The initial value is the
///     environment variable ELTWISE_NUM_THREADS, else OMP_NUM_THREADS, else the number of CPUs that the process may use. An
///     invalid value of ELTWISE_NUM_THREADS is ignored with a RuntimeWarning.
///
/// Raises
/// ------
/// ValueError
///     n is out of range.
#[pyfunction]
#[pyo3(text_signature = "(n)")]
pub(crate) fn set_num_threads(n: i64) -> PyResult<()> {
    match usize::try_from(n) {
        Ok(width @ 1..=MAX_THREADS) => {
            WIDTH.store(width, Ordering::Relaxed);
            Ok(())
        }
        _ => Err(PyValueError::new_err(format!("set_num_threads: {n}, expected 1 to {MAX_THREADS}"))),
    }
}

/// The largest number of threads that a call may use, including the calling thread. See `eltwise.set_num_threads`.
#[pyfunction]
#[pyo3(text_signature = "()")]
pub(crate) fn get_num_threads() -> usize {
    width()
}
