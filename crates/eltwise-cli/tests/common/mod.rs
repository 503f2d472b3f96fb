//! Runs the tool in a temporary directory, and reads and writes the files of tests.
#![allow(dead_code, reason = "each test binary uses some of the functions")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The temporary directory of a test.
pub(crate) struct Dir(tempfile::TempDir);

/// The exit code and the output of a run of the tool.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Dir {
    pub(crate) fn new() -> Dir {
        Dir(tempfile::tempdir().expect("a directory"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("a file");
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The names of the files, sorted.
    pub(crate) fn list(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the directory");
        let mut names: Vec<String> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// A command that runs the tool in this directory.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eltwise"));
        command.args(args).current_dir(self.0.path()).env_remove("ELTWISE_ISA");
        command
    }

    /// Runs the tool in this directory.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        let Output { status, stdout, stderr } = self.command(args).output().expect("the tool");
        let text = |b: Vec<u8>| String::from_utf8(b).expect("text");
        Ran { code: status.code(), out: text(stdout), err: text(stderr) }
    }

    /// Runs the tool, which must succeed with an empty standard error. Returns standard output.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!((ran.code, &ran.err[..]), (Some(0), ""), "{args:?}");
        ran.out
    }

    /// Runs the tool, which must fail with exit code 2 and `error: ...`. Returns the message.
    pub(crate) fn fails(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(2), "{args:?}: {}{}", ran.out, ran.err);
        ran.err.strip_prefix("error: ").unwrap_or_else(|| panic!("{args:?}: {}", ran.err)).trim_end().to_string()
    }
}

/// An `.npy` file as NumPy writes it. `order` is the text of `fortran_order`: `True` for Fortran order.
pub(crate) fn npy(descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((text.len() as u16).to_le_bytes());
    file.extend(text.into_bytes());
    file.extend(data);
    file
}

/// A C-order f32 array as an `.npy` file.
pub(crate) fn npy_f32(shape: &str, values: &[f32]) -> Vec<u8> {
    npy("<f4", "False", shape, &f32_bytes(values))
}

pub(crate) fn f32_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// The data of an `.npy` file, which must have exactly this header.
pub(crate) fn data<'a>(file: &'a [u8], descr: &str, order: &str, shape: &str) -> &'a [u8] {
    let header = npy(descr, order, shape, &[]);
    file.strip_prefix(&header[..]).unwrap_or_else(|| {
        panic!("expected {descr} {shape}: {:?}", String::from_utf8_lossy(&file[..file.len().min(header.len())]))
    })
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}
