//! `copy` by element size: rows of bytes, or one element repeated.

use eltwise_simd::{Entry, Token};

use crate::abi::Call;
use crate::rows::{fill_with, row_start};

/// The kernel of `copy` over elements of the size of `T`.
pub struct Copy<T>(core::marker::PhantomData<T>);

impl<L: Token, T: core::marker::Copy> Entry<L, Call> for Copy<T> {
    #[inline(always)]
    unsafe fn run(_: L, call: &Call) {
        let from = &call.ins[0];
        for row in 0..call.rows {
            let (source, target) = (row_start(from, row), row_start(&call.out, row));
            // SAFETY: the operands are valid for this row; `copy` allows the target to be the source.
            unsafe {
                if from.splat {
                    fill_with(target, source.cast::<T>().read_unaligned(), call.cols);
                } else {
                    core::ptr::copy(source, target, call.cols * size_of::<T>());
                }
            }
        }
    }
}
