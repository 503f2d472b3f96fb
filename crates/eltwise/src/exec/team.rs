//! Threads that stay awake for a while after a run, each of which does the same share of the next.
//!
//! A thread that sleeps takes 5 to 100 microseconds to wake, as much as a run over a megabyte; one that looks for work all the time
//! begins at once. OpenMP's runtimes wait so (a *team*, `OMP_WAIT_POLICY`). A slot for each thread says what it does:
//!
//! ```text
//!              post                take                      done
//! Idle, Asleep -----> Posted ----------------> Running ---------------------> Idle
//!                       | retract: nobody came    | await: the caller sleeps
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

use super::placement::Placement;
use crate::executor::Executor;

/// An executor with threads of its own, which stay awake for a while after a run: the calling thread and `width - 1` others.
///
/// Task `i` goes to the same thread in every run, so that a share of an array stays in that core's cache. A thread that
/// sleeps too long is not waited for: the calling thread does its task. One run has the threads at a time; what is run
/// meanwhile, by another thread or by a task, stays on its own thread. After a `fork` the child does all work on
/// the calling thread. Dropping a team ends its threads.
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
    /// How long the caller looks for a thread's end before it sleeps.
    awake: Duration,
    /// When the team was made, and the nanoseconds from then until work was last offered while the threads slept.
    made: Instant,
    offered: AtomicU64,
    /// Whether a run has the threads.
    busy: AtomicBool,
    /// The process that has the threads.
    process: u32,
}

impl Team {
    /// Nanoseconds of work that are worth a task for a thread that is awake; twice as many for one that sleeps, which is woken in
    /// hope of more to come. Work that comes again within the time that threads stay awake is such more.
    pub const TASK: usize = 5_000;
    /// How long a thread looks for work before it sleeps: the time that waking it would take, at its longest.
    const AWAKE: Duration = Duration::from_micros(200);

    /// A team of the calling thread and `width - 1` others (0 counts as 1), awake for 200 microseconds after a run; not at all
    /// where there are fewer CPUs than threads.
    ///
    /// # Errors
    /// The system gives no more threads.
    pub fn new(width: usize) -> std::io::Result<Team> {
        let cpus = thread::available_parallelism().map_or(1, Into::into);
        Team::awake_for(width, if width <= cpus { Team::AWAKE } else { Duration::ZERO })
    }

    /// The same, awake for `awake` after a run.
    ///
    /// # Errors
    /// The system gives no more threads.
    pub fn awake_for(width: usize, awake: Duration) -> std::io::Result<Team> {
        let slots: Arc<[Slot]> = (1..width).map(|_| Slot::default()).collect();
        let (busy, process) = (AtomicBool::new(false), std::process::id());
        let threads = Vec::with_capacity(width.saturating_sub(1));
        let (made, offered) = (Instant::now(), AtomicU64::new(0));
        let mut team = Team { slots, threads, awake, made, offered, busy, process };
        for index in 0..team.slots.len() {
            let slots = Arc::clone(&team.slots);
            let thread = thread::Builder::new().name(format!("eltwise-{}", index + 1));
            team.threads.push(thread.spawn(move || slots[index].work(index + 1, awake))?);
        }
        Ok(team)
    }

    /// Whether work was offered not longer ago than threads stay awake; notes that it is offered now.
    fn is_offered_again(&self) -> bool {
        let now = self.made.elapsed();
        let before = self.offered.swap(now.as_nanos() as u64, Ordering::Relaxed);
        before != 0 && now.saturating_sub(Duration::from_nanos(before)) < self.awake
    }
}

impl Executor for Team {
    fn width(&self) -> usize {
        self.slots.len() + 1
    }

    fn least_task(&self) -> usize {
        // One thread is asked for all: they fall asleep together.
        let asleep = self.slots.first().is_some_and(|slot| slot.state.load(Ordering::Relaxed) == ASLEEP);
        if asleep && !self.is_offered_again() { 2 * Team::TASK } else { Team::TASK }
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
        // No thread has the job when this returns, whatever panics.
        let mut done = catch_unwind(AssertUnwindSafe(|| job.run(0)));
        for (slot, task) in slots.iter().zip(1..) {
            if !slot.retract() {
                slot.wait(self.awake);
            } else if done.is_ok() {
                done = catch_unwind(AssertUnwindSafe(|| f(task)));
            }
        }
        self.busy.store(false, Ordering::Release);
        let others = job.panic.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(panic) = done.err().or(others) {
            resume_unwind(panic);
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // The threads are the parent process's: there is nothing to end, or to let go of.
            self.threads.drain(..).for_each(core::mem::forget);
            return;
        }
        for (slot, thread) in self.slots.iter().zip(&self.threads) {
            slot.state.store(STOPPED, Ordering::Release);
            thread.thread().unpark();
        }
        for thread in self.threads.drain(..) {
            // Panics of tasks were caught, and there is nothing else in a thread.
            let _ = thread.join();
        }
    }
}

/// What a run does: on the stack of its caller.
struct Job<'a> {
    f: &'a (dyn Fn(usize) + Sync),
    tasks: usize,
    /// The next task that is no thread's own.
    next: AtomicUsize,
    /// The panic of a thread's task.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    caller: Thread,
}

impl Job<'_> {
    /// Runs a thread's own task, and what is left of those that are nobody's.
    fn run(&self, own: usize) {
        (self.f)(own);
        let next = || Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&task| task < self.tasks);
        core::iter::from_fn(next).for_each(self.f);
    }
}

/// There is no work.
const IDLE: u8 = 0;
/// There is none, and the thread sleeps.
const ASLEEP: u8 = 1;
/// There is a job.
const POSTED: u8 = 2;
/// The thread has it.
const RUNNING: u8 = 3;
/// The thread has it, and its caller sleeps.
const AWAITED: u8 = 4;
/// The thread ends.
const STOPPED: u8 = 5;

/// Where a thread finds its work; on cache lines of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Slot {
    state: AtomicU8,
    /// The job, valid from [`POSTED`] until the state is [`IDLE`] again.
    job: AtomicPtr<Job<'static>>,
    placement: Placement,
}

impl Slot {
    /// Gives a job to the slot's thread, the one of this number.
    fn post(&self, job: &Job<'_>, number: usize, thread: &Thread) {
        if self.state.load(Ordering::Acquire) == ASLEEP {
            // Until the job is posted it sleeps on.
            self.placement.apart(number);
        }
        self.job.store((&raw const *job).cast_mut().cast(), Ordering::Relaxed);
        if self.state.swap(POSTED, Ordering::AcqRel) == ASLEEP {
            thread.unpark();
        }
    }

    /// Takes the job back; `false`: the thread has it, or is done.
    fn retract(&self) -> bool {
        self.state.compare_exchange(POSTED, IDLE, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Waits until the thread is done.
    fn wait(&self, awake: Duration) {
        self.look(awake, |state| state != RUNNING);
        // It fails where the thread is done.
        let _ = self.state.compare_exchange(RUNNING, AWAITED, Ordering::AcqRel, Ordering::Acquire);
        while self.state.load(Ordering::Acquire) == AWAITED {
            thread::park();
        }
    }

    /// The life of thread `number`.
    fn work(&self, number: usize, awake: Duration) {
        self.placement.is_here();
        loop {
            self.look(awake, |state| state != IDLE);
            let _ = self.state.compare_exchange(IDLE, ASLEEP, Ordering::AcqRel, Ordering::Acquire);
            if self.state.load(Ordering::Acquire) == ASLEEP {
                while self.state.load(Ordering::Acquire) == ASLEEP {
                    thread::park();
                }
                self.placement.anywhere();
            }
            if self.state.compare_exchange(POSTED, RUNNING, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                // SAFETY: whoever posted the job does not return before the state is `IDLE` again.
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

    /// Looks at the state until it is as wished, at most for `time`.
    #[inline]
    fn look(&self, time: Duration, is_wished: impl Fn(u8) -> bool) {
        let mut begin = None;
        loop {
            for _ in 0..32 {
                if is_wished(self.state.load(Ordering::Acquire)) {
                    return;
                }
                core::hint::spin_loop();
            }
            if begin.get_or_insert_with(Instant::now).elapsed() >= time {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each task of a run was called.
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
                    // Threads fall asleep.
                    thread::sleep(Duration::from_millis(2));
                }
            }
        }
    }

    #[test]
    fn work_that_comes_again_soon_is_worth_waking_for() {
        const AWAKE: Duration = Duration::from_millis(500);
        let is_asleep = |team: &Team| {
            while team.slots[0].state.load(Ordering::Acquire) != ASLEEP {
                thread::sleep(Duration::from_millis(1));
            }
        };
        let team = Team::awake_for(2, AWAKE).unwrap();
        is_asleep(&team);
        // The thread is not woken for the first, nor for what comes long after.
        assert_eq!([team.least_task(), team.least_task()], [2 * Team::TASK, Team::TASK]);
        thread::sleep(AWAKE);
        assert_eq!([team.least_task(), team.least_task()], [2 * Team::TASK, Team::TASK]);
        // Threads that are never awake are dear each time.
        let team = Team::awake_for(2, Duration::ZERO).unwrap();
        is_asleep(&team);
        assert_eq!([team.least_task(), team.least_task()], [2 * Team::TASK; 2]);
    }

    #[test]
    fn a_task_stays_on_its_thread() {
        let team = Team::awake_for(2, Duration::from_secs(5)).unwrap();
        let place = Mutex::new([None; 2]);
        for _ in 0..20 {
            // Both begin before either ends.
            let begun = AtomicUsize::new(0);
            team.parallel_for(2, &|task| {
                begun.fetch_add(1, Ordering::AcqRel);
                while begun.load(Ordering::Acquire) < 2 {
                    thread::yield_now();
                }
                let here = thread::current().id();
                assert_eq!(*place.lock().unwrap()[task].get_or_insert(here), here, "task {task}");
            });
        }
        assert_eq!(place.lock().unwrap()[0], Some(thread::current().id()));
    }

    #[test]
    fn a_caller_sleeps_while_a_thread_works() {
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
    fn several_callers_and_tasks_that_call() {
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
    fn a_panic_reaches_the_caller_and_the_team_works_on() {
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
