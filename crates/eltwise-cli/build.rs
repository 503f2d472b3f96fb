//! Passes the compiler version, the flags and the profile to the binary, for the records of benchmark runs.

use std::env;
use std::process::Command;

fn main() {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let version = output.ok().and_then(|o| String::from_utf8(o.stdout).ok()).unwrap_or_default();
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().replace('\x1f', " ");
    println!("cargo:rustc-env=ELTWISE_RUSTC={}", version.trim());
    println!("cargo:rustc-env=ELTWISE_RUSTFLAGS={}", flags.trim());
    println!("cargo:rustc-env=ELTWISE_PROFILE={}", env::var("PROFILE").unwrap_or_default());
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
}
