//! The kernels of the correctly rounded tier against the plan's promise.

use eltwise_kernels::exact::exact;
use eltwise_plan::{DType, Op};
use eltwise_simd::Isa;

#[test]
fn every_promised_operator_has_a_kernel_on_every_level() {
    for &op in Op::ALL {
        for isa in Isa::ALL {
            assert_eq!(exact(op, isa).is_some(), op.has_exact_kernel(DType::F32), "{op} {isa}");
        }
    }
}
