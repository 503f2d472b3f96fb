//! Baselines for kernels: loops over slices in plain Rust, compiled for each ISA.

use eltwise::Isa;

/// `out[i] = f(x[i])`.
pub(crate) fn map1<T: Copy, U>(isa: Isa, out: &mut [U], x: &[T], f: impl Fn(T) -> U) {
    run(isa, out, |out| {
        for (o, &x) in out.iter_mut().zip(x) {
            *o = f(x);
        }
    });
}

/// `out[i] = f(x[i], y[i])`.
pub(crate) fn map2<T: Copy, V: Copy, U>(isa: Isa, out: &mut [U], x: &[T], y: &[V], f: impl Fn(T, V) -> U) {
    run(isa, out, |out| {
        for ((o, &x), &y) in out.iter_mut().zip(x).zip(y) {
            *o = f(x, y);
        }
    });
}

/// `out[i] = f(x[i], y[i], z[i])`.
pub(crate) fn map3<T: Copy, V: Copy, U>(isa: Isa, out: &mut [U], x: &[T], y: &[V], z: &[V], f: impl Fn(T, V, V) -> U) {
    run(isa, out, |out| {
        for (((o, &x), &y), &z) in out.iter_mut().zip(x).zip(y).zip(z) {
            *o = f(x, y, z);
        }
    });
}

/// The loop, inlined into a function with the target features of an ISA.
fn run<U>(isa: Isa, out: &mut [U], f: impl FnOnce(&mut [U])) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: callers pass available ISAs only, so the CPU has the features.
        Isa::Avx2 => unsafe { avx2(out, f) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: callers pass available ISAs only, so the CPU has the features.
        Isa::Avx512 | Isa::Avx512Fp16 => unsafe { avx512(out, f) },
        _ => f(out),
    }
}

/// # Safety
/// The CPU has x86-64-v3.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,popcnt,sse3,sse4.1,sse4.2,ssse3")]
unsafe fn avx2<U>(out: &mut [U], f: impl FnOnce(&mut [U])) {
    f(out);
}

/// # Safety
/// The CPU has x86-64-v4.
#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx,avx2,avx512bw,avx512cd,avx512dq,avx512f,avx512vl,bmi1,bmi2,f16c,fma,lzcnt,popcnt,sse3,sse4.1,sse4.2,ssse3"
)]
unsafe fn avx512<U>(out: &mut [U], f: impl FnOnce(&mut [U])) {
    f(out);
}
