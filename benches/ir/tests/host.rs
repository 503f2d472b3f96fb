//! What is counted does not depend on the host: the same plans whatever caches it reports, because nobody asks it.
//!
//! The host of a child process is lied to: this program's `open64` is the one that the standard library calls.
#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

use std::ffi::{CStr, c_char, c_int};
use std::fmt::Write as _;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use eltwise::{CpuModel, Isa};
use eltwise_ir::{plans, runs};

/// The variable that names a child's part: `host` prints the CPU as it is read, `counted` what is counted.
const PART: &str = "ELTWISE_IR_PART";
/// A file that a child's host has for the size of its second-level cache, as C knows it.
static REPORTED: &CStr = c"ELTWISE_IR_L2";
/// Files on the host's CPUs that were opened.
static ASKED: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" {
    fn getenv(name: *const c_char) -> *const c_char;
    fn openat64(folder: c_int, path: *const c_char, flags: c_int, mode: c_int) -> c_int;
}

/// Opens a file: another one for the size of the second-level cache, where the process is told one.
///
/// # Safety
/// `path` is a text that a zero ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: c_int) -> c_int {
    /// The folder from which a relative path goes on: the current one.
    const CURRENT: c_int = -100;
    // SAFETY: the caller's promise.
    let asked = unsafe { CStr::from_ptr(path) }.to_bytes();
    if asked.starts_with(b"/sys/devices/system/cpu/") {
        ASKED.fetch_add(1, Ordering::Relaxed);
    }
    // SAFETY: the name is ended by a zero; nobody changes the environment of this process.
    let other = unsafe { getenv(REPORTED.as_ptr()) };
    let is_l2 = asked.ends_with(b"/index2/size") && !other.is_null();
    // SAFETY: both are texts that a zero ends; the flags are the caller's.
    unsafe { openat64(CURRENT, if is_l2 { other } else { path }, flags, mode) }
}

/// What a child with this part prints, on a host that reports a second-level cache of `size`.
fn child(part: &str, size: &str) -> String {
    let path = std::env::temp_dir().join(format!("eltwise-ir-{}-{size}", std::process::id()));
    std::fs::write(&path, size).unwrap();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "counts_do_not_depend_on_the_host", "--nocapture"])
        .env(PART, part)
        .env(REPORTED.to_str().unwrap(), &path)
        .output();
    std::fs::remove_file(&path).unwrap();
    let output = child.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    // libtest's own lines have the time in them.
    text.lines().filter_map(|line| line.strip_prefix("| ")).fold(String::new(), |text, line| text + line + "\n")
}

/// Plans of everything that is counted, in words.
fn explained() -> String {
    let mut text = String::new();
    for (name, ..) in runs::RUNS {
        let _ = writeln!(text, "{name}\n{}", runs::unchecked(name).plan().explain(4));
    }
    for (name, unbound) in plans::BINDINGS {
        let _ = writeln!(text, "{name}\n{}", unbound().bind().unwrap().explain(4));
    }
    text
}

#[test]
fn counts_do_not_depend_on_the_host() {
    let part = std::env::var(PART).unwrap_or_default();
    let text = match &part[..] {
        "host" => format!("{:?}\n", CpuModel::current()),
        "counted" => explained(),
        _ => String::new(),
    };
    if !part.is_empty() {
        println!();
        text.lines().for_each(|line| println!("| {line}"));
        println!("| {} questions to the host", ASKED.load(Ordering::Relaxed));
        return;
    }
    if !Isa::Avx2.is_available() {
        println!("SKIPPED: this CPU has no {}, whose instructions are counted", Isa::Avx2);
        return;
    }
    for (size, bytes) in [("1024K", 1 << 20), ("2048K", 2 << 20)] {
        let host = child("host", size);
        assert!(host.contains(&format!("l2: {bytes},")) && !host.contains("| 0 questions"), "{host}");
    }
    let [counted, other] = ["1024K", "2048K"].map(|size| child("counted", size));
    assert!(counted.ends_with("\n0 questions to the host\n"), "{counted}");
    assert!(counted.contains("add_rank_8") && counted.contains("plane_kernel"));
    assert_eq!(counted, other);
}
