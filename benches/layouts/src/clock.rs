//! The clock: seconds that the processor worked on this thread.
//!
//! A run computes on one thread and waits for nothing but memory, so its time on the processor is the time it takes on a
//! machine without other work. Where other programs share the cores, the time of day contains theirs: samples of some
//! milliseconds would count whole time slices of a compiler.

/// Seconds this thread has run, since some time before.
#[cfg(target_os = "linux")]
pub fn seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Seconds of the day: other systems have no clock of a thread that this program knows.
#[cfg(not(target_os = "linux"))]
pub fn seconds() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_goes_on_while_the_thread_works() {
        let start = seconds();
        let mut x = 1u64;
        while seconds() == start {
            x = std::hint::black_box(x.wrapping_mul(3));
        }
        assert!(seconds() > start);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_clock_stands_still_while_the_thread_sleeps() {
        let start = seconds();
        std::thread::sleep(std::time::Duration::from_millis(30));
        assert!(seconds() - start < 0.02);
    }
}
