//! [`Team`]: an executor whose threads stay awake for a while after a run. Each thread runs the same task of every run.
//!
//! A sleeping thread takes 5 to 100 microseconds to wake, as long as a run over a megabyte; a thread that polls for
//! work begins at once. The runtimes of OpenMP do the same (a *team*, `OMP_WAIT_POLICY`). Each thread has a [`Slot`]
//! with its state:
//!
//! ```text
//!              post                take                      done
//! Idle, Asleep -----> Posted ----------------> Running ---------------------> Idle
//!                       | retract: not taken      | await: the caller sleeps
//!                       v                         v               done, wake
//!                     Idle                      Awaited ---------------------> Idle
//! ```

use core::any::Any;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle, Thread};
use std::time::Instant;

use eltwise_plan::tuning::{TEAM_AWAKE_NS, TEAM_TASK_NS};

use super::Executor;
use super::placement::Placement;

/// An executor that is the calling thread and `width - 1` threads that stay awake for a while after a run.
///
/// Task `i` runs on the same thread in every run, so that its share of an array stays in that core's cache. If a thread
/// has not begun its task when the calling thread has finished its own, the calling thread runs that task too. One run
/// at a time uses the threads; other runs, by another thread or inside a task, stay on the thread that called them.
/// After a `fork`, the child runs everything on the calling thread. Dropping a team ends its threads.
///
/// ```
/// use eltwise::{Array, Executor, Program, Team};
/// let team = Team::new(2)?;
/// assert_eq!(team.width(), 2);
/// let x = Array::from_slice(&vec![1.0f32; 100_000], [100_000])?;
/// let plan = Program::parse("x + 1", &[("x", x.dtype())])?.bind(&[x.layout()])?;
/// assert_eq!(plan.run_to_arrays(&team, &[x.view()])?[0].as_slice::<f32>()?[99_999], 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Team {
    slots: Arc<[Slot]>,
    threads: Vec<JoinHandle<()>>,
    /// How long the caller polls for the end of a thread's task before it sleeps.
    awake: Duration,
    /// When the team was made.
    created: Instant,
    /// Nanoseconds from [`Team::created`] until work was last offered while the threads slept.
    last_offer: AtomicU64,
    /// Whether a run is using the threads.
    busy: AtomicBool,
    /// The process that the threads belong to.
    process: u32,
}

impl Team {
    /// Nanoseconds of work that are worth a task for a thread that is awake. For a sleeping thread twice as many,
    /// unless there was other work within the time that threads stay awake: waking it then pays off for later runs.
    pub const MIN_TASK_NS: usize = TEAM_TASK_NS;
    /// How long a thread polls for work before it sleeps.
    const AWAKE: Duration = Duration::from_nanos(TEAM_AWAKE_NS);

    /// A team of the calling thread and `width - 1` threads (0 counts as 1) that stay awake for 200 microseconds after
    /// a run. If there are fewer CPUs than threads, they sleep at once.
    ///
    /// # Errors
    /// The system cannot create the threads.
    pub fn new(width: usize) -> std::io::Result<Team> {
        let cpus = thread::available_parallelism().map_or(1, Into::into);
        Team::awake_for(width, if width <= cpus { Team::AWAKE } else { Duration::ZERO })
    }

    /// As [`Team::new`], with threads that stay awake for `awake` after a run.
    ///
    /// # Errors
    /// The system cannot create the threads.
    pub fn awake_for(width: usize, awake: Duration) -> std::io::Result<Team> {
        let slots: Arc<[Slot]> = (1..width).map(|_| Slot::default()).collect();
        let (busy, process) = (AtomicBool::new(false), std::process::id());
        let threads = Vec::with_capacity(width.saturating_sub(1));
        let (created, last_offer) = (Instant::now(), AtomicU64::new(0));
        let mut team = Team { slots, threads, awake, created, last_offer, busy, process };
        for index in 0..team.slots.len() {
            let slots = Arc::clone(&team.slots);
            let thread = thread::Builder::new().name(format!("eltwise-{}", index + 1));
            team.threads.push(thread.spawn(move || slots[index].work(index + 1, awake))?);
        }
        Ok(team)
    }

    /// Whether work was also offered within the time that threads stay awake. Records that work is offered now.
    fn was_offered_recently(&self) -> bool {
        let now = self.created.elapsed();
        let before = self.last_offer.swap(now.as_nanos() as u64, Ordering::Relaxed);
        before != 0 && now.saturating_sub(Duration::from_nanos(before)) < self.awake
    }
}

impl Executor for Team {
    fn width(&self) -> usize {
        self.slots.len() + 1
    }

    fn min_task_ns(&self) -> usize {
        // All threads fall asleep at about the same time, so one is enough to check.
        let asleep = self.slots.first().is_some_and(|slot| slot.state.load(Ordering::Relaxed) == ASLEEP);
        if asleep && !self.was_offered_recently() { 2 * Team::MIN_TASK_NS } else { Team::MIN_TASK_NS }
    }

    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        let slots = &self.slots[..tasks.saturating_sub(1).min(self.slots.len())];
        if slots.is_empty() || self.busy.swap(true, Ordering::Acquire) {
            (0..tasks).for_each(f);
            return;
        }
        let job = Job {
            f,
            tasks,
            next: AtomicUsize::new(slots.len() + 1),
            panic: Mutex::new(None),
            caller: thread::current(),
        };
        for (number, (slot, thread)) in slots.iter().zip(&self.threads).enumerate() {
            slot.post(&job, number, thread.thread());
        }
        // Catches panics: no thread may have the job when this returns.
        let mut done = catch_unwind(AssertUnwindSafe(|| job.run(0)));
        for (slot, task) in slots.iter().zip(1..) {
            if !slot.retract() {
                slot.wait(self.awake);
            } else if done.is_ok() {
                done = catch_unwind(AssertUnwindSafe(|| f(task)));
            }
        }
        self.busy.store(false, Ordering::Release);
        let panic_of_thread = job.panic.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(panic) = done.err().or(panic_of_thread) {
            resume_unwind(panic);
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // A forked child: the threads belong to the parent process, and cannot be ended or joined here.
            self.threads.drain(..).for_each(core::mem::forget);
            return;
        }
        for (slot, thread) in self.slots.iter().zip(&self.threads) {
            slot.state.store(STOPPED, Ordering::Release);
            thread.thread().unpark();
        }
        for thread in self.threads.drain(..) {
            // Ignores the result: panics of tasks were caught, and the thread does nothing else.
            let _ = thread.join();
        }
    }
}

/// The work of one call of `parallel_for`, on the stack of its caller.
struct Job<'a> {
    f: &'a (dyn Fn(usize) + Sync),
    tasks: usize,
    /// The next task after the first one of each thread.
    next: AtomicUsize,
    /// The first panic of a task on another thread.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    caller: Thread,
}

impl Job<'_> {
    /// Runs the first task of a thread, then tasks that no thread has taken.
    fn run(&self, first: usize) {
        (self.f)(first);
        let next = || Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&task| task < self.tasks);
        core::iter::from_fn(next).for_each(self.f);
    }
}

/// No job.
const IDLE: u8 = 0;
/// No job, and the thread sleeps.
const ASLEEP: u8 = 1;
/// A job that the thread has not taken.
const POSTED: u8 = 2;
/// The thread runs the job.
const RUNNING: u8 = 3;
/// The thread runs the job, and the caller sleeps.
const AWAITED: u8 = 4;
/// The thread is to end.
const STOPPED: u8 = 5;

/// The state of a thread and its job. Aligned, so that threads share no cache lines.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Slot {
    state: AtomicU8,
    /// The job. Valid while the state is [`POSTED`], [`RUNNING`] or [`AWAITED`].
    job: AtomicPtr<Job<'static>>,
    placement: Placement,
}

impl Slot {
    /// Gives a job to the slot's thread. `number` is the thread's index.
    fn post(&self, job: &Job<'_>, number: usize, thread: &Thread) {
        if self.state.load(Ordering::Acquire) == ASLEEP {
            // The thread sleeps until the job is posted.
            self.placement.move_off_this_cpu(number);
        }
        self.job.store((&raw const *job).cast_mut().cast(), Ordering::Relaxed);
        if self.state.swap(POSTED, Ordering::AcqRel) == ASLEEP {
            thread.unpark();
        }
    }

    /// Takes the job back. Returns `false` if the thread runs it or is done.
    fn retract(&self) -> bool {
        self.state.compare_exchange(POSTED, IDLE, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Waits until the thread is done.
    fn wait(&self, awake: Duration) {
        self.poll(awake, |state| state != RUNNING);
        // Fails if the thread is done.
        let _ = self.state.compare_exchange(RUNNING, AWAITED, Ordering::AcqRel, Ordering::Acquire);
        while self.state.load(Ordering::Acquire) == AWAITED {
            thread::park();
        }
    }

    /// The main function of thread `number`.
    fn work(&self, number: usize, awake: Duration) {
        self.placement.set_to_this_thread();
        loop {
            self.poll(awake, |state| state != IDLE);
            let _ = self.state.compare_exchange(IDLE, ASLEEP, Ordering::AcqRel, Ordering::Acquire);
            if self.state.load(Ordering::Acquire) == ASLEEP {
                while self.state.load(Ordering::Acquire) == ASLEEP {
                    thread::park();
                }
                self.placement.release();
            }
            if self.state.compare_exchange(POSTED, RUNNING, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                // SAFETY: the caller that posted the job keeps it alive until the state is `IDLE` again.
                let job = unsafe { &*self.job.load(Ordering::Relaxed) };
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| job.run(number))) {
                    job.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
                }
                if self.state.compare_exchange(RUNNING, IDLE, Ordering::AcqRel, Ordering::Acquire).is_err() {
                    let caller = job.caller.clone();
                    self.state.store(IDLE, Ordering::Release);
                    caller.unpark();
                }
            } else if self.state.load(Ordering::Acquire) == STOPPED {
                return;
            }
        }
    }

    /// Polls the state until `is_expected` accepts it, for at most `time`.
    #[inline]
    fn poll(&self, time: Duration, is_expected: impl Fn(u8) -> bool) {
        let mut start = None;
        loop {
            for _ in 0..32 {
                if is_expected(self.state.load(Ordering::Acquire)) {
                    return;
                }
                core::hint::spin_loop();
            }
            if start.get_or_insert_with(Instant::now).elapsed() >= time {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of calls of each task.
    fn calls(team: &Team, tasks: usize) -> Vec<usize> {
        let calls: Vec<AtomicUsize> = (0..tasks).map(|_| AtomicUsize::new(0)).collect();
        team.parallel_for(tasks, &|task| {
            calls[task].fetch_add(1, Ordering::Relaxed);
        });
        calls.into_iter().map(AtomicUsize::into_inner).collect()
    }

    #[test]
    fn each_task_runs_once() {
        for (width, awake) in [(0, 0), (1, 0), (2, 0), (2, 50), (3, 1000), (9, 20)] {
            let team = Team::awake_for(width, Duration::from_micros(awake)).unwrap();
            assert_eq!(team.width(), width.max(1));
            for round in 0..300 {
                let tasks = [0, 1, 2, 3, 8, 40][round % 6];
                assert_eq!(calls(&team, tasks), vec![1; tasks], "{width} threads, {tasks} tasks, round {round}");
                if round % 50 == 0 {
                    // Long enough for the threads to fall asleep.
                    thread::sleep(Duration::from_millis(2));
                }
            }
        }
    }

    #[test]
    fn work_that_follows_soon_is_worth_waking_a_thread_for() {
        const AWAKE: Duration = Duration::from_millis(500);
        let is_asleep = |team: &Team| {
            while team.slots[0].state.load(Ordering::Acquire) != ASLEEP {
                thread::sleep(Duration::from_millis(1));
            }
        };
        let team = Team::awake_for(2, AWAKE).unwrap();
        is_asleep(&team);
        // The first work, and work long after other work, must be larger to wake the thread.
        assert_eq!([team.min_task_ns(), team.min_task_ns()], [2 * Team::MIN_TASK_NS, Team::MIN_TASK_NS]);
        thread::sleep(AWAKE);
        assert_eq!([team.min_task_ns(), team.min_task_ns()], [2 * Team::MIN_TASK_NS, Team::MIN_TASK_NS]);
        // Threads that are never awake cost the same each time.
        let team = Team::awake_for(2, Duration::ZERO).unwrap();
        is_asleep(&team);
        assert_eq!([team.min_task_ns(), team.min_task_ns()], [2 * Team::MIN_TASK_NS; 2]);
    }

    #[test]
    fn a_task_stays_on_its_thread() {
        let team = Team::awake_for(2, Duration::from_secs(5)).unwrap();
        let threads = Mutex::new([None; 2]);
        for _ in 0..20 {
            // Both tasks begin before either ends.
            let begun = AtomicUsize::new(0);
            team.parallel_for(2, &|task| {
                begun.fetch_add(1, Ordering::AcqRel);
                while begun.load(Ordering::Acquire) < 2 {
                    thread::yield_now();
                }
                let here = thread::current().id();
                assert_eq!(*threads.lock().unwrap()[task].get_or_insert(here), here, "task {task}");
            });
        }
        assert_eq!(threads.lock().unwrap()[0], Some(thread::current().id()));
    }

    #[test]
    fn a_caller_that_sleeps_wakes_when_the_thread_is_done() {
        let team = Team::awake_for(2, Duration::ZERO).unwrap();
        for _ in 0..3 {
            let begun = AtomicBool::new(false);
            let ended = AtomicBool::new(false);
            team.parallel_for(2, &|task| {
                if task == 0 {
                    while !begun.load(Ordering::Acquire) {
                        thread::yield_now();
                    }
                } else {
                    begun.store(true, Ordering::Release);
                    thread::sleep(Duration::from_millis(20));
                    ended.store(true, Ordering::Release);
                }
            });
            assert!(ended.into_inner());
        }
    }

    #[test]
    fn several_callers_and_calls_inside_tasks_run_each_task_once() {
        let team = Team::new(3).unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for tasks in 0..50 {
                        assert_eq!(calls(&team, tasks), vec![1; tasks]);
                    }
                });
            }
        });
        let inner = AtomicUsize::new(0);
        team.parallel_for(3, &|_| {
            inner.fetch_add(calls(&team, 5).iter().sum(), Ordering::Relaxed);
        });
        assert_eq!(inner.into_inner(), 15);
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_team_still_works() {
        let team = Team::new(3).unwrap();
        for bad in 0..6 {
            let caught = catch_unwind(AssertUnwindSafe(|| {
                team.parallel_for(6, &|task| assert_ne!(task, bad, "a task's own"));
            }));
            let message = caught.unwrap_err();
            assert!(message.downcast_ref::<String>().unwrap().contains("a task's own"), "task {bad}");
            assert_eq!(calls(&team, 6), [1; 6]);
        }
    }
}
