//! The CPU that a thread wakes on: not the one of the thread that wakes it.
//!
//! A guest of KVM takes CPUs that its host has halted for preempted, so Linux wakes a thread on the CPU of its waker, where it waits for the
//! rest of a time slice. A thread that is to work beside its waker is told another CPU while it wakes, and may go anywhere then.

#[cfg(target_os = "linux")]
pub(crate) use linux::Placement;

#[cfg(target_os = "linux")]
mod linux {
    use core::mem::MaybeUninit;
    use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};
    use std::sync::{Mutex, PoisonError};

    use libc::{CPU_ISSET, CPU_SET, CPU_SETSIZE, cpu_set_t, pid_t};

    /// What is known of a thread.
    #[derive(Debug, Default)]
    pub(crate) struct Placement {
        /// The system's number of the thread; 0 before it runs.
        thread: AtomicI32,
        /// The process that has it: the number means nothing to a child.
        process: AtomicU32,
        /// The CPUs that the thread may use, while it is told one.
        usual: Mutex<Option<cpu_set_t>>,
    }

    impl Placement {
        /// The calling thread is the one.
        pub(crate) fn is_here(&self) {
            self.process.store(std::process::id(), Ordering::Relaxed);
            // SAFETY: it takes nothing.
            self.thread.store(unsafe { libc::gettid() }, Ordering::Release);
        }

        /// The thread, which sleeps, wakes on another CPU than this one: threads of different `number` on different ones,
        /// where there are enough. Without a word where the system allows nothing.
        pub(crate) fn apart(&self, number: usize) {
            let thread = self.thread.load(Ordering::Acquire);
            if self.process.load(Ordering::Relaxed) != std::process::id() {
                return;
            }
            // SAFETY: it takes nothing.
            let here = unsafe { libc::sched_getcpu() };
            let (Some(usual), Ok(here), 1..) = (usable(thread), usize::try_from(here), thread) else { return };
            let others: usize = cpus(&usual).filter(|&cpu| cpu != here).count();
            // From the next one on, so that one stays where it was if its waker does.
            let after = cpus(&usual).filter(|&cpu| cpu > here).chain(cpus(&usual).filter(|&cpu| cpu < here));
            let Some(cpu) = after.cycle().nth(number.checked_rem(others).unwrap_or(0)) else { return };
            let mut one = empty();
            // SAFETY: a CPU of a set is below the size of sets.
            unsafe { CPU_SET(cpu, &mut one) };
            if set(thread, &one) {
                *self.usual.lock().unwrap_or_else(PoisonError::into_inner) = Some(usual);
            }
        }

        /// The thread, which calls this, may use any CPU again.
        pub(crate) fn anywhere(&self) {
            if let Some(usual) = self.usual.lock().unwrap_or_else(PoisonError::into_inner).take() {
                set(0, &usual);
            }
        }
    }

    fn empty() -> cpu_set_t {
        // SAFETY: a set is bits, of which none is set.
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

    /// Says which CPUs a thread may use.
    fn set(thread: pid_t, cpus: &cpu_set_t) -> bool {
        // SAFETY: the set is readable for its size.
        unsafe { libc::sched_setaffinity(thread, size_of_val(cpus), &raw const *cpus) == 0 }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_thread_wakes_apart_and_goes_anywhere_then() {
            let usual = usable(0).unwrap();
            if cpus(&usual).count() < 2 {
                eprintln!("SKIPPED: there is one CPU");
                return;
            }
            let placement = Placement::default();
            // Nobody is there.
            placement.apart(0);
            assert!(placement.usual.lock().unwrap().is_none());
            std::thread::scope(|scope| {
                let thread = scope.spawn(|| {
                    placement.is_here();
                    std::thread::park();
                    let told: Vec<usize> = cpus(&usable(0).unwrap()).collect();
                    placement.anywhere();
                    (told, cpus(&usable(0).unwrap()).collect::<Vec<_>>())
                });
                while placement.thread.load(Ordering::Relaxed) == 0 {
                    std::thread::yield_now();
                }
                placement.apart(3);
                thread.thread().unpark();
                let (told, then) = thread.join().unwrap();
                assert_eq!((told.len(), then), (1, cpus(&usual).collect()));
            });
            placement.anywhere();
            assert_eq!(cpus(&usable(0).unwrap()).count(), cpus(&usual).count());
        }
    }
}

/// Other systems place threads as they like.
#[cfg(not(target_os = "linux"))]
#[derive(Debug, Default)]
pub(crate) struct Placement;

#[cfg(not(target_os = "linux"))]
impl Placement {
    pub(crate) fn is_here(&self) {}
    pub(crate) fn apart(&self, _: usize) {}
    pub(crate) fn anywhere(&self) {}
}
