//! Which operands kernels put in order themselves.

use eltwise_kernels::Arrangement;
use eltwise_simd::Isa;

#[test]
fn elements_of_sixteen_bytes_are_not_arranged() {
    for isa in Isa::ALL {
        assert!(Arrangement::new(16, &[100, 5], &[16, 0], isa).is_none(), "{isa}");
    }
}

#[test]
fn every_level_with_vectors_to_arrange_has_orders_of_every_size() {
    for isa in [Isa::Avx2, Isa::Avx512, Isa::Avx512Fp16] {
        for size in [2, 4, 8] {
            let arranges = cfg!(target_arch = "x86_64");
            let found = Arrangement::new(size, &[100, 5], &[size as isize, 0], isa);
            assert_eq!(found.is_some(), arranges, "{size} {isa}");
        }
    }
}
