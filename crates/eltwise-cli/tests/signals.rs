//! Interrupted runs: signals, truncated inputs, and limits on the size of files.
#![cfg(unix)]

mod common;

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{Dir, npy};

/// Starts a long run over `x.npy`, a sparse file with 4 GiB of zeros, and waits for its unfinished output. The shell command
/// `before` runs first.
fn started(dir: &Dir, before: &str) -> Child {
    let elements = 1u64 << 29;
    dir.write("x.npy", &npy("<f8", "False", &format!("({elements},)"), &[]));
    let file = File::options().write(true).open(dir.path("x.npy")).expect("the file");
    file.set_len(128 + 8 * elements).expect("a longer file");
    let mut child = shell(dir, before, &["eval", "-q", "x < 1", "x=x.npy", "-o", "out.npy", "--threads", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    let deadline = Instant::now() + Duration::from_secs(60);
    while dir.list().len() < 2 {
        assert!(Instant::now() < deadline && child.try_wait().expect("a status").is_none(), "no output begins");
        sleep(Duration::from_millis(1));
    }
    child
}

/// A shell that runs `before` and then replaces itself by the tool. It starts with the default signal actions, because the
/// tests may run with ignored signals, for example in the background of a shell.
fn shell(dir: &Dir, before: &str, args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    let program = format!("{before}; exec {} \"$@\"", env!("CARGO_BIN_EXE_eltwise"));
    command.args(["-c", &program, "sh"]).args(args).current_dir(dir.path(".")).env_remove("ELTWISE_ISA");
    let reset = || {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGXFSZ] {
            // SAFETY: the signal number and the default action are valid; no handler is installed.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure calls only `signal`, which is async-signal-safe.
    unsafe { command.pre_exec(reset) };
    command
}

fn send(signal: &str, child: &Child) {
    let kill = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
    assert!(kill.expect("kill").success());
}

#[test]
fn an_input_that_becomes_shorter_is_an_error() {
    let dir = Dir::new();
    let child = started(&dir, ":");
    File::options().write(true).open(dir.path("x.npy")).expect("the file").set_len(1 << 20).expect("a shorter file");
    let output = child.wait_with_output().expect("the tool");
    let message = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{:?} {message}", output.status);
    let expected = "error: x.npy: became shorter while it was read: it has 1048576 bytes, expected ";
    assert!(message.starts_with(expected) && message.lines().count() == 1, "{message}");
    assert_eq!(dir.list(), ["x.npy"]);
}

#[test]
fn an_interrupted_run_removes_its_output_and_exits_with_the_signal() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let dir = Dir::new();
        let child = started(&dir, ":");
        send(signal, &child);
        let output = child.wait_with_output().expect("the tool");
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(code), &b""[..]), "{signal}");
        assert_eq!(dir.list(), ["x.npy"], "{signal}");
    }
}

#[test]
fn signals_ignored_by_the_caller_do_not_end_a_run() {
    for (ignored, other, code) in
        [("HUP", "TERM", 143), ("INT", "HUP", 129), ("HUP INT", "TERM", 143), ("TERM", "INT", 130)]
    {
        let dir = Dir::new();
        let mut child = started(&dir, &format!("trap '' {ignored}"));
        for signal in ignored.split(' ') {
            send(signal, &child);
        }
        // Time for the thread that removes files, if it ran. An ignored signal has no effect that a test could wait for.
        sleep(Duration::from_millis(200));
        assert!(child.try_wait().expect("a status").is_none(), "{ignored} ended the run");
        assert_eq!(dir.list().len(), 2, "{ignored}");
        send(other, &child);
        assert_eq!(child.wait().expect("the tool").code(), Some(code), "{other} after {ignored}");
        assert_eq!(dir.list(), ["x.npy"], "{other} after {ignored}");
    }
}

#[test]
fn an_output_larger_than_the_file_size_limit_is_an_error() {
    let dir = Dir::new();
    dir.write("c.npy", &npy("<i4", "False", "(300000,)", &[7; 1_200_000]));
    // The unit is 512 or 1024 bytes. The tool inherits the signals that the shell ignores.
    for before in ["ulimit -f 100", "trap '' XFSZ; ulimit -f 100"] {
        let Output { status, stderr, .. } =
            shell(&dir, before, &["eval", "-q", "c + 1", "c=c.npy", "-o", "out.npy"]).output().expect("a shell");
        let message = String::from_utf8(stderr).expect("text");
        assert_eq!(status.code(), Some(2), "{before}: {status:?} {message}");
        assert!(message.starts_with("error: out.npy: ") && message.lines().count() == 1, "{before}: {message}");
        assert_eq!(dir.list(), ["c.npy"], "{before}");
    }
    let status = shell(&dir, "ulimit -f 0", &["eval", "-q", "c + 1", "c=c.npy", "-o", "out.npy"]).status();
    assert_eq!(status.as_ref().ok().and_then(ExitStatus::code), Some(2), "{status:?}");
    assert_eq!(dir.list(), ["c.npy"]);
}
