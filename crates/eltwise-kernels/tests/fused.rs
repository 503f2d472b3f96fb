//! The table of superinstructions is what the planner says there is.

use eltwise_kernels::fused::fused;
use eltwise_kernels::table::is_built;
use eltwise_plan::fuse::Fused;
use eltwise_simd::Isa;

#[test]
fn every_superinstruction_has_a_kernel() {
    let mut count = 0;
    for one in Fused::all() {
        let built = is_built(one.dtype()) && one.load().into_iter().chain(one.store()).all(is_built);
        for isa in Isa::ALL {
            assert_eq!(fused(one, isa).is_some(), built, "{one} {isa}");
        }
        let (load, first, last, dtype) = (one.load(), one.first(), one.last(), one.dtype());
        let again = match one.store() {
            Some(store) => Fused::stored(load, first, last, store, dtype),
            None => Fused::new(load, first, last, dtype),
        };
        assert_eq!(again, Some(one));
        count += 1;
    }
    assert!(count > 60, "{count}");
}
