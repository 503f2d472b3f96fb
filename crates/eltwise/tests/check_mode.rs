//! `ELTWISE_CHECK`: a build with check mode prints nothing, and a build without it says once on standard error that it
//! cannot check. Unit tests of check mode cover the errors that it finds.

use std::process::Command;

use eltwise::{Array, Broadcast, DType, Op, Program, Serial};

/// Set in the child process, which runs a plan twice. A process reads `ELTWISE_CHECK` once.
const ROLE: &str = "ELTWISE_TEST_RUNS_TWICE";

#[test]
fn a_build_without_check_mode_says_so_once() {
    if std::env::var_os(ROLE).is_some() {
        let x = Array::from_slice(&[1.0f32, 2.0, 3.0], [3]).unwrap();
        let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy).unwrap();
        let plan = program.bind(&[x.layout(), x.layout()]).unwrap();
        for _ in 0..2 {
            let sums = plan.run_to_arrays(&Serial, &[x.view(), x.view()]).unwrap();
            assert_eq!(sums[0].as_slice::<f32>().unwrap(), [2.0, 4.0, 6.0]);
        }
        return;
    }
    for (value, asked) in [("1", true), ("yes", true), ("0", false), ("", false)] {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "a_build_without_check_mode_says_so_once", "--nocapture"]);
        let Ok(out) = child.env(ROLE, "1").env("ELTWISE_CHECK", value).output() else {
            eltwise_testkit::skipped("this program cannot start itself (qemu): ELTWISE_CHECK was not tested");
            return;
        };
        assert!(out.status.success(), "{out:?}");
        let text = String::from_utf8_lossy(&out.stderr);
        let lines = text.lines().filter(|line| line.starts_with("eltwise: ELTWISE_CHECK is set, but")).count();
        let expected = usize::from(asked && cfg!(not(feature = "check")));
        assert_eq!(lines, expected, "ELTWISE_CHECK={value:?}: {text}");
    }
}
