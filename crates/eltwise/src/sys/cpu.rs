//! The CPU that plans are made for: [`cpu_model`], [`target`]. No other module identifies the host's CPU.

use std::sync::OnceLock;

use eltwise_kernels::layout::{blocks, smallest_permuted};
use eltwise_plan::{CpuModel, KernelCapabilities, Target};
use eltwise_simd::Isa;

static MODEL: OnceLock<CpuModel> = OnceLock::new();

/// The CPU model that this process plans for: that of the host, unless [`set_cpu_model`] was called first.
#[inline]
pub fn cpu_model() -> CpuModel {
    *MODEL.get_or_init(host)
}

/// Makes this process plan for `model` instead of the host's CPU. All plans and kernels of a process are chosen for one
/// model, so it cannot change after its first use. Any numbers are accepted; results do not depend on them.
///
/// # Errors
/// The model in use, if it is a different one.
pub fn set_cpu_model(model: CpuModel) -> Result<(), CpuModel> {
    let current = *MODEL.get_or_init(|| model);
    if current == model { Ok(()) } else { Err(current) }
}

/// The target of plans that use the kernels of an ISA, with the default options.
#[inline]
pub fn target(isa: Isa) -> Target {
    let kernels = KernelCapabilities {
        vector_bytes: isa.vector_bytes(),
        fma: isa != Isa::Scalar,
        blocks: blocks(isa),
        smallest_permuted: smallest_permuted(isa),
        ..KernelCapabilities::default()
    };
    Target { cpu: cpu_model(), kernels, ..Target::default() }
}

/// The model of this host's microarchitecture, with the cache sizes that the system reports.
fn host() -> CpuModel {
    let model = match amd_family() {
        // Family 0x19 is Zen 3 and Zen 4, and only Zen 4 has AVX-512.
        Some(0x19) if Isa::Avx512.is_available() => CpuModel::ZEN4,
        Some(0x17 | 0x19) => CpuModel::ZEN3,
        Some(_) => CpuModel::ZEN5,
        None if cfg!(target_arch = "aarch64") => CpuModel::NEOVERSE,
        // In practice Intel's.
        None if Isa::Avx512.is_available() => CpuModel::SAPPHIRE_RAPIDS,
        None => CpuModel::GENERIC,
    };
    caches(model).unwrap_or(model)
}

/// The family of an AMD CPU, base plus extended family of leaf 1 (AMD64 Architecture Programmer's Manual, volume 3,
/// appendix E.3.2); `None` for other CPUs.
#[cfg(target_arch = "x86_64")]
fn amd_family() -> Option<u32> {
    use core::arch::x86_64::__cpuid;
    #[allow(unused_unsafe, reason = "unsafe before Rust 1.94")]
    // SAFETY: every CPU of the architecture has leaves 0 and 1.
    let (vendor, signature) = unsafe { (__cpuid(0), __cpuid(1).eax) };
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    (name.as_flattened() == b"AuthenticAMD").then_some((signature >> 8 & 0xf) + (signature >> 20 & 0xff))
}

#[cfg(not(target_arch = "x86_64"))]
fn amd_family() -> Option<u32> {
    None
}

/// `model` with the cache sizes of the first CPU, read from sysfs; `None` if sysfs has no second level.
fn caches(mut model: CpuModel) -> Option<CpuModel> {
    let mut found = false;
    for index in 0..8 {
        let read = |name: &str| {
            std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}")).ok()
        };
        let (Some(level), Some(kind), Some(size)) = (read("level"), read("type"), read("size")) else { break };
        if kind.trim() == "Instruction" {
            continue;
        }
        match (parse_size(size.trim()), level.trim()) {
            (Some(bytes), "1") => model.l1 = bytes,
            (Some(bytes), "2") => {
                (model.l2, model.llc) = (bytes, bytes);
                found = true;
            }
            (Some(bytes), "3") => model.llc = bytes,
            _ => {}
        }
    }
    found.then_some(model)
}

/// Parses a cache size of sysfs: `48K` is 49152 bytes.
fn parse_size(text: &str) -> Option<usize> {
    text.strip_suffix('K')?.parse::<usize>().ok()?.checked_mul(1 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_sizes_parse() {
        assert_eq!(parse_size("48K"), Some(49152));
        assert_eq!([parse_size("K"), parse_size("x"), parse_size(&format!("{}K", usize::MAX))], [None; 3]);
        let Target { cpu, kernels, .. } = target(Isa::Scalar);
        assert!(cpu.l1 >= 4096 && cpu.l2 >= cpu.l1 && kernels.vector_bytes == 16);
    }

    #[test]
    fn the_model_of_a_process_is_set_once() {
        let current = cpu_model();
        assert_eq!(set_cpu_model(current), Ok(()));
        assert_eq!(set_cpu_model(CpuModel { l2: current.l2 + 1, ..current }), Err(current));
        assert_eq!(cpu_model(), current);
        assert_eq!(target(Isa::Scalar).cpu, current);
    }
}
