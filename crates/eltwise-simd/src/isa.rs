//! The ISAs in order, detection, and the override that can only lower.

use core::fmt;
use core::str::FromStr;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// An instruction set level. Levels of one architecture are ordered: a higher one has all that a lower one has.
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
    /// AVX-512 with FP16 and VBMI (Sapphire Rapids and later).
    Avx512Fp16 = 3,
    /// aarch64 NEON: 128-bit vectors.
    Neon = 4,
    /// NEON with half-precision arithmetic.
    NeonFp16 = 5,
}

impl Isa {
    /// Every level, lowest first.
    pub const ALL: [Isa; 6] = [Isa::Scalar, Isa::Avx2, Isa::Avx512, Isa::Avx512Fp16, Isa::Neon, Isa::NeonFp16];

    /// The name: `scalar`, `avx2`, `avx512`, `avx512fp16`, `neon`, `neonfp16`.
    pub const fn name(self) -> &'static str {
        match self {
            Isa::Scalar => "scalar",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
            Isa::Avx512Fp16 => "avx512fp16",
            Isa::Neon => "neon",
            Isa::NeonFp16 => "neonfp16",
        }
    }

    /// Bytes of a vector register at this level (for `scalar`: of the arrays that stand for one).
    pub const fn vector_bytes(self) -> usize {
        match self {
            Isa::Scalar | Isa::Neon | Isa::NeonFp16 => 16,
            Isa::Avx2 => 32,
            Isa::Avx512 | Isa::Avx512Fp16 => 64,
        }
    }

    /// The next lower level, from which a level inherits the kernels it has none of its own for.
    pub const fn parent(self) -> Option<Isa> {
        match self {
            Isa::Scalar => None,
            Isa::Avx2 | Isa::Neon => Some(Isa::Scalar),
            Isa::Avx512 => Some(Isa::Avx2),
            Isa::Avx512Fp16 => Some(Isa::Avx512),
            Isa::NeonFp16 => Some(Isa::Neon),
        }
    }

    /// Whether this CPU (and its operating system) can run the level. Detected once. A level with arithmetic on `f16` is also
    /// tried: its instructions must give the bits that `f32` gives.
    pub fn is_available(self) -> bool {
        detected() & (1 << self as u8) != 0
    }

    /// The levels this CPU can run, lowest first.
    pub fn available() -> impl Iterator<Item = Isa> {
        Isa::ALL.into_iter().filter(|isa| isa.is_available())
    }

    /// The highest level this CPU can run.
    pub fn detected() -> Isa {
        Isa::available().last().unwrap_or(Isa::Scalar)
    }

    /// The level in use: the highest one detected, lowered by the environment variable `ELTWISE_ISA` (read once) and
    /// by [`Isa::limit`]. A name that is none, or of
    /// another architecture, is reported on stderr once, and the level detected is used.
    pub fn current() -> Isa {
        static CHOSEN: OnceLock<Isa> = OnceLock::new();
        let chosen = *CHOSEN.get_or_init(|| {
            let wanted = std::env::var("ELTWISE_ISA").unwrap_or_default();
            if wanted.is_empty() {
                return Isa::detected();
            }
            let wrong = match wanted.parse::<Isa>() {
                Ok(isa) if isa.is_native() => return isa.lowered(),
                Ok(isa) => format!("{isa} is no level of this architecture"),
                Err(error) => error.to_string(),
            };
            // A closed stream is no reason to end the program.
            let _ = writeln!(std::io::stderr(), "eltwise: ELTWISE_ISA: {wrong}; using {}", Isa::detected());
            Isa::detected()
        });
        let limit = LIMIT.load(Ordering::Relaxed);
        match Isa::ALL.get(usize::from(limit)) {
            Some(&limit) if limit < chosen => limit,
            _ => chosen,
        }
    }

    /// Lowers the level for this process from now on, for plans bound later. It never raises: the effective level is
    /// the lowest that was asked for. Returns the level now in use.
    pub fn limit(isa: Isa) -> Isa {
        LIMIT.fetch_min(isa.lowered() as u8, Ordering::Relaxed);
        Isa::current()
    }

    /// This level if the CPU has it, else the highest available one below it.
    pub fn lowered(self) -> Isa {
        let mut level = self;
        while !level.is_available() {
            match level.parent() {
                Some(parent) => level = parent,
                None => return Isa::Scalar,
            }
        }
        level
    }

    /// Whether this is a level of the architecture that the program was compiled for.
    pub const fn is_native(self) -> bool {
        match self {
            Isa::Scalar => true,
            Isa::Avx2 | Isa::Avx512 | Isa::Avx512Fp16 => cfg!(target_arch = "x86_64"),
            Isa::Neon | Isa::NeonFp16 => cfg!(target_arch = "aarch64"),
        }
    }
}

static LIMIT: AtomicU8 = AtomicU8::new(u8::MAX);

fn detected() -> u8 {
    static DETECTED: OnceLock<u8> = OnceLock::new();
    *DETECTED.get_or_init(detect)
}

#[cfg(target_arch = "x86_64")]
fn detect() -> u8 {
    let mut set = 1 << Isa::Scalar as u8;
    let f16c = std::arch::is_x86_feature_detected!("f16c");
    if f16c && pulp::x86::V3::try_new().is_some() {
        set |= 1 << Isa::Avx2 as u8;
        if pulp::x86::V4::try_new().is_some() {
            set |= 1 << Isa::Avx512 as u8;
            let vbmi = std::arch::is_x86_feature_detected!("avx512vbmi");
            let fp16 = vbmi && std::arch::is_x86_feature_detected!("avx512fp16");
            // SAFETY: the CPU has what the level needs.
            if fp16 && unsafe { crate::native_half::is_sound::<crate::x86_64::Avx512Fp16>() } {
                set |= 1 << Isa::Avx512Fp16 as u8;
            }
        }
    }
    set
}

#[cfg(target_arch = "aarch64")]
fn detect() -> u8 {
    let mut set = 1 << Isa::Scalar as u8;
    if pulp::aarch64::Neon::try_new().is_some() {
        set |= 1 << Isa::Neon as u8;
        let fp16 = std::arch::is_aarch64_feature_detected!("fp16");
        // SAFETY: the CPU has what the level needs.
        if fp16 && unsafe { crate::native_half::is_sound::<crate::aarch64::NeonFp16>() } {
            set |= 1 << Isa::NeonFp16 as u8;
        }
    }
    set
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn detect() -> u8 {
    1 << Isa::Scalar as u8
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An ISA name that is none.
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
    fn order_names_and_lowering() {
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
