//! The instruction sets that kernels are compiled for: [`Isa`], its order, names and vector sizes. What this CPU can
//! run, and the override, are methods of [`Isa`] too: [`Isa::is_available`], [`Isa::current`], [`Isa::limit`].

use core::fmt;
use core::str::FromStr;

/// An instruction set. On one architecture they are ordered, and a higher one includes all lower ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
#[repr(u8)]
pub enum Isa {
    /// Portable code at the architecture's baseline.
    Scalar = 0,
    /// x86-64-v3 with F16C: 256-bit vectors, FMA.
    Avx2 = 1,
    /// x86-64-v4 (AVX-512 F, BW, CD, DQ, VL) with F16C: 512-bit vectors, masks.
    Avx512 = 2,
    /// AVX-512 with VBMI, whose permutes move single bytes (Intel since Ice Lake, AMD since Zen 4).
    Avx512Vbmi = 3,
    /// AVX-512 with VBMI and FP16 (Intel since Sapphire Rapids).
    Avx512Fp16 = 4,
    /// aarch64 NEON: 128-bit vectors.
    Neon = 5,
    /// NEON with half-precision arithmetic.
    NeonFp16 = 6,
}

impl Isa {
    /// Every ISA, lowest first.
    pub const ALL: [Isa; 7] =
        [Isa::Scalar, Isa::Avx2, Isa::Avx512, Isa::Avx512Vbmi, Isa::Avx512Fp16, Isa::Neon, Isa::NeonFp16];

    /// The name: `scalar`, `avx2`, `avx512`, `avx512vbmi`, `avx512fp16`, `neon`, `neonfp16`.
    pub const fn name(self) -> &'static str {
        match self {
            Isa::Scalar => "scalar",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
            Isa::Avx512Vbmi => "avx512vbmi",
            Isa::Avx512Fp16 => "avx512fp16",
            Isa::Neon => "neon",
            Isa::NeonFp16 => "neonfp16",
        }
    }

    /// Bytes of a vector register. For `scalar`, the bytes of the arrays that take its place.
    pub const fn vector_bytes(self) -> usize {
        match self {
            Isa::Scalar | Isa::Neon | Isa::NeonFp16 => 16,
            Isa::Avx2 => 32,
            Isa::Avx512 | Isa::Avx512Vbmi | Isa::Avx512Fp16 => 64,
        }
    }

    /// The next lower ISA. An ISA without its own kernel for an operator uses the kernel of its parent.
    pub const fn parent(self) -> Option<Isa> {
        match self {
            Isa::Scalar => None,
            Isa::Avx2 | Isa::Neon => Some(Isa::Scalar),
            Isa::Avx512 => Some(Isa::Avx2),
            Isa::Avx512Vbmi => Some(Isa::Avx512),
            Isa::Avx512Fp16 => Some(Isa::Avx512Vbmi),
            Isa::NeonFp16 => Some(Isa::Neon),
        }
    }

    /// Whether the ISA belongs to the architecture that the program was compiled for.
    pub const fn is_native(self) -> bool {
        match self {
            Isa::Scalar => true,
            Isa::Avx2 | Isa::Avx512 | Isa::Avx512Vbmi | Isa::Avx512Fp16 => cfg!(target_arch = "x86_64"),
            Isa::Neon | Isa::NeonFp16 => cfg!(target_arch = "aarch64"),
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that is no ISA's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownIsa(String);

impl fmt::Display for UnknownIsa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown ISA {:?}; expected one of", self.0)?;
        Isa::ALL.iter().try_for_each(|isa| write!(f, " {isa}"))
    }
}

impl std::error::Error for UnknownIsa {}

impl FromStr for Isa {
    type Err = UnknownIsa;
    fn from_str(s: &str) -> Result<Isa, UnknownIsa> {
        Isa::ALL.into_iter().find(|isa| isa.name() == s).ok_or_else(|| UnknownIsa(s.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_and_lowering_never_raises() {
        assert!(Isa::Scalar.is_available());
        for isa in Isa::ALL {
            assert_eq!(isa.name().parse::<Isa>().unwrap(), isa);
            assert!(isa.lowered() <= isa && isa.lowered().is_available());
            assert!(isa.parent().is_none_or(|p| p < isa));
            assert!(isa.is_native() || (!isa.is_available() && isa.lowered() == Isa::Scalar));
        }
        assert!(Isa::current() <= Isa::detected());
        assert!("sse9".parse::<Isa>().unwrap_err().to_string().contains("avx512fp16"));
    }
}
