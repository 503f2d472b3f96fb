//! `eltwise plan` and `eltwise info`.

mod common;

use common::{Dir, npy_f32};

#[test]
fn plan_explains_layouts_and_runs_nothing() {
    let dir = Dir::new();
    let out = dir.ok(&["plan", "a + b", "a=f32[8,64,56,56]", "b=f32[64,1,1]"]);
    assert!(out.starts_with("add f32  [8, 64, 56, 56] + [64, 1, 1]  (numpy)  "), "{out}");
    assert!(out.contains("strategy   direct"), "{out}");
    assert!(out.ends_with("result  f32[8, 64, 56, 56]\n"), "{out}");
    // Larger than any memory, so nothing may be allocated.
    dir.ok(&["plan", "a * 2", "a=f64[1048576,1048576,65536]"]);
    assert_eq!(dir.list(), [""; 0]);
}

#[test]
fn plan_takes_strides_files_and_isas() {
    let dir = Dir::new();
    let out = dir.ok(&["plan", "a + b", "a=f32[2048,2048]:strides[4,8192]", "b=f32[2048,2048]"]);
    assert!(out.contains("result  f32[2048, 2048]"), "{out}");
    let out = dir.ok(&["plan", "-a", "a=f32[2048,2048]:strides[4,8192]"]);
    assert!(out.ends_with("result  f32[2048, 2048] strides [4, 8192]\n"), "{out}");
    dir.write("x.npy", &npy_f32("(2, 3)", &[1.0; 6]));
    assert!(dir.ok(&["plan", "sqrt(x)", "x=x.npy", "--isa", "scalar"]).contains("scalar"));
    assert!(dir.fails(&["plan", "a + b", "a=f32[3]", "b=f32[4]"]).contains("[3]"));
    assert!(dir.fails(&["plan", "a", "a=f32[3"]).contains("not of the form"));
    assert!(dir.fails(&["plan", "a", "a=f31[3]"]).contains("a=f31[3]: unknown dtype \"f31\""));
}

#[test]
fn info_prints_the_machine_and_the_isa_in_use() {
    let dir = Dir::new();
    let out = dir.ok(&["info"]);
    for word in ["platform", "features", "ISAs", "in use", "caches", "threads"] {
        assert!(out.lines().any(|l| l.starts_with(word)), "{word}: {out}");
    }
    let lowered = dir.command(&["info"]).env("ELTWISE_ISA", "scalar").output().unwrap();
    let text = String::from_utf8(lowered.stdout).unwrap();
    assert!(text.lines().any(|l| l.starts_with("in use     scalar")), "{text}");
}

#[test]
fn every_operator_has_its_kernels_in_the_table() {
    let out = Dir::new().ok(&["info", "--kernels"]);
    for op in eltwise::Op::ALL {
        assert!(out.lines().any(|l| l.split_whitespace().next() == Some(op.info().name)), "{op}: {out}");
    }
    assert!(!out.contains("missing"), "{out}");
}
