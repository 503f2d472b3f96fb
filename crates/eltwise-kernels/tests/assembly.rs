//! The compiled inner loops of some kernels have no call, and have the vector instructions of the operator.
//!
//! The test disassembles itself with `objdump` (binutils come with a C linker), finds the innermost loop with the
//! required instructions, and compares the loop with the list in `tests/assembly/<architecture>/<kernel>_<isa>.txt`. It
//! compares the list only if the same compiler made it; the rules (no call, the required instructions) hold for every
//! compiler.
//! `ELTWISE_BLESS=1 cargo test -p eltwise-kernels --test assembly` writes new lists, and fails.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use eltwise_core::Fused;
use eltwise_core::{DType, Op};
use eltwise_kernels::table::fused::fused;
use eltwise_kernels::{Entry, kernel};
use eltwise_simd::Isa;
use eltwise_testkit::skipped;

/// An instruction that a loop must have: the prefix of its name, a part of its operands, and how often it occurs at
/// least.
type Need = (&'static str, &'static str, usize);

/// A kernel, and the instructions that its loop must have on each ISA.
struct Case {
    name: &'static str,
    kernel: fn(Isa) -> Option<Entry>,
    needs: &'static [(Isa, &'static [Need])],
}

const CASES: &[Case] = &[
    Case {
        name: "add_f32",
        kernel: |isa| kernel(Op::Add, DType::F32, DType::F32, isa),
        needs: &[
            (Isa::Scalar, if cfg!(target_arch = "aarch64") { &[("fadd", ".4s", 4)] } else { &[("addps", "xmm", 4)] }),
            (Isa::Avx2, &[("vaddps", "ymm", 4)]),
            (Isa::Avx512, &[("vaddps", "zmm", 4)]),
            (Isa::Neon, &[("fadd", ".4s", 4)]),
        ],
    },
    Case {
        name: "add_f16",
        kernel: |isa| kernel(Op::Add, DType::F16, DType::F16, isa),
        needs: &[(Isa::Avx2, &[("vcvtph2ps", "ymm", 8), ("vfmadd", "ymm", 4), ("vcvtps2ph", "ymm", 4)])],
    },
    Case {
        name: "cast_f32_bf16",
        kernel: |isa| kernel(Op::Cast, DType::F32, DType::BF16, isa),
        needs: &[(Isa::Avx512, &[("vpermw", "zmm", 2), ("vpsubusw", "zmm", 2)])],
    },
    Case {
        name: "multiply_f16",
        kernel: |isa| kernel(Op::Multiply, DType::F16, DType::F16, isa),
        needs: &[
            (Isa::Avx2, &[("vcvtph2ps", "ymm", 8), ("vmulps", "ymm", 4), ("vcvtps2ph", "ymm", 4)]),
            (Isa::Avx512, &[("vcvtph2ps", "zmm", 8), ("vmulps", "zmm", 4), ("vcvtps2ph", "zmm", 4)]),
            (Isa::Avx512Fp16, &[("vmulph", "zmm", 4)]),
            (Isa::Neon, &[("fcvtl", ".4s", 8), ("fmul", ".4s", 4), ("fcvtn", ".4h", 4)]),
            (Isa::NeonFp16, &[("fmul", ".8h", 4)]),
        ],
    },
    Case {
        name: "maximum_f16",
        kernel: |isa| kernel(Op::Maximum, DType::F16, DType::F16, isa),
        needs: &[
            (Isa::Avx512Fp16, &[("vmaxph", "zmm", 8), ("vpternlog", "zmm", 4)]),
            (Isa::NeonFp16, &[("fmax", ".8h", 4)]),
        ],
    },
    // Compares the bits in 16-bit lanes, without a conversion.
    Case {
        name: "minimum_bf16",
        kernel: |isa| kernel(Op::Minimum, DType::BF16, DType::BF16, isa),
        needs: &[
            (Isa::Avx2, &[("vpmaxuw", "ymm", 4), ("vpminuw", "ymm", 4), ("vpblendvb", "ymm", 4)]),
            (Isa::Avx512, &[("vpmaxuw", "zmm", 4), ("vpminuw", "zmm", 4)]),
        ],
    },
    Case {
        name: "less_f16",
        kernel: |isa| kernel(Op::Less, DType::F16, DType::F16, isa),
        needs: &[
            (Isa::Avx512Fp16, &[("vcmplt_oqph", "zmm", 4), ("kunpckdq", "", 2)]),
            (Isa::NeonFp16, &[("fcmgt", ".8h", 4), ("uzp1", "", 2)]),
        ],
    },
    Case {
        name: "less_f32",
        kernel: |isa| kernel(Op::Less, DType::F32, DType::F32, isa),
        needs: &[
            (Isa::Avx2, &[("vcmplt", "ymm", 4), ("vpackss", "ymm", 3)]),
            (Isa::Avx512, &[("vcmplt", "zmm", 4), ("kunpck", "", 3), ("vmovdq", "zmm", 1)]),
            (Isa::Neon, &[("fcmgt", ".4s", 4), ("uzp1", "", 3)]),
        ],
    },
    Case {
        name: "multiply_then_add_f32",
        kernel: |isa| fused(Fused::new(None, Some(Op::Multiply), Op::Add, None, DType::F32)?, isa),
        needs: &[
            (Isa::Avx2, &[("vmulps", "ymm", 4), ("vaddps", "ymm", 4)]),
            (Isa::Avx512, &[("vmulps", "zmm", 4), ("vaddps", "zmm", 4)]),
            (Isa::Neon, &[("fmul", ".4s", 4), ("fadd", ".4s", 4)]),
        ],
    },
    Case {
        name: "subtract_then_divide_u8_f32",
        kernel: |isa| fused(Fused::new(Some(DType::U8), Some(Op::Subtract), Op::Divide, None, DType::F32)?, isa),
        needs: &[
            (Isa::Avx2, &[("vpmovzxbd", "ymm", 4), ("vcvtdq2ps", "ymm", 4), ("vdivps", "ymm", 4)]),
            (Isa::Avx512, &[("vpmovzxbd", "zmm", 4), ("vcvtdq2ps", "zmm", 4), ("vdivps", "zmm", 4)]),
        ],
    },
];

#[test]
fn inner_loops_have_no_call_and_the_required_instructions() {
    let Some(objdump) = objdump() else {
        skipped("no objdump for this architecture: the instructions of inner loops were not checked");
        return;
    };
    let (mut checked, mut other_compilers, mut written) = (0, Vec::new(), false);
    for case in CASES {
        for &(isa, needs) in case.needs {
            // The CPU need not have the ISA, because the kernel is not run.
            if !isa.is_native() {
                continue;
            }
            let entry = (case.kernel)(isa).expect("the kernel is in the table");
            assert_eq!(entry.owner, isa, "{} on {isa} is its own kernel", case.name);
            let body = disassemble(&objdump, entry.kernel as usize);
            let inner = hot_loop(&body, needs).unwrap_or_else(|| {
                panic!("{} on {isa}: no loop with {needs:?} in:\n{}", case.name, listing(&body));
            });
            let calls =
                inner.iter().filter(|i| i.mnemonic.starts_with("call") || i.mnemonic == "bl" || i.mnemonic == "blr");
            assert_eq!(calls.count(), 0, "{} on {isa} calls in its loop:\n{}", case.name, listing(inner));
            match compare(&format!("{}_{isa}", case.name), inner) {
                Compared::Same => {}
                Compared::OtherCompiler(compiler) => other_compilers.push(compiler),
                Compared::Written => written = true,
            }
            checked += 1;
        }
    }
    assert!(checked > 0, "no ISA was checked");
    if let Some(compiler) = other_compilers.first() {
        let all = "LISTS OF INNER LOOPS WERE NOT COMPARED (crates/eltwise-kernels/tests/assembly)";
        skipped(&format!(
            "{} of {checked} {all}: they were made by {compiler}, this is {}; review the loops (`just asm`), then ELTWISE_BLESS=1",
            other_compilers.len(),
            rustc_version()
        ));
    }
    assert!(!written, "the lists were written: review them, then run again without ELTWISE_BLESS");
}

/// The result of the comparison with a committed list.
enum Compared {
    Same,
    /// The list was made by this compiler, not by the one that compiled the test.
    OtherCompiler(String),
    Written,
}

struct Instruction {
    address: u64,
    mnemonic: String,
    operands: String,
}

/// The name of an `objdump` that supports this architecture.
fn objdump() -> Option<String> {
    let cross = if cfg!(target_arch = "aarch64") { "aarch64-linux-gnu-objdump" } else { "objdump" };
    let candidates = [cross, "objdump"];
    candidates.into_iter().find(|c| Command::new(c).arg("--version").output().is_ok()).map(Into::into)
}

/// The instructions of the function at an address of this process.
fn disassemble(objdump: &str, address: usize) -> Vec<Instruction> {
    let exe = std::env::current_exe().expect("this test has a file");
    let maps = std::fs::read_to_string("/proc/self/maps").expect("linux has /proc");
    // The lowest mapping of a position-independent executable is at its virtual address 0.
    let base = maps
        .lines()
        .filter(|l| l.ends_with(exe.to_str().expect("the path is text")))
        .filter_map(|l| usize::from_str_radix(l.split('-').next()?, 16).ok())
        .min()
        .expect("this file is mapped");
    let start = address - base;
    let output = Command::new(objdump)
        .args(["--disassemble", "--no-show-raw-insn", "-w"])
        .arg(format!("--start-address={start:#x}"))
        .arg(format!("--stop-address={:#x}", start + 0x4000))
        .arg(exe)
        .output()
        .expect("objdump runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut body = vec![];
    for line in text.lines() {
        // The label of the next function ends this one.
        if line.ends_with(">:") {
            if body.is_empty() {
                continue;
            }
            break;
        }
        let Some((at, rest)) = line.trim_start().split_once(":\t") else { continue };
        let Ok(address) = u64::from_str_radix(at, 16) else { continue };
        let rest = rest.trim();
        let (mnemonic, operands) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
        let operands = operands.trim().split(" # ").next().unwrap_or("").to_string();
        body.push(Instruction { address, mnemonic: mnemonic.to_string(), operands });
    }
    body
}

/// The shortest loop (a backward jump and its target, with all between them) that has the required instructions.
fn hot_loop<'a>(body: &'a [Instruction], needs: &[(&str, &str, usize)]) -> Option<&'a [Instruction]> {
    let mut best: Option<&[Instruction]> = None;
    for (end, jump) in body.iter().enumerate() {
        let is_jump =
            jump.mnemonic.starts_with('j') || jump.mnemonic.starts_with("b.") || jump.mnemonic.starts_with("cb");
        if !is_jump {
            continue;
        }
        let mut target =
            jump.operands.split([' ', ',']).filter_map(|t| u64::from_str_radix(t.trim_start_matches("0x"), 16).ok());
        let Some(target) = target.next_back().filter(|&t| t <= jump.address) else { continue };
        let Some(start) = body.iter().position(|i| i.address == target) else { continue };
        let inner = &body[start..=end];
        let has = |&(mnemonic, register, count): &(&str, &str, usize)| {
            let fits = |i: &&Instruction| i.mnemonic.starts_with(mnemonic) && i.operands.contains(register);
            inner.iter().filter(fits).count() >= count
        };
        if needs.iter().all(has) && best.is_none_or(|b| inner.len() < b.len()) {
            best = Some(inner);
        }
    }
    best
}

fn listing(body: &[Instruction]) -> String {
    body.iter().fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "{:x} {} {}", i.address, i.mnemonic, i.operands);
        text
    })
}

/// Compares the instructions of a loop (the count of each, by register size) with the committed list.
fn compare(name: &str, inner: &[Instruction]) -> Compared {
    let mut counts = BTreeMap::<String, usize>::new();
    for i in inner {
        let size = ["zmm", "ymm", "xmm", ".4s", ".8h", ".16b", ".8b"].into_iter().find(|s| i.operands.contains(s));
        *counts.entry(format!("{} {}", i.mnemonic, size.unwrap_or("")).trim().to_string()).or_default() += 1;
    }
    let compiler = format!("{} opt-level {}", rustc_version(), option_env!("OPT_LEVEL").unwrap_or("3"));
    let mut text = format!("{compiler}\n");
    for (instruction, count) in counts {
        let _ = writeln!(text, "{count:3} {instruction}");
    }
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/assembly").join(std::env::consts::ARCH);
    let file = folder.join(format!("{name}.txt"));
    if std::env::var_os("ELTWISE_BLESS").is_some_and(|value| value == "1") {
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        std::fs::write(&file, text).expect("the list can be written");
        return Compared::Written;
    }
    let committed = std::fs::read_to_string(&file)
        .unwrap_or_else(|e| panic!("{}: {e}; ELTWISE_BLESS=1 writes the list of a new kernel", file.display()));
    let first = committed.lines().next().unwrap_or_default();
    if first != compiler {
        return Compared::OtherCompiler(first.to_string());
    }
    assert_eq!(text, committed, "{name}: the inner loop changed; review it, then ELTWISE_BLESS=1");
    Compared::Same
}

fn rustc_version() -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().map(|o| o.stdout).unwrap_or_default();
    String::from_utf8_lossy(&version).trim().to_string()
}
