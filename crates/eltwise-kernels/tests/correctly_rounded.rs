//! The table has exactly the correctly rounded kernels that the catalogue lists.

use eltwise_core::{Accuracy, DType, Op};
use eltwise_kernels::table::is_built;
use eltwise_kernels::table::tiers::tier_kernel;
use eltwise_simd::Isa;

#[test]
fn every_isa_has_the_correctly_rounded_kernels_of_the_catalogue() {
    for &op in Op::ALL {
        for isa in Isa::ALL {
            assert_eq!(
                tier_kernel(op, DType::F32, isa).is_some(),
                op.has_tier_kernel(DType::F32, Accuracy::CorrectlyRounded),
                "{op} f32 {isa}"
            );
            let narrowing = is_built(DType::F64) && op.has_tier_kernel(DType::F64, Accuracy::RoundToOdd);
            assert_eq!(tier_kernel(op, DType::F64, isa).is_some(), narrowing, "{op} f64 {isa}");
        }
    }
}
