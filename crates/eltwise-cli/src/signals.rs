//! What ends a run from outside: Ctrl-C, a termination, a terminal that is closed, a limit on the length of files.

#[cfg(unix)]
pub(crate) use unix::{ends_by, limits_are_errors};

#[cfg(unix)]
mod unix {
    use std::ptr;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, mpsc};
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    /// Does `clean` when the process is told to end, and ends it, with the code that a shell gives for the signal.
    ///
    /// Signals that the process was started to ignore, as by `nohup` and by shells in the background, stay ignored.
    pub(crate) fn ends_by(clean: impl Fn() + Send + 'static) {
        let wanted: Vec<i32> = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)).collect();
        let (ready, is_ready) = mpsc::channel();
        // Signals are taken only once there is a thread to act on them: without one they end the process as always.
        let thread = thread::Builder::new().spawn(move || {
            let Ok(mut signals) = Signals::new(wanted) else { return };
            let _ = ready.send(());
            if let Some(signal) = signals.forever().next() {
                clean();
                std::process::exit(128 + signal);
            }
        });
        if thread.is_ok() {
            // An error means that the thread took no signals.
            let _ = is_ready.recv();
        }
    }

    /// Whether the process takes no notice of a signal.
    fn is_ignored(signal: i32) -> bool {
        let mut now = std::mem::MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: without a new action the call changes nothing; it writes the old one, or fails and writes nothing.
        unsafe {
            libc::sigaction(signal, ptr::null(), now.as_mut_ptr()) == 0
                && now.assume_init().sa_sigaction == libc::SIG_IGN
        }
    }

    /// A file that grows past a limit is an error where it is written. Without this the process ends there and then.
    pub(crate) fn limits_are_errors() {
        // An error means that the signal cannot be taken; the limit then ends the process, as always.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}

/// Does `clean` when the user presses Ctrl-C, and ends the process.
#[cfg(not(unix))]
pub(crate) fn ends_by(clean: impl Fn() + Send + 'static) {
    /// As of Ctrl-C in a shell.
    const INTERRUPTED: i32 = 130;
    // An error means that there is a handler already.
    let _ = ctrlc::set_handler(move || {
        clean();
        std::process::exit(INTERRUPTED);
    });
}

/// There are no such limits here.
#[cfg(not(unix))]
pub(crate) fn limits_are_errors() {}
