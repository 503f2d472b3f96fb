//! copy by element size: rows of bytes, or one element repeated.

use eltwise_simd::{Entry, Token};

use crate::abi::Call;

/// The kernel of `copy` over elements of the size of `T`.
pub struct Copy<T>(core::marker::PhantomData<T>);

impl<L: Token, T: core::marker::Copy> Entry<L, Call> for Copy<T> {
    #[inline(always)]
    unsafe fn run(_: L, call: &Call) {
        let (from, to) = (&call.ins[0], &call.outs[0]);
        for row in 0..call.rows as isize {
            let source = from.ptr.wrapping_offset(row.wrapping_mul(from.row)).cast::<T>();
            let target = to.ptr.wrapping_offset(row.wrapping_mul(to.row)).cast::<T>();
            // SAFETY: the operands are valid for this row; `copy` allows the target to be the source.
            unsafe {
                if from.splat {
                    let value = source.read_unaligned();
                    for i in 0..call.cols {
                        target.add(i).write_unaligned(value);
                    }
                } else {
                    core::ptr::copy(source.cast::<u8>(), target.cast::<u8>(), call.cols * size_of::<T>());
                }
            }
        }
    }
}
