//! Kernels of chains: operators that follow each other, with the running value in registers. [`ChainCall`] is the arguments of
//! one, [`chain_kernel`] finds it.
//!
//! A kernel interprets the chain: for each block of vectors it goes through the links, and calls the lane function of each.
//! So there is one kernel for each dtype, whatever the operators. The branches repeat from block to block, and a CPU predicts them;
//! what a chain saves is the store and the load between two steps.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use eltwise_core::chain::MAX_LINKS;
use eltwise_core::{DType, Op};
#[cfg(target_arch = "x86_64")]
use eltwise_simd::x86_64::{Avx2, Avx512};
use eltwise_simd::{Entry, FloatLanes, Isa, Lanes, Scalar, SimdToken, Storage, Stored, Token};

use crate::abi::Operand;
use crate::functions::forms::float as functions;
use crate::functions::{Binary, Float, Lanewise, Ternary, Unary};
use crate::rows::{prefers_small_code, row_start};

/// An operator of a chain, without addresses.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Link {
    /// The operator, one of [`chain_operators!`](eltwise_core::chain_operators).
    pub op: Op,
    /// The position of the running value among the operands.
    pub position: u8,
    /// Whether the result is stored in memory, too. The last link stores its result anyway.
    pub is_stored: bool,
    /// The other operands, in order: whether a row is one element that all columns share.
    pub splat: [bool; 2],
    /// Bytes from one row to the next, of any sign; 0 repeats the row: of the other operands, and of the result.
    pub row: [isize; 3],
}

/// The first elements of the other operands of a link, and of its result. Those that the link does not have are not read.
pub type LinkPointers = [*mut u8; 3];

/// The arguments of the kernel of a chain.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ChainCall {
    /// The number of rows.
    pub rows: usize,
    /// The number of elements in a row.
    pub cols: usize,
    /// The running value before the first link.
    pub first: Operand,
    /// The number of links, at most [`MAX_LINKS`].
    pub count: usize,
    /// The links.
    pub links: *const Link,
    /// The addresses of each link.
    pub pointers: *const LinkPointers,
}

/// The kernel of a chain.
///
/// # Safety
/// As for [`Kernel`](crate::Kernel): the CPU has the kernel's ISA, and operands are valid for the rows and columns of the call. A
/// result may be exactly an operand (same pointer, row stride and element size); otherwise it overlaps no operand of the call.
pub type ChainKernel = unsafe fn(&ChainCall);

/// The kernel of chains over a dtype, for `isa` or the best ISA below it; `None` for other dtypes than those of
/// [`is_link`](eltwise_core::chain::is_link), and if the build leaves the dtype out.
pub fn chain_kernel(dtype: DType, isa: Isa) -> Option<ChainKernel> {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => of_isa::<Avx2>(dtype),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 | Isa::Avx512Vbmi | Isa::Avx512Fp16 => of_isa::<Avx512>(dtype),
        #[cfg(target_arch = "aarch64")]
        Isa::Neon | Isa::NeonFp16 => of_isa::<eltwise_simd::aarch64::Neon>(dtype),
        _ => of_isa::<Scalar>(dtype),
    }
}

fn of_isa<L: SimdToken>(dtype: DType) -> Option<ChainKernel> {
    match dtype {
        DType::F32 => Some(L::entry::<Chain<f32>, ChainCall>()),
        #[cfg(feature = "f64")]
        DType::F64 => Some(L::entry::<Chain<f64>, ChainCall>()),
        _ => None,
    }
}

/// Vectors of a block. The rest of a row is computed in blocks of [`FEW`] vectors, and of one.
const MANY: usize = 8;
const FEW: usize = 2;

/// A link over a row.
#[derive(Clone, Copy)]
struct RowLink {
    op: Op,
    position: u8,
    is_stored: bool,
    others: [Source; 2],
    to: *mut u8,
}

/// An operand over a row: where it begins, and whether it is one element.
#[derive(Clone, Copy)]
struct Source {
    from: *const u8,
    is_splat: bool,
}

/// Chains over elements of `C`.
struct Chain<C>(PhantomData<C>);

impl<L, C> Entry<L, ChainCall> for Chain<C>
where
    C: Float + Stored<Compute = C>,
    L: Token + FloatLanes<C> + Storage<C>,
{
    #[inline(always)]
    unsafe fn run(l: L, call: &ChainCall) {
        debug_assert!(call.count <= MAX_LINKS);
        let count = call.count.min(MAX_LINKS);
        // SAFETY: the caller's contract.
        let (links, pointers) = unsafe {
            (core::slice::from_raw_parts(call.links, count), core::slice::from_raw_parts(call.pointers, count))
        };
        let mut of_row = [MaybeUninit::<RowLink>::uninit(); MAX_LINKS];
        for row in 0..call.rows {
            for (i, (link, pointers)) in links.iter().zip(pointers).enumerate() {
                let at = |k: usize| pointers[k].wrapping_offset((row as isize).wrapping_mul(link.row[k]));
                let other = |k: usize| Source { from: at(k), is_splat: link.splat[k] };
                let &Link { op, position, is_stored, .. } = link;
                let is_stored = is_stored || i + 1 == count;
                of_row[i].write(RowLink { op, position, is_stored, others: [other(0), other(1)], to: at(2) });
            }
            // SAFETY: the links were just written; the operands are valid for this row.
            unsafe {
                let links = core::slice::from_raw_parts(of_row.as_ptr().cast::<RowLink>(), count);
                let first = Source { from: row_start(&call.first, row), is_splat: call.first.splat };
                columns::<L, C>(l, first, links, call.cols);
            }
        }
    }
}

/// Computes the columns of a row.
///
/// # Safety
/// The operands are valid for them.
#[inline(always)]
unsafe fn columns<L, C>(l: L, first: Source, links: &[RowLink], cols: usize)
where
    C: Float + Stored<Compute = C>,
    L: Token + FloatLanes<C> + Storage<C>,
{
    let n = <L as Lanes<C>>::N;
    let mut at = 0;
    // SAFETY: the caller's contract.
    unsafe {
        if const { !prefers_small_code::<L>() } {
            while at + MANY * n <= cols {
                block::<L, C, MANY>(l, first, links, at, n);
                at += MANY * n;
            }
            while at + FEW * n <= cols {
                block::<L, C, FEW>(l, first, links, at, n);
                at += FEW * n;
            }
        }
        while at < cols {
            let count = (cols - at).min(n);
            block::<L, C, 1>(l, first, links, at, count);
            at += count;
        }
    }
}

/// Computes `K` vectors from column `at`: `count` elements of each, which are fewer than a vector only if `K` is 1.
///
/// # Safety
/// The operands are valid for these columns of the row.
#[inline(always)]
unsafe fn block<L, C, const K: usize>(l: L, first: Source, links: &[RowLink], at: usize, count: usize)
where
    C: Float + Stored<Compute = C>,
    L: Token + FloatLanes<C> + Storage<C>,
{
    let mut value = [l.splat(C::ONE); K];
    let mut k = 0;
    while k < K {
        // SAFETY: the caller's contract.
        value[k] = unsafe {
            match first.is_splat {
                true => l.splat(first.from.cast::<C>().read_unaligned()),
                false => load::<L, C, K>(l, first, at, k, count),
            }
        };
        k += 1;
    }
    for link in links {
        // SAFETY: the caller's contract.
        unsafe { apply::<L, C, K>(l, link, at, count, &mut value) };
        if link.is_stored {
            // SAFETY: the caller's contract.
            unsafe { store::<L, C, K>(l, link.to.cast::<C>().wrapping_add(at), count, &value) };
        }
    }
}

/// Applies a link to `K` vectors.
///
/// # Safety
/// As for [`block`].
#[inline(always)]
unsafe fn apply<L, C, const K: usize>(
    l: L,
    link: &RowLink,
    at: usize,
    count: usize,
    value: &mut [<L as Lanes<C>>::V; K],
) where
    C: Float + Stored<Compute = C>,
    L: Token + FloatLanes<C> + Storage<C>,
{
    // Macros, because closures may lose the CPU's features.
    macro_rules! load {
        ($source:expr, $k:expr) => {
            // SAFETY: the caller's contract.
            unsafe { load::<L, C, K>(l, $source, at, $k, count) }
        };
    }
    macro_rules! splat {
        ($source:expr) => {
            // SAFETY: the caller's contract.
            l.splat(unsafe { $source.from.cast::<C>().read_unaligned() })
        };
    }
    let [a, b] = link.others;
    // All vectors of an operator, whose operands are the expressions.
    macro_rules! each {
        ($adapter:ident $op:ident, $k:ident, $x:expr, $y:expr, $z:expr) => {{
            let mut $k = 0;
            while $k < K {
                value[$k] = <$adapter<functions::$op> as Lanewise<C, L>>::apply(l, $x, $y, $z);
                $k += 1;
            }
        }};
    }
    macro_rules! apply {
        ($op:ident Unary) => {
            each!(Unary $op, k, value[k], value[k], value[k])
        };
        ($op:ident Binary) => {
            match (a.is_splat, link.position) {
                (true, 0) => each!(Binary $op, k, value[k], splat!(a), value[k]),
                (true, _) => each!(Binary $op, k, splat!(a), value[k], value[k]),
                (false, 0) => each!(Binary $op, k, value[k], load!(a, k), value[k]),
                (false, _) => each!(Binary $op, k, load!(a, k), value[k], value[k]),
            }
        };
        ($op:ident Ternary) => {
            if a.is_splat && b.is_splat && link.position == 0 {
                each!(Ternary $op, k, value[k], splat!(a), splat!(b))
            } else {
                let mut k = 0;
                while k < K {
                    let a = if a.is_splat { splat!(a) } else { load!(a, k) };
                    let b = if b.is_splat { splat!(b) } else { load!(b, k) };
                    let (x, y, z) = match link.position {
                        0 => (value[k], a, b),
                        1 => (a, value[k], b),
                        _ => (a, b, value[k]),
                    };
                    value[k] = <Ternary<functions::$op> as Lanewise<C, L>>::apply(l, x, y, z);
                    k += 1;
                }
            }
        };
    }
    macro_rules! table {
        ($(($adapter:ident $op:ident))*) => {
            match link.op {
                $(Op::$op => apply!($op $adapter),)*
                _ => {}
            }
        };
    }
    eltwise_core::chain_operators!(table);
}

/// Stores `K` vectors, the first `count` elements of each.
///
/// # Safety
/// The elements are writable.
#[inline(always)]
unsafe fn store<L: Lanes<C>, C: Float, const K: usize>(l: L, to: *mut C, count: usize, vectors: &[L::V; K]) {
    let mut k = 0;
    while k < K {
        let to = to.wrapping_add(k * L::N);
        // SAFETY: the caller's contract.
        unsafe { if K == 1 { l.store_n(to, count, vectors[k]) } else { l.store(to, vectors[k]) } };
        k += 1;
    }
}

/// Loads vector `k` of `K` from column `at` of an operand that is not splat. Lanes past `count` are ones.
///
/// # Safety
/// The elements are readable.
#[inline(always)]
unsafe fn load<L: Lanes<C>, C: Float, const K: usize>(l: L, source: Source, at: usize, k: usize, count: usize) -> L::V {
    let from = source.from.cast::<C>().wrapping_add(at + k * L::N);
    // SAFETY: the caller's contract.
    unsafe { if K == 1 { l.load_n(from, count) } else { l.load(from) } }
}
