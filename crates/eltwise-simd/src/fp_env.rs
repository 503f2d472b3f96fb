//! The floating-point environment of a thread: rounding mode, flush-to-zero, denormals-are-zero (MXCSR on x86-64, FPCR
//! on aarch64).
//!
//! Results must not depend on the modes that a caller or a worker thread has set. Each task creates a [`DefaultFpEnv`]
//! guard, which reads the register, sets the IEEE default only if the modes differ, and restores the old value on drop.
//!
//! The compiler assumes that arithmetic does not depend on the register. It keeps loads, stores and calls of opaque
//! functions between the creation and the drop of a guard, but may move arithmetic on values in registers across
//! either. [`DefaultFpEnv::pin`] keeps such a value inside.

/// While it is alive, the thread rounds to nearest even and flushes no subnormals.
#[derive(Debug)]
pub struct DefaultFpEnv {
    restore: Option<Register>,
    /// The register belongs to the thread, so the guard is not `Send`.
    thread: core::marker::PhantomData<*mut ()>,
}

impl DefaultFpEnv {
    /// Sets the IEEE default modes if they are not set already.
    #[inline]
    pub fn new() -> DefaultFpEnv {
        let now = read();
        if now & MODES == DEFAULT {
            return DefaultFpEnv { restore: None, thread: core::marker::PhantomData };
        }
        write((now & !MODES) | DEFAULT);
        DefaultFpEnv { restore: Some(now), thread: core::marker::PhantomData }
    }

    /// Returns `value`, opaque to the compiler: arithmetic on it stays inside the guard, provided the result is pinned
    /// too.
    #[inline]
    #[must_use]
    pub fn pin<T>(&self, value: T) -> T {
        core::hint::black_box(value)
    }
}

impl Default for DefaultFpEnv {
    fn default() -> Self {
        DefaultFpEnv::new()
    }
}

impl Drop for DefaultFpEnv {
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
        // SAFETY: ldmxcsr reads four bytes; the value was read from the register, possibly with the default modes set.
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
        // SAFETY: the value was read from the register, possibly with the default modes set.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_guard_stops_flushing_and_restores_the_modes() {
        let tiny = core::hint::black_box(f32::MIN_POSITIVE);
        let old = read();
        write(old | 0x8040);
        let flushed = core::hint::black_box(tiny) * 0.5;
        let kept = {
            let guard = DefaultFpEnv::new();
            guard.pin(guard.pin(tiny) * 0.5)
        };
        let restored = read();
        write(old);
        assert_eq!(restored, old | 0x8040);
        assert!(kept > 0.0);
        let _ = flushed;
    }

    #[test]
    #[cfg(target_arch = "aarch64")]
    fn the_guard_stops_flushing_and_restores_the_modes() {
        if !std::arch::is_aarch64_feature_detected!("fp16") {
            eprintln!("SKIPPED: this CPU has no FP16 that could flush");
            return;
        }
        // Flush to zero (FZ and, for f16, FZ16), and round toward zero.
        let (old, flushing) = (read(), 1 << 24 | 1 << 19 | 3 << 22);
        write(old | flushing);
        // SAFETY: the CPU has FP16. Most expected values hold in the default IEEE environment only.
        let matches = unsafe { crate::native_f16::matches_f32::<crate::aarch64::NeonFp16>() };
        let restored = read();
        write(old);
        assert!(matches);
        assert_eq!(restored, old | flushing);
    }
}
