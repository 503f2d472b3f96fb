//! The peak memory of the tool: a few pieces of its files, independent of their size.
#![cfg(target_os = "linux")]

mod common;

use std::fs::{self, File};
use std::process::Stdio;

use common::{Dir, npy, root};

/// The memory allowed in addition to the tool's code and the sizes of small inputs and outputs.
const OVERHEAD: u64 = 256 << 10;

/// Runs the tool and returns its peak memory in bytes.
///
/// The kernel counts a child's peak from the size of the process that created it, so the value may be too high but never too
/// low. This process stays small to keep it accurate.
#[expect(clippy::zombie_processes, reason = "wait4 waits for it")]
fn peak(dir: &Dir, args: &[&str]) -> u64 {
    let child = dir.command(args).stdout(Stdio::null()).spawn().expect("the tool");
    let mut status = 0;
    // SAFETY: rusage has only integer fields, for which zero bytes are a valid value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pid is a child of this process that nobody else waits for, and both pointers are to live locals.
    let pid = unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage) };
    assert_eq!(pid, child.id() as libc::pid_t);
    assert_eq!(status, 0, "{args:?}");
    usage.ru_maxrss as u64 * 1024
}

/// Runs the tool, which writes `out.npy`, and checks its peak memory against the sizes of the files.
fn check(dir: &Dir, args: &[&str], files: &[&str]) {
    let bytes = |file: &str| fs::metadata(dir.path(file)).expect(file).len();
    // The peak of a run that does nothing: mostly code, which is large in a debug build.
    let idle = peak(dir, &["--version"]);
    let peak = peak(dir, args);
    let most = idle + files.iter().map(|f| bytes(f)).sum::<u64>() + bytes("out.npy") + OVERHEAD;
    assert!(peak <= most, "{args:?}: peak {peak}, code, inputs, output and overhead {most}: {} more", peak - most);
}

/// The words of the README's first command after `cargo run --release --`.
fn readme_command() -> Vec<String> {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let line = readme.lines().find_map(|l| l.trim().strip_prefix("cargo run --release -- ")).expect("the command");
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("a word").push(c),
        }
    }
    words
}

#[test]
fn the_readme_command_needs_little_more_than_its_files() {
    let dir = Dir::new();
    for name in ["astronaut", "mean", "std"] {
        let file = format!("examples/data/{name}.npy");
        fs::copy(root().join(file), dir.path(&format!("{name}.npy"))).expect("the example's data");
    }
    let words: Vec<String> = readme_command().iter().map(|w| w.replace("examples/data/", "")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(words[0], "eval");
    check(&dir, &words, &["astronaut.npy", "mean.npy", "std.npy"]);
}

/// Writes `x.npy`: `elements` zeros of 8 bytes, as a sparse file.
fn zeros(dir: &Dir, order: &str, shape: &str, elements: u64) {
    dir.write("x.npy", &npy("<f8", order, shape, &[]));
    let file = File::options().write(true).open(dir.path("x.npy")).expect("the file");
    let header = file.metadata().expect("its length").len();
    file.set_len(header + elements * 8).expect("a longer file");
}

#[test]
fn memory_does_not_grow_with_the_files() {
    let dir = Dir::new();
    for write in [&["-o", "out.npy"][..], &[]] {
        let mut peaks = Vec::new();
        for rows in [8 << 10, 64 << 10] {
            zeros(&dir, "False", &format!("({rows}, 1024)"), rows * 1024);
            let args = [&["eval", "x + 1 < 2", "x=x.npy", "--threads", "2"], write].concat();
            peaks.push(peak(&dir, &args));
        }
        // Files of 64 MiB and 512 MiB. Most of the peak is the tool itself.
        assert!(peaks[1] <= peaks[0] + (1 << 20) && peaks[1] <= 16 << 20, "{write:?}: peaks {peaks:?}");
    }
}

#[test]
fn memory_is_bounded_for_files_of_different_axis_orders() {
    let dir = Dir::new();
    let mut peaks = Vec::new();
    for rows in [4 << 10, 16 << 10] {
        zeros(&dir, "True", &format!("({rows}, 4096)"), rows * 4096);
        let args = ["eval", "x < 2", "x=x.npy", "-o", "out.safetensors", "--threads", "2"];
        peaks.push(peak(&dir, &args));
    }
    // Files of 128 MiB and 512 MiB. Each of two threads has a piece of 16 MiB.
    assert!(peaks[1] <= peaks[0] + (1 << 20) && peaks[1] <= 48 << 20, "peaks {peaks:?}");
}
