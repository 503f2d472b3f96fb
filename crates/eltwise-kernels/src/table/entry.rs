//! [`Entry`], the result of a table lookup: the kernel of the best allowed ISA.

#[cfg(target_arch = "x86_64")]
use eltwise_simd::x86_64::{Avx2, Avx512};
use eltwise_simd::{Isa, Scalar, SimdToken, Token};

use crate::abi::{Call, Kernel};
use crate::rows::{Body, Rows};

/// A kernel and the ISA that it was compiled for.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The function.
    pub kernel: Kernel,
    /// The ISA that the kernel was compiled for: the requested one, or one that it inherits from.
    pub owner: Isa,
}

/// A kernel table, looked up for one key.
pub(crate) trait KernelTable {
    /// The kernel of an ISA with a [`SimdToken`].
    fn kernel<L: SimdToken>(&self) -> Option<Kernel>;

    /// The kernel of an ISA that only adds `f16` arithmetic to the one below it.
    fn native_f16(&self, _isa: Isa) -> Option<Kernel> {
        None
    }
}

impl Entry {
    /// Looks up an ISA, or the best one below it that has a kernel.
    pub(crate) fn find(isa: Isa, table: &impl KernelTable) -> Option<Entry> {
        let mut candidate = Some(isa);
        while let Some(owner) = candidate {
            let kernel = match owner {
                Isa::Scalar => table.kernel::<Scalar>(),
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => table.kernel::<Avx2>(),
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => table.kernel::<Avx512>(),
                // VBMI adds layout kernels only.
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512Vbmi => None,
                #[cfg(target_arch = "aarch64")]
                Isa::Neon => table.kernel::<eltwise_simd::aarch64::Neon>(),
                other => table.native_f16(other),
            };
            if let Some(kernel) = kernel {
                return Some(Entry { kernel, owner });
            }
            candidate = owner.parent();
        }
        None
    }
}

/// The kernel that runs a body over rows.
#[inline(always)]
pub(crate) fn rows<L: Token, B: Body<L>>() -> Option<Kernel> {
    Some(L::entry::<Rows<B>, Call>())
}
