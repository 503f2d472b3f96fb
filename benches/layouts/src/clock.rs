//! CPU time of this thread, see [`seconds`].
//!
//! A run computes on one thread and never blocks, so its CPU time is the time it takes on an idle machine. Wall-clock
//! samples of a few milliseconds would include whole time slices of other programs on a shared core.

/// Seconds of CPU time of this thread, from an arbitrary start.
#[cfg(target_os = "linux")]
pub fn seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Seconds of wall-clock time, from an arbitrary start. Only Linux's thread clock is implemented.
#[cfg(not(target_os = "linux"))]
pub fn seconds() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_advances_while_the_thread_works() {
        let start = seconds();
        let mut x = 1u64;
        while seconds() == start {
            x = std::hint::black_box(x.wrapping_mul(3));
        }
        assert!(seconds() > start);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_clock_stops_while_the_thread_sleeps() {
        let start = seconds();
        std::thread::sleep(std::time::Duration::from_millis(30));
        assert!(seconds() - start < 0.02);
    }
}
