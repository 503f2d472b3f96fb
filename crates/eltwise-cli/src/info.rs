//! `eltwise info`: the CPU, the ISAs, the caches, the threads; and the kernels.

use std::fs;

use eltwise::Isa;

use crate::args::Info;
use crate::error::Result;
use crate::report::{self, Report};
use crate::threads::cpus;

/// Prints what the engine sees of this machine.
pub(crate) fn run(args: &Info, report: &mut Report) -> Result<()> {
    let isas = |which: &dyn Fn(Isa) -> bool| {
        let list: Vec<&str> = Isa::ALL.into_iter().filter(|&i| which(i)).map(Isa::name).collect();
        list.join(" ")
    };
    report.line(format_args!("eltwise    {}", env!("CARGO_PKG_VERSION")));
    report.line(format_args!("platform   {} {}", std::env::consts::ARCH, std::env::consts::OS));
    report.line(format_args!("cpu        {}", cpu_name().unwrap_or_else(|| "unknown".into())));
    report.line(format_args!("features   {}", features().join(" ")));
    report.line(format_args!("ISAs       {}", isas(&Isa::is_available)));
    report.line(format_args!("in use     {}  ({})", Isa::current(), reason()));
    report.line(format_args!("caches     {}", caches().unwrap_or_else(|| "unknown".into())));
    report.line(format_args!("threads    {}", cpus()));
    if args.kernels {
        crate::kernels::print(report);
    }
    Ok(())
}

/// Why the ISA in use is the one.
fn reason() -> String {
    match std::env::var("ELTWISE_ISA") {
        Ok(wanted) if !wanted.is_empty() => format!("the best is {}; ELTWISE_ISA={wanted}", Isa::detected()),
        _ => "the best of this CPU; ELTWISE_ISA=NAME lowers it".into(),
    }
}

/// The CPU's name for itself.
pub(crate) fn cpu_name() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let name = text.lines().find_map(|l| l.strip_prefix("model name")?.split_once(':'))?;
    Some(name.1.trim().to_string())
}

/// `L1d 48 KiB, L2 2 MiB, L3 105 MiB`, of the first CPU.
pub(crate) fn caches() -> Option<String> {
    let list = crate::caches::list();
    let one = |c: &crate::caches::Cache| format!("L{}{} {}", c.level, c.kind, report::bytes(c.bytes as u64));
    (!list.is_empty()).then(|| list.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// The CPU features that the ISAs are made of.
fn features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    macro_rules! detected {
        ($($name:tt)*) => { [$(($name, std::arch::is_x86_feature_detected!($name)),)*] };
    }
    #[cfg(target_arch = "x86_64")]
    let all = detected!("sse2" "sse4.2" "avx" "avx2" "fma" "f16c" "bmi2" "avx512f" "avx512bw" "avx512cd" "avx512dq"
        "avx512vl" "avx512vbmi" "avx512fp16" "avx512bf16");
    #[cfg(target_arch = "aarch64")]
    let all = [
        ("neon", std::arch::is_aarch64_feature_detected!("neon")),
        ("fp16", std::arch::is_aarch64_feature_detected!("fp16")),
        ("bf16", std::arch::is_aarch64_feature_detected!("bf16")),
    ];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let all = [("none", true)];
    all.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect()
}
