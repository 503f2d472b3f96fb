//! Which kind of CPU the host is, for [`CpuModel`](crate::CpuModel): everything else asks that.

use eltwise_simd::Isa;

/// Whether the CPU is one of AMD's.
pub(crate) fn is_amd() -> bool {
    family().is_some()
}

/// Whether the CPU has AVX-512 and moves its vectors by halves: Zen 4, of AMD's family 0x19.
pub(crate) fn halves() -> bool {
    family() == Some(0x19) && Isa::Avx512.is_available()
}

/// The family, if the CPU is one of AMD's: base and extended family of leaf 1 (AMD64 Architecture Programmer's Manual, volume 3,
/// appendix E.3.2).
#[cfg(target_arch = "x86_64")]
fn family() -> Option<u32> {
    use core::arch::x86_64::__cpuid;
    #[allow(unused_unsafe, reason = "unsafe before Rust 1.94")]
    // SAFETY: every CPU of the architecture has leaves 0 and 1.
    let (vendor, signature) = unsafe { (__cpuid(0), __cpuid(1).eax) };
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    (name.as_flattened() == b"AuthenticAMD").then_some((signature >> 8 & 0xf) + (signature >> 20 & 0xff))
}

/// Other architectures are not asked.
#[cfg(not(target_arch = "x86_64"))]
fn family() -> Option<u32> {
    None
}
