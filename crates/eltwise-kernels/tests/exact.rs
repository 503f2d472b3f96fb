//! The kernels of other tiers than the fast one against the plan's promise.

use eltwise_kernels::exact::exact;
use eltwise_kernels::table::is_built;
use eltwise_plan::{DType, Op};
use eltwise_simd::Isa;

#[test]
fn every_promised_operator_has_a_kernel_on_every_level() {
    for &op in Op::ALL {
        for isa in Isa::ALL {
            assert_eq!(exact(op, DType::F32, isa).is_some(), op.has_exact_kernel(DType::F32), "{op} f32 {isa}");
            let narrowing = is_built(DType::F64) && op.has_narrowing_kernel(DType::F64);
            assert_eq!(exact(op, DType::F64, isa).is_some(), narrowing, "{op} f64 {isa}");
        }
    }
}
