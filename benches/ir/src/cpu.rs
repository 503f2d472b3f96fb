//! A fixed CPU for all plans, so that the counts are the same on every host.

use eltwise::{CpuModel, Isa};

/// Fixes the CPU model of this process (caches and vendor), and limits the ISA to `avx2`, the best one that valgrind
/// 3.19 supports.
///
/// # Panics
/// On a host without AVX2, and if the process has already detected its own CPU.
pub fn fix() {
    if let Err(host) = eltwise::set_cpu_model(CpuModel::default()) {
        panic!("the CPU of this process is {host:?}, expected {:?}", CpuModel::default());
    }
    let isa = Isa::limit(Isa::Avx2);
    assert_eq!(isa, Isa::Avx2, "the ISA of this host");
}
