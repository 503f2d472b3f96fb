//! Detection of the CPU's ISAs, and the override that can only lower the one in use: methods of [`Isa`].
//!
//! This module is above the ISA implementations, because it tries the `f16` instructions of an ISA before it offers the
//! ISA.

use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::isa::Isa;

impl Isa {
    /// Whether this CPU and its operating system can run the ISA. Detected once per process. For an ISA with `f16`
    /// arithmetic, the instructions must also give the same bits as `f32` arithmetic on a set of hard operands.
    pub fn is_available(self) -> bool {
        detected() & (1 << self as u8) != 0
    }

    /// The ISAs that this CPU can run, lowest first.
    pub fn available() -> impl Iterator<Item = Isa> {
        Isa::ALL.into_iter().filter(|isa| isa.is_available())
    }

    /// The highest ISA that this CPU can run.
    pub fn detected() -> Isa {
        Isa::available().last().unwrap_or(Isa::Scalar)
    }

    /// The ISA in use: the highest detected one, lowered by the environment variable `ELTWISE_ISA` (read once) and by
    /// [`Isa::limit`]. An unknown name, or one of another architecture, is reported on stderr once and then ignored.
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
            // A closed stderr must not end the program.
            let _ = writeln!(std::io::stderr(), "eltwise: ELTWISE_ISA: {wrong}; using {}", Isa::detected());
            Isa::detected()
        });
        let limit = LIMIT.load(Ordering::Relaxed);
        match Isa::ALL.get(usize::from(limit)) {
            Some(&limit) if limit < chosen => limit,
            _ => chosen,
        }
    }

    /// Lowers the ISA in use for this process. It affects plans that are bound later, and never raises the ISA: the
    /// lowest limit so far applies. Returns the ISA now in use.
    pub fn limit(isa: Isa) -> Isa {
        LIMIT.fetch_min(isa.lowered() as u8, Ordering::Relaxed);
        Isa::current()
    }

    /// This ISA if the CPU has it, else the highest available one below it.
    pub fn lowered(self) -> Isa {
        let mut isa = self;
        while !isa.is_available() {
            match isa.parent() {
                Some(parent) => isa = parent,
                None => return Isa::Scalar,
            }
        }
        isa
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
            if vbmi {
                set |= 1 << Isa::Avx512Vbmi as u8;
            }
            let fp16 = vbmi && std::arch::is_x86_feature_detected!("avx512fp16");
            // SAFETY: the CPU has the features of the token, which were just detected.
            if fp16 && unsafe { crate::native_f16::matches_f32::<crate::x86_64::Avx512Fp16>() } {
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
        // SAFETY: the CPU has the features of the token, which were just detected.
        if fp16 && unsafe { crate::native_f16::matches_f32::<crate::aarch64::NeonFp16>() } {
            set |= 1 << Isa::NeonFp16 as u8;
        }
    }
    set
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn detect() -> u8 {
    1 << Isa::Scalar as u8
}
