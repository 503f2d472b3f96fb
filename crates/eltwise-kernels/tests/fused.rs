//! The table has exactly the fused kernels that the catalogue lists.

use eltwise_core::Fused;
use eltwise_kernels::table::fused::fused;
use eltwise_kernels::table::is_built;
use eltwise_simd::Isa;

#[test]
fn every_fused_step_has_a_kernel_on_every_isa() {
    let mut count = 0;
    for one in Fused::all() {
        let built = is_built(one.dtype()) && one.load().into_iter().chain(one.store()).all(is_built);
        for isa in Isa::ALL {
            assert_eq!(fused(one, isa).is_some(), built, "{one} {isa}");
        }
        let (load, first, last, dtype) = (one.load(), one.first(), one.last(), one.dtype());
        assert_eq!(Fused::new(load, first, last, one.store(), dtype), Some(one));
        count += 1;
    }
    assert!(count > 60, "{count}");
}
