//! Layout kernels: they copy the elements of a loop nest from one layout to another, by element size only.
//!
//! | kernel | module |
//! |---|---|
//! | runs of contiguous elements, runs filled with one element | `runs` |
//! | vectors permuted from windows of memory | `permute` |
//! | blocks of rows transposed in registers | `transpose` |
//!
//! The planner makes a [`CopyTable`] and its lists; a kernel knows no rank and no shape. A kernel writes the elements of the
//! destination, some of them more than once, and no other byte. All kernels give the same bits.

mod permute;
mod runs;
mod transpose;
mod units;

use core::mem::MaybeUninit;

use eltwise_core::tables::{CopyTable, CopyWay, Tables};
#[cfg(target_arch = "aarch64")]
use eltwise_simd::aarch64::Neon;
use eltwise_simd::{Isa, NarrowBlocks, Scalar};
#[cfg(target_arch = "x86_64")]
use eltwise_simd::{
    Token,
    x86_64::{Avx2, Avx512, Avx512Vbmi},
};

#[cfg(target_arch = "x86_64")]
use permute::Chained;
use permute::LookedUp;
use transpose::Transposed;

pub use units::{UnitCall, UnitKernel, UnitOperand, UnitSource, unit_kernel};

/// The arguments of a layout kernel.
#[derive(Clone, Copy, Debug)]
pub struct CopyCall {
    /// Element `[0, 0, ...]` of the destination.
    pub to: *mut u8,
    /// Element `[0, 0, ...]` of the source.
    pub from: *const u8,
    /// The end of the source's readable memory. It is read by tables with a [reach](CopyTable::reach) only.
    pub end: *const u8,
    /// The table.
    pub table: *const CopyTable,
    /// The lists of the table.
    pub tables: *const Tables,
}

/// A layout kernel.
///
/// # Safety
/// The CPU has the kernel's ISA. The table is one that the kernel was [chosen](copy_kernel) for. Every element of the nest is
/// readable in the source and writable in the destination; they do not overlap. If the planner was told that gaps may be read,
/// every byte from an element up to `end` is on a readable page.
pub type CopyKernel = unsafe fn(&CopyCall);

/// The blocks of 128 bits of the vectors that transpose and look up bytes on an ISA; 0 if it has no such kernels.
pub fn blocks(isa: Isa) -> usize {
    match isa {
        Isa::Scalar => 0,
        Isa::Neon | Isa::NeonFp16 => 1,
        Isa::Avx2 => 2,
        _ => 4,
    }
}

/// Bytes of the smallest element that is permuted from windows of 64 bytes on an ISA; `usize::MAX` if none is.
pub fn smallest_permuted(isa: Isa) -> usize {
    match isa {
        Isa::Avx512 => 2,
        Isa::Avx512Vbmi | Isa::Avx512Fp16 => 1,
        _ => usize::MAX,
    }
}

/// The kernel for a table on an ISA.
pub fn copy_kernel(table: &CopyTable, isa: Isa) -> CopyKernel {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => by_blocks::<Avx2>(table),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 | Isa::Avx512Vbmi | Isa::Avx512Fp16 => match (table.way, table.size) {
            (CopyWay::Permute(_), 1) if isa == Isa::Avx512 => by_blocks::<Avx512>(table),
            (CopyWay::Permute(_), 1) => Avx512Vbmi::entry::<Chained<1>, CopyCall>(),
            (CopyWay::Permute(_), 2) => Avx512::entry::<Chained<2>, CopyCall>(),
            (CopyWay::Permute(_), _) => Avx512::entry::<Chained<4>, CopyCall>(),
            _ => by_blocks::<Avx512>(table),
        },
        #[cfg(target_arch = "aarch64")]
        Isa::Neon | Isa::NeonFp16 => by_blocks::<Neon>(table),
        _ => runs::kernel::<Scalar>(table),
    }
}

/// The kernel of an ISA whose vectors are blocks of 128 bits.
fn by_blocks<L: NarrowBlocks>(table: &CopyTable) -> CopyKernel {
    match (table.way, table.size) {
        (CopyWay::Transpose(_), 1) => L::entry::<Transposed<1>, CopyCall>(),
        (CopyWay::Transpose(_), 2) => L::entry::<Transposed<2>, CopyCall>(),
        (CopyWay::Transpose(_), 4) => L::entry::<Transposed<4>, CopyCall>(),
        (CopyWay::Transpose(_), _) => L::entry::<Transposed<8>, CopyCall>(),
        (CopyWay::Permute(_), _) => L::entry::<LookedUp, CopyCall>(),
        _ => runs::kernel::<L>(table),
    }
}

/// A copy of bytes that a layout kernel would read past the end of its source: on the stack, where more is readable.
#[repr(align(64))]
struct Padded([MaybeUninit<u8>; PADDED]);

/// Bytes of a [`Padded`] copy: rows of a block, or a unit that is shorter than a window, and the rest of the window.
const PADDED: usize = 1024;

impl Padded {
    const NEW: Padded = Padded([MaybeUninit::uninit(); PADDED]);

    fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}
