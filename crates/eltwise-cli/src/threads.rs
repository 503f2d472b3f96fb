//! The worker threads of `eltwise eval` and its progress bar. The main type is [`Threads`].

use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::error::Result;

/// A run shows its progress bar after this time.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);

/// The number of CPUs that this process may use.
pub(crate) fn cpus() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Runs numbered tasks on the calling thread and on threads that live as long as the run.
pub(crate) struct Threads {
    threads: usize,
    /// The bytes that all tasks read and write, for the progress bar.
    bytes: u64,
}

/// The state of one thread during a run.
pub(crate) trait Worker: Send {
    /// Runs the task with this number.
    fn task(&mut self, number: usize) -> Result<()>;
}

impl Threads {
    /// At most `threads` threads, for tasks that read and write `bytes` bytes in total.
    pub(crate) fn new(threads: usize, bytes: u64) -> Threads {
        Threads { threads: threads.max(1), bytes }
    }

    /// Runs each of the tasks `0..tasks` once and returns the workers. Each thread makes its own worker.
    ///
    /// # Errors
    /// The first error of a worker. No task starts after it.
    pub(crate) fn run<W: Worker>(&self, tasks: usize, worker: impl Fn() -> Result<W> + Sync) -> Result<Vec<W>> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Ok(Vec::new()));
        let bar = Progress::new(tasks, self.bytes);
        let work = || {
            let run_tasks = || {
                let mut worker = worker()?;
                loop {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= tasks {
                        return Ok(worker);
                    }
                    worker.task(task)?;
                    bar.step();
                }
            };
            let result = run_tasks();
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            match (result, done.as_mut()) {
                (Ok(worker), Ok(workers)) => workers.push(worker),
                (Err(e), Ok(_)) => {
                    next.store(tasks, Ordering::Relaxed);
                    *done = Err(e);
                }
                (_, Err(_)) => {}
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads.min(tasks) {
                // If a thread cannot start, the other threads run its tasks.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        bar.finish();
        done.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The progress bar, drawn if standard error is a terminal and the run takes longer than [`PROGRESS_DELAY`].
struct Progress {
    done: AtomicUsize,
    tasks: usize,
    bytes: u64,
    started: Instant,
    shown: OnceLock<Option<ProgressBar>>,
}

impl Progress {
    fn new(tasks: usize, bytes: u64) -> Progress {
        Progress { done: AtomicUsize::new(0), tasks, bytes, started: Instant::now(), shown: OnceLock::new() }
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.started.elapsed() > PROGRESS_DELAY
            && let Some(bar) = self.shown.get_or_init(|| std::io::stderr().is_terminal().then(|| self.draw()))
        {
            bar.set_position((self.bytes as f64 * done as f64 / self.tasks as f64) as u64);
        }
    }

    fn draw(&self) -> ProgressBar {
        let style =
            ProgressStyle::with_template("{bar:40} {percent:>3}%  {decimal_bytes_per_sec}  {elapsed}, {eta} left");
        ProgressBar::new(self.bytes)
            .with_style(style.unwrap_or(ProgressStyle::default_bar()))
            .with_elapsed(self.started.elapsed())
    }

    fn finish(&self) {
        if let Some(Some(bar)) = self.shown.get() {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::CliError;

    struct Count<'a>(&'a [AtomicUsize], Option<usize>);

    impl Worker for Count<'_> {
        fn task(&mut self, number: usize) -> Result<()> {
            self.0[number].fetch_add(1, Ordering::Relaxed);
            if self.1 == Some(number) { Err(CliError::Argument(format!("task {number}"))) } else { Ok(()) }
        }
    }

    #[test]
    fn every_task_runs_once() {
        for threads in [1, 2, 5] {
            for tasks in [0, 1, 4, 100] {
                let seen: Vec<AtomicUsize> = (0..tasks).map(|_| AtomicUsize::new(0)).collect();
                let workers = Threads::new(threads, 1).run(tasks, || Ok(Count(&seen, None))).unwrap();
                assert!(seen.iter().all(|n| n.load(Ordering::Relaxed) == 1), "{threads} threads, {tasks} tasks");
                assert!((1..=threads.min(tasks).max(1)).contains(&workers.len()));
            }
        }
    }

    #[test]
    fn no_task_starts_after_an_error() {
        for threads in [1, 3] {
            let seen: Vec<AtomicUsize> = (0..10_000).map(|_| AtomicUsize::new(0)).collect();
            let error = Threads::new(threads, 1).run(seen.len(), || Ok(Count(&seen, Some(7)))).err().unwrap();
            assert_eq!(error.to_string(), "task 7");
            assert!(threads > 1 || seen.iter().map(|n| n.load(Ordering::Relaxed)).sum::<usize>() == 8);
        }
    }
}
