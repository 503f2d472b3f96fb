//! One CPU for all plans that are counted, so that the counts are the same on every host.

use eltwise::{CpuModel, Isa};

/// Fixes the CPU of this process: its caches and vendor, and `avx2`, the highest level that valgrind 3.19 has.
///
/// # Panics
/// On a host without AVX2, and when the process has looked at its own CPU before.
pub fn fix() {
    if let Err(host) = CpuModel::default().fix() {
        panic!("the CPU of this process is {host:?}, expected {:?}", CpuModel::default());
    }
    let level = Isa::limit(Isa::Avx2);
    assert_eq!(level, Isa::Avx2, "the level of this host");
}
