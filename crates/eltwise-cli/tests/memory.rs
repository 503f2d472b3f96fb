//! The peak memory of the program: its inputs and its output, mapped, and at most 4 MiB more.
#![cfg(target_os = "linux")]

mod common;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::process::Stdio;

use common::{Dir, npy, npy_f32, root};

/// What the program may use beside inputs and output.
const OVERHEAD: u64 = 4 << 20;

/// Runs the program; its peak in bytes.
///
/// The kernel's figure for a child starts at the size of the process that made it, so this process stays small: the
/// figure is never too low.
#[expect(clippy::zombie_processes, reason = "wait4 waits for it")]
fn peak(dir: &Dir, args: &[&str]) -> u64 {
    let child = dir.command(args).stdout(Stdio::null()).spawn().expect("the program");
    let mut status = 0;
    // SAFETY: rusage is plain integers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pid is a child of this process that nobody else waits for, and both pointers are to live values.
    let pid = unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage) };
    assert_eq!(pid, child.id() as libc::pid_t);
    assert_eq!(status, 0, "{args:?}");
    usage.ru_maxrss as u64 * 1024
}

/// Runs the program, which writes `out.npy`, and checks its peak against the files.
fn check(dir: &Dir, args: &[&str], files: &[&str]) {
    let bytes = |file: &str| fs::metadata(dir.path(file)).expect(file).len();
    let peak = peak(dir, args);
    let most = files.iter().map(|f| bytes(f)).sum::<u64>() + bytes("out.npy") + OVERHEAD;
    assert!(peak <= most, "{args:?}: peak {peak}, inputs, output and overhead {most}: {} more", peak - most);
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
fn the_readme_command_takes_inputs_output_and_little_more() {
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

#[test]
fn a_large_array_takes_inputs_output_and_little_more() {
    let dir = Dir::new();
    // 21 M bytes of u8 become 64 MiB of f32.
    let (rows, block) = (2731, [7u8; 2560 * 3]);
    let mut file = BufWriter::new(File::create(dir.path("img.npy")).expect("a file"));
    file.write_all(&npy("|u1", "False", &format!("({rows}, 2560, 3)"), &[])).expect("a header");
    (0..rows).for_each(|_| file.write_all(&block).expect("a row"));
    drop(file);
    dir.write("mean.npy", &npy_f32("(3,)", &[1.0; 3]));
    let args = ["eval", "(cast(img, f32) - mean) / mean", "img=img.npy", "mean=mean.npy", "-o", "out.npy"];
    check(&dir, &args, &["img.npy", "mean.npy"]);
    // A result that is not in a file is memory, which shows that the figure counts what it should.
    let result = fs::metadata(dir.path("out.npy")).expect("the output").len();
    let peak = peak(&dir, &args[..4]);
    assert!(peak > result, "peak {peak} with a result of {result} in memory");
    assert!(peak <= result + OVERHEAD + (21 << 20), "peak {peak} with a result of {result} in memory");
}
