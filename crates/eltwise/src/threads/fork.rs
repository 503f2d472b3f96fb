//! Detects forked processes. A child has one thread, and the rayon pools that it inherits have none:
//! [`is_without_pool`].

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, Ordering};

/// Whether this process is a child whose parent had called [`watch`].
static IS_CHILD: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// In a child: whether this thread forked while it was a worker of a pool, whose other threads do not exist here.
    static WAS_WORKER: Cell<bool> = const { Cell::new(false) };
}

/// Registers the fork handler, once per process.
///
/// Takes no lock: in a child that is forked while another thread holds it, it would be held forever.
#[cfg(unix)]
#[inline]
fn watch() {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    if !IS_REGISTERED.load(Ordering::Relaxed) && !IS_REGISTERED.swap(true, Ordering::Relaxed) {
        register();
    }
}

#[cfg(unix)]
#[cold]
fn register() {
    extern "C" fn in_child() {
        // Takes no lock and does not allocate: another thread of the parent may have held any lock.
        IS_CHILD.store(true, Ordering::Relaxed);
        let _ = WAS_WORKER.try_with(|was_worker| was_worker.set(rayon::current_thread_index().is_some()));
    }
    // SAFETY: the handler may run in a child after a fork, and exists as long as the process. If the system has no
    // memory for it, children of this process are not detected.
    let _ = unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
}

#[cfg(not(unix))]
fn watch() {}

/// Whether the rayon pool that this thread would use was made by a parent process, and has no threads in this one.
#[inline]
pub(crate) fn is_without_pool() -> bool {
    watch();
    IS_CHILD.load(Ordering::Relaxed) && (rayon::current_thread_index().is_none() || WAS_WORKER.get())
}
