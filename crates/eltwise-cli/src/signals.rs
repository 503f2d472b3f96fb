//! Signals: cleanup on Ctrl-C, termination and hang-up, and the file size limit as an I/O error.

#[cfg(unix)]
pub(crate) use unix::{ignore_file_size_signal, on_termination};

#[cfg(unix)]
mod unix {
    use std::ptr;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, mpsc};
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    /// Calls `clean` on SIGINT, SIGTERM or SIGHUP, then exits with the code that shells use: 128 plus the signal.
    ///
    /// Signals that the process inherited as ignored stay ignored, for example SIGHUP under `nohup`.
    pub(crate) fn on_termination(clean: impl Fn() + Send + 'static) {
        let signals: Vec<i32> = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)).collect();
        let (ready, is_ready) = mpsc::channel();
        // The handlers are installed by the thread that acts on them. If the thread cannot start, the signals keep
        // their default action.
        let thread = thread::Builder::new().spawn(move || {
            let Ok(mut signals) = Signals::new(signals) else { return };
            let _ = ready.send(());
            if let Some(signal) = signals.forever().next() {
                clean();
                std::process::exit(128 + signal);
            }
        });
        if thread.is_ok() {
            // An error means that the thread could not install the handlers.
            let _ = is_ready.recv();
        }
    }

    /// Whether the process ignores `signal`.
    fn is_ignored(signal: i32) -> bool {
        let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: a null new action makes sigaction change nothing. It writes the current action to `action`, which has
        // room for it, and returns 0; `action` is read only then.
        unsafe {
            libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) == 0
                && action.assume_init().sa_sigaction == libc::SIG_IGN
        }
    }

    /// Makes a write past the file size limit (`ulimit -f`) an I/O error. By default SIGXFSZ kills the process.
    pub(crate) fn ignore_file_size_signal() {
        // If the handler cannot be installed, the default action remains.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}

/// Calls `clean` when the user presses Ctrl-C, then exits.
#[cfg(not(unix))]
pub(crate) fn on_termination(clean: impl Fn() + Send + 'static) {
    /// The exit code that shells report for Ctrl-C.
    const INTERRUPTED: i32 = 130;
    // An error means that a handler is already installed.
    let _ = ctrlc::set_handler(move || {
        clean();
        std::process::exit(INTERRUPTED);
    });
}

/// Does nothing: only Unix has file size limits.
#[cfg(not(unix))]
pub(crate) fn ignore_file_size_signal() {}
