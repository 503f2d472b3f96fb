//! The operator table has a kernel for every cell of the catalogue, and no other.

use eltwise_core::{DType, Op, Signature};
use eltwise_kernels::kernel;
use eltwise_kernels::table::is_built;
use eltwise_simd::Isa;

#[test]
fn the_table_has_exactly_the_kernels_of_the_catalogue() {
    for isa in Isa::ALL {
        for &op in Op::ALL {
            for from in DType::ALL {
                let converts = op.signature() == Signature::Convert;
                for &to in if converts { &DType::ALL[..] } else { &[DType::Bool] } {
                    let built = is_built(from) && is_built(to);
                    let moves = matches!(op, Op::Where | Op::Copy | Op::BroadcastTo | Op::Bitcast);
                    let fits = match op {
                        Op::Bitcast => from.size() == to.size(),
                        _ => op.info().takes(from) && (!converts || op.info().takes(to)),
                    };
                    let expected = fits && (built || moves) && !op.is_composite(from);
                    assert_eq!(kernel(op, from, to, isa).is_some(), expected, "{op} {from} {to} {isa}");
                }
            }
        }
    }
}
