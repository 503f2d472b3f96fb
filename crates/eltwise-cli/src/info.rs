//! `eltwise info`: prints the CPU, its ISAs, caches and threads, and with `--kernels` the table of kernels.

use eltwise::Isa;

use crate::args::Info;
use crate::cpu::{caches, cpu_name};
use crate::error::Result;
use crate::report::Report;
use crate::threads::cpus;

/// Prints the machine as the engine detects it.
pub(crate) fn run(args: &Info, report: &mut Report) -> Result<()> {
    let isas = |filter: &dyn Fn(Isa) -> bool| {
        let list: Vec<&str> = Isa::ALL.into_iter().filter(|&isa| filter(isa)).map(Isa::name).collect();
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
        crate::kernel_table::print(report);
    }
    Ok(())
}

/// Why this ISA is in use.
fn reason() -> String {
    match std::env::var("ELTWISE_ISA") {
        Ok(wanted) if !wanted.is_empty() => format!("the best is {}; ELTWISE_ISA={wanted}", Isa::detected()),
        _ => "the best of this CPU; ELTWISE_ISA=NAME lowers it".into(),
    }
}

/// The features of this CPU that decide which ISAs it has.
fn features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    macro_rules! detected {
        ($($name:tt)*) => { [$(($name, std::arch::is_x86_feature_detected!($name)),)*] };
    }
    #[cfg(target_arch = "x86_64")]
    let features = detected!("sse2" "sse4.2" "avx" "avx2" "fma" "f16c" "bmi2" "avx512f" "avx512bw" "avx512cd" "avx512dq"
        "avx512vl" "avx512vbmi" "avx512fp16" "avx512bf16");
    #[cfg(target_arch = "aarch64")]
    let features = [
        ("neon", std::arch::is_aarch64_feature_detected!("neon")),
        ("fp16", std::arch::is_aarch64_feature_detected!("fp16")),
        ("bf16", std::arch::is_aarch64_feature_detected!("bf16")),
    ];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let features = [("none", true)];
    features.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect()
}
