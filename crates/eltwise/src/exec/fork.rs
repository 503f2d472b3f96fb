//! Processes made by `fork` have one thread: the pools that they inherit have none.

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, Ordering};

/// Whether this process was forked off after it [watched](watch) for that.
static IS_CHILD: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// In a child, whether this is the thread that forked and was a worker of a pool, whose other threads are gone.
    static WAS_WORKER: Cell<bool> = const { Cell::new(false) };
}

/// Asks to be told of forks, once.
///
/// No lock: a child forked off while another thread asks would find it held for ever.
#[cfg(unix)]
#[inline]
fn watch() {
    static WATCHES: AtomicBool = AtomicBool::new(false);
    if !WATCHES.load(Ordering::Relaxed) && !WATCHES.swap(true, Ordering::Relaxed) {
        ask();
    }
}

#[cfg(unix)]
#[cold]
fn ask() {
    extern "C" fn in_child() {
        // Nothing here takes a lock or allocates: other threads may have held any lock.
        IS_CHILD.store(true, Ordering::Relaxed);
        let _ = WAS_WORKER.try_with(|was| was.set(rayon::current_thread_index().is_some()));
    }
    // SAFETY: the handler may run after a fork; it stays as long as the process. Without room for it, children of
    // this process are not told apart, as if this were not here.
    let _ = unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
}

#[cfg(not(unix))]
fn watch() {}

/// Whether the rayon pool that this thread would use is that of a parent process, and has no threads here.
#[inline]
pub(crate) fn is_without_pool() -> bool {
    watch();
    IS_CHILD.load(Ordering::Relaxed) && (rayon::current_thread_index().is_none() || WAS_WORKER.get())
}
