//! The threads of one run, and the progress of a long one.

use std::io::IsTerminal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use eltwise::Executor;
use indicatif::{ProgressBar, ProgressStyle};

use crate::files::map::Pages;

/// A run that is over sooner shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// The CPUs that this process may use.
pub(crate) fn cpus() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Runs tasks on this thread and on threads made for the run.
pub(crate) struct Threads<'a> {
    threads: usize,
    /// Tasks to ask for: more than threads, so that a long run can tell how far it is.
    width: usize,
    bar: Bar,
    pages: Vec<Pages<'a>>,
}

impl<'a> Threads<'a> {
    /// An executor of `threads` threads that cuts the work into pieces for `width`.
    pub(crate) fn new(threads: usize, width: usize) -> Threads<'a> {
        Threads { threads: threads.max(1), width: width.max(threads), bar: Bar::default(), pages: Vec::new() }
    }

    /// Gives memory back behind the run: after each task these pages leave the process until they are touched again.
    pub(crate) fn release_behind(&mut self, pages: Vec<Pages<'a>>) {
        self.pages = pages;
    }

    /// How many threads run so many tasks.
    pub(crate) fn used(&self, tasks: usize) -> usize {
        self.threads.min(tasks).max(1)
    }

    /// Removes the progress bar.
    pub(crate) fn finish(self) {
        if let Some(Some(bar)) = self.bar.shown.get() {
            bar.finish_and_clear();
        }
    }
}

impl Executor for Threads<'_> {
    fn width(&self) -> usize {
        self.width
    }

    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        let started = Instant::now();
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if task >= tasks {
                    break;
                }
                f(task);
                self.pages.iter().for_each(Pages::release);
                self.bar.step(started, tasks);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.used(tasks) {
                // A thread that cannot be made is no loss: the others take its tasks.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
    }
}

/// How many tasks are done; drawn on a terminal when the run takes longer than a second.
#[derive(Default)]
struct Bar {
    done: AtomicUsize,
    shown: OnceLock<Option<ProgressBar>>,
}

impl Bar {
    fn step(&self, started: Instant, tasks: usize) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if started.elapsed() > PATIENCE
            && let Some(bar) = self.shown.get_or_init(|| std::io::stderr().is_terminal().then(|| draw(tasks, started)))
        {
            bar.set_position(done as u64);
        }
    }
}

fn draw(tasks: usize, started: Instant) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:40} {percent:>3}%  {elapsed}").unwrap_or(ProgressStyle::default_bar());
    ProgressBar::new(tasks as u64).with_style(style).with_elapsed(started.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_runs_once() {
        for threads in [1, 2, 5] {
            for tasks in [0, 1, 4, 100] {
                let seen: Vec<AtomicUsize> = (0..tasks).map(|_| AtomicUsize::new(0)).collect();
                Threads::new(threads, 1).parallel_for(tasks, &|i| {
                    seen[i].fetch_add(1, Ordering::Relaxed);
                });
                assert!(seen.iter().all(|n| n.load(Ordering::Relaxed) == 1), "{threads} threads, {tasks} tasks");
            }
        }
    }
}
