//! The thread's floating-point control register: rounding mode, flush-to-zero, denormals-are-zero.
//!
//! Results must not depend on what a caller or a worker thread left there. A task makes a [`DefaultControl`] guard:
//! it reads the register, sets the default only when it differs, and puts the old value back when it is dropped.
//!
//! The compiler knows of no arithmetic that reads the register. It keeps loads, stores and calls of functions that it does not see
//! into between the two ends of a guard, but may move arithmetic on values that it has in registers over either:
//! [`DefaultControl::pin`] keeps such a value inside.

/// Keeps the thread in round-to-nearest-even without flushing while it lives.
#[derive(Debug)]
pub struct DefaultControl {
    restore: Option<Register>,
    /// The register is the thread's: the guard stays on it.
    thread: core::marker::PhantomData<*mut ()>,
}

impl DefaultControl {
    /// Sets the IEEE default where it is not set.
    #[inline]
    pub fn new() -> DefaultControl {
        let now = read();
        if now & MODES == DEFAULT {
            return DefaultControl { restore: None, thread: core::marker::PhantomData };
        }
        write((now & !MODES) | DEFAULT);
        DefaultControl { restore: Some(now), thread: core::marker::PhantomData }
    }

    /// `value`, of which the compiler knows nothing before the guard or after it: what is computed from it is computed
    /// inside, if the result is pinned as well.
    #[inline]
    #[must_use]
    pub fn pin<T>(&self, value: T) -> T {
        core::hint::black_box(value)
    }
}

impl Default for DefaultControl {
    fn default() -> Self {
        DefaultControl::new()
    }
}

impl Drop for DefaultControl {
    #[inline]
    fn drop(&mut self) {
        if let Some(old) = self.restore {
            write(old);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod register {
    /// MXCSR.
    pub(super) type Register = u32;
    /// Rounding control, FTZ, DAZ, and the exception masks.
    pub(super) const MODES: u32 = 0xffc0;
    /// Round to nearest even, subnormals kept, all exceptions masked.
    pub(super) const DEFAULT: u32 = 0x1f80;

    #[inline]
    pub(super) fn read() -> u32 {
        let mut value = 0u32;
        // SAFETY: stmxcsr writes four bytes to `value`; SSE is part of x86-64.
        unsafe { core::arch::asm!("stmxcsr [{}]", in(reg) &mut value, options(nostack, preserves_flags)) };
        value
    }

    #[inline]
    pub(super) fn write(value: u32) {
        // SAFETY: ldmxcsr reads four bytes; the value is one that was read, or it with the default modes.
        unsafe { core::arch::asm!("ldmxcsr [{}]", in(reg) &value, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod register {
    /// FPCR.
    pub(super) type Register = u64;
    /// Rounding mode, FZ, FZ16, DN, and trap enables.
    pub(super) const MODES: u64 = 0x07ff_9f07;
    /// Round to nearest even, subnormals kept, no traps.
    pub(super) const DEFAULT: u64 = 0;

    #[inline]
    pub(super) fn read() -> u64 {
        let value: u64;
        // SAFETY: reading FPCR has no effect.
        unsafe { core::arch::asm!("mrs {}, fpcr", out(reg) value, options(nostack, nomem, preserves_flags)) };
        value
    }

    #[inline]
    pub(super) fn write(value: u64) {
        // SAFETY: the value is one that was read, or it with the default modes.
        unsafe { core::arch::asm!("msr fpcr, {}", in(reg) value, options(nostack, preserves_flags)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod register {
    pub(super) type Register = u32;
    pub(super) const MODES: u32 = 0;
    pub(super) const DEFAULT: u32 = 0;
    pub(super) fn read() -> u32 {
        0
    }
    pub(super) fn write(_: u32) {}
}

use register::{DEFAULT, MODES, Register, read, write};

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn flushing_is_turned_off_and_back_on() {
        let tiny = core::hint::black_box(f32::MIN_POSITIVE);
        let old = read();
        write(old | 0x8040);
        let flushed = core::hint::black_box(tiny) * 0.5;
        let kept = {
            let guard = DefaultControl::new();
            guard.pin(guard.pin(tiny) * 0.5)
        };
        let again = read();
        write(old);
        assert_eq!(again, old | 0x8040);
        assert!(kept > 0.0);
        let _ = flushed;
    }
}

#[cfg(all(test, target_arch = "aarch64"))]
mod tests {
    use super::*;

    #[test]
    fn flushing_is_turned_off_and_back_on() {
        if !std::arch::is_aarch64_feature_detected!("fp16") {
            eprintln!("SKIPPED: this CPU has no FP16 that could flush");
            return;
        }
        // Flush to zero, of f16 apart, and round toward zero.
        let (old, flushing) = (read(), 1 << 24 | 1 << 19 | 3 << 22);
        write(old | flushing);
        // SAFETY: the CPU has the instructions. Most of the values are right only as IEEE 754 says by default.
        let sound = unsafe { crate::native_half::is_sound::<crate::aarch64::NeonFp16>() };
        let again = read();
        write(old);
        assert!(sound);
        assert_eq!(again, old | flushing);
    }
}
