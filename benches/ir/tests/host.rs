//! The counts do not depend on the host: plans are the same for different cache sizes, because nothing reads them.
//!
//! A child process sees another size of L2: this program replaces the `open64` that the standard library calls.
#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

use std::ffi::{CStr, c_char, c_int};
use std::fmt::Write as _;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use eltwise::Isa;
use eltwise_ir::{plans, runs};

/// The environment variable that selects the output of a child: `host` for the detected CPU, `counted` for the plans
/// that are counted.
const PART: &str = "ELTWISE_IR_PART";
/// The environment variable with the path of the file that replaces the size of L2.
static REPORTED: &CStr = c"ELTWISE_IR_L2";
/// Number of opened files that describe the host's CPUs.
static OPENED: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" {
    fn getenv(name: *const c_char) -> *const c_char;
    fn openat64(folder: c_int, path: *const c_char, flags: c_int, mode: c_int) -> c_int;
}

/// Replaces `open64`. Opens another file for the size of L2 if the environment names one.
///
/// # Safety
/// `path` is a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: c_int) -> c_int {
    /// `AT_FDCWD`: relative paths start at the current directory.
    const AT_FDCWD: c_int = -100;
    // SAFETY: the caller guarantees that `path` is NUL-terminated.
    let opened = unsafe { CStr::from_ptr(path) }.to_bytes();
    if opened.starts_with(b"/sys/devices/system/cpu/") {
        OPENED.fetch_add(1, Ordering::Relaxed);
    }
    // SAFETY: the name is NUL-terminated, and nothing changes the environment of this process.
    let replacement = unsafe { getenv(REPORTED.as_ptr()) };
    let is_replaced = opened.ends_with(b"/index2/size") && !replacement.is_null();
    // SAFETY: both paths are NUL-terminated; the flags are the caller's.
    unsafe { openat64(AT_FDCWD, if is_replaced { replacement } else { path }, flags, mode) }
}

/// The output of a child for this part, on a host that reports an L2 of `size`.
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
    // Other lines are libtest's and contain the time.
    text.lines().filter_map(|line| line.strip_prefix("| ")).fold(String::new(), |text, line| text + line + "\n")
}

/// The explanations of all plans that are counted.
fn explained() -> String {
    let mut text = String::new();
    for (name, ..) in runs::RUNS {
        let _ = writeln!(text, "{name}\n{}", runs::unchecked(name).plan().explain(4));
    }
    for (name, make_case) in plans::BIND_CASES {
        let _ = writeln!(text, "{name}\n{}", make_case().bind().unwrap().explain(4));
    }
    text
}

#[test]
fn counts_do_not_depend_on_the_host() {
    let part = std::env::var(PART).unwrap_or_default();
    let text = match &part[..] {
        "host" => format!("{:?}\n", eltwise::cpu_model()),
        "counted" => explained(),
        _ => String::new(),
    };
    if !part.is_empty() {
        println!();
        text.lines().for_each(|line| println!("| {line}"));
        println!("| {} files of the host read", OPENED.load(Ordering::Relaxed));
        return;
    }
    if !Isa::Avx2.is_available() {
        println!("SKIPPED: this CPU has no {}, the ISA of the counts", Isa::Avx2);
        return;
    }
    for (size, bytes) in [("1024K", 1 << 20), ("2048K", 2 << 20)] {
        let host = child("host", size);
        assert!(host.contains(&format!("l2: {bytes},")) && !host.contains("| 0 files of the host read"), "{host}");
    }
    let [counted, other] = ["1024K", "2048K"].map(|size| child("counted", size));
    assert!(counted.ends_with("\n0 files of the host read\n"), "{counted}");
    assert!(counted.contains("add_rank_8") && counted.contains("batch_norm"));
    assert_eq!(counted, other);
}
