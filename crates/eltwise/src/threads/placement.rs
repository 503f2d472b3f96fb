//! Wakes a thread on a CPU other than its waker's: [`Placement`].
//!
//! In a KVM guest, Linux takes CPUs that the host has halted for preempted. It therefore wakes a thread on the CPU of
//! its waker, where the thread waits for the rest of a time slice. So a sleeping thread is restricted to a different CPU
//! before it is woken, and may use all its CPUs again once it runs.

#[cfg(target_os = "linux")]
pub(crate) use linux::Placement;

#[cfg(target_os = "linux")]
mod linux {
    use core::mem::MaybeUninit;
    use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};
    use std::sync::{Mutex, PoisonError};

    use libc::{CPU_ISSET, CPU_SET, CPU_SETSIZE, cpu_set_t, pid_t};

    /// Where a thread may run.
    #[derive(Debug, Default)]
    pub(crate) struct Placement {
        /// The system's id of the thread; 0 before it runs.
        thread: AtomicI32,
        /// The process of the thread: in a forked child, the id is meaningless.
        process: AtomicU32,
        /// The CPUs that the thread may use otherwise, while it is restricted to one.
        usual: Mutex<Option<cpu_set_t>>,
    }

    impl Placement {
        /// Makes this the placement of the calling thread.
        pub(crate) fn set_to_this_thread(&self) {
            self.process.store(std::process::id(), Ordering::Relaxed);
            // SAFETY: it has no arguments.
            self.thread.store(unsafe { libc::gettid() }, Ordering::Release);
        }

        /// Restricts the thread, which sleeps, to a CPU other than the calling thread's. Threads with different
        /// numbers get different CPUs if there are enough. Does nothing if the system returns an error.
        pub(crate) fn move_off_this_cpu(&self, number: usize) {
            let thread = self.thread.load(Ordering::Acquire);
            if self.process.load(Ordering::Relaxed) != std::process::id() {
                return;
            }
            // SAFETY: it has no arguments.
            let here = unsafe { libc::sched_getcpu() };
            let (Some(usual), Ok(here), 1..) = (usable(thread), usize::try_from(here), thread) else { return };
            let other_cpus = cpus(&usual).filter(|&cpu| cpu != here).count();
            // Starting with the next CPU, so that the thread keeps its CPU as long as its waker does.
            let candidates = cpus(&usual).filter(|&cpu| cpu > here).chain(cpus(&usual).filter(|&cpu| cpu < here));
            let Some(cpu) = candidates.cycle().nth(number.checked_rem(other_cpus).unwrap_or(0)) else { return };
            let mut only = empty();
            // SAFETY: a CPU of a set is below the size of sets.
            unsafe { CPU_SET(cpu, &mut only) };
            if set(thread, &only) {
                *self.usual.lock().unwrap_or_else(PoisonError::into_inner) = Some(usual);
            }
        }

        /// Lets the thread, which calls this, use all its CPUs again.
        pub(crate) fn release(&self) {
            if let Some(usual) = self.usual.lock().unwrap_or_else(PoisonError::into_inner).take() {
                set(0, &usual);
            }
        }
    }

    fn empty() -> cpu_set_t {
        // SAFETY: all bits of a set may be 0.
        unsafe { MaybeUninit::zeroed().assume_init() }
    }

    /// The CPUs of a set.
    fn cpus(set: &cpu_set_t) -> impl Iterator<Item = usize> + Clone {
        // SAFETY: the numbers are below the size of sets.
        (0..CPU_SETSIZE as usize).filter(|&cpu| unsafe { CPU_ISSET(cpu, set) })
    }

    /// The CPUs that a thread may use.
    fn usable(thread: pid_t) -> Option<cpu_set_t> {
        let mut set = empty();
        // SAFETY: the set is writable for its size.
        let done = unsafe { libc::sched_getaffinity(thread, size_of_val(&set), &raw mut set) };
        (done == 0).then_some(set)
    }

    /// Sets the CPUs that a thread may use. Returns whether the system accepts them.
    fn set(thread: pid_t, cpus: &cpu_set_t) -> bool {
        // SAFETY: the set is readable for its size.
        unsafe { libc::sched_setaffinity(thread, size_of_val(cpus), &raw const *cpus) == 0 }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_thread_wakes_on_another_cpu_and_may_use_all_cpus_then() {
            let usual = usable(0).unwrap();
            if cpus(&usual).count() < 2 {
                eprintln!("SKIPPED: there is one CPU");
                return;
            }
            let placement = Placement::default();
            // There is no thread yet.
            placement.move_off_this_cpu(0);
            assert!(placement.usual.lock().unwrap().is_none());
            std::thread::scope(|scope| {
                let thread = scope.spawn(|| {
                    placement.set_to_this_thread();
                    std::thread::park();
                    let restricted = cpus(&usable(0).unwrap()).count();
                    placement.release();
                    (restricted, cpus(&usable(0).unwrap()).collect::<Vec<_>>())
                });
                while placement.thread.load(Ordering::Relaxed) == 0 {
                    std::thread::yield_now();
                }
                placement.move_off_this_cpu(3);
                thread.thread().unpark();
                let (restricted, released) = thread.join().unwrap();
                assert_eq!((restricted, released), (1, cpus(&usual).collect()));
            });
            placement.release();
            assert_eq!(cpus(&usable(0).unwrap()).count(), cpus(&usual).count());
        }
    }
}

/// Does nothing: on other systems, threads wake where the system chooses.
#[cfg(not(target_os = "linux"))]
#[derive(Debug, Default)]
pub(crate) struct Placement;

#[cfg(not(target_os = "linux"))]
impl Placement {
    pub(crate) fn set_to_this_thread(&self) {}
    pub(crate) fn move_off_this_cpu(&self, _: usize) {}
    pub(crate) fn release(&self) {}
}
