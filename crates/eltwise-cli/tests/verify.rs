//! `eltwise verify`, on operators that are quick to verify.
#![cfg(feature = "verify")]

mod common;

use common::Dir;

#[test]
fn verify_writes_a_table_and_json_and_a_page() {
    let dir = Dir::new();
    let args = [
        "verify",
        "--function",
        "sqrt",
        "--dtype",
        "f16",
        "--tier",
        "correct",
        "--json",
        "a.json",
        "--markdown",
        "a.md",
    ];
    let out = dir.ok(&args);
    let row = out.lines().find(|line| line.starts_with("sqrt")).expect("a row");
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["sqrt", "f16", "correct", "65536", "0.5", "0", "ok"]);
    assert!(out.ends_with("1 of 1 pass\n"), "{out}");
    let json: serde_json::Value = serde_json::from_slice(&dir.read("a.json")).expect("JSON");
    assert_eq!(json["results"][0]["inputs"], 65536);
    assert!(String::from_utf8(dir.read("a.md")).expect("text").contains("| `sqrt` | correct | 0.5 |"));
}

#[test]
fn unknown_functions_dtypes_and_tiers_are_errors() {
    let dir = Dir::new();
    for (args, word) in
        [(["--function", "sine"], "sin cos tan"), (["--dtype", "i32"], "f16"), (["--tier", "slow"], "fast or correct")]
    {
        let ran = dir.run(&["verify", args[0], args[1]]);
        assert!(ran.code == Some(2) && ran.err.contains(word), "{}", ran.err);
    }
}

#[test]
fn verify_respects_eltwise_isa() {
    let dir = Dir::new();
    let verify = |more: &[&str]| {
        let args = [&["verify", "--function", "sqrt", "--dtype", "f16", "--tier", "correct", "--json", "a.json"], more]
            .concat();
        let output = dir.command(&args).env("ELTWISE_ISA", "scalar").output().expect("the tool");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    assert_eq!(verify(&[]), (Some(0), String::new()));
    let json: serde_json::Value = serde_json::from_slice(&dir.read("a.json")).expect("JSON");
    assert_eq!(json["results"][0]["isas"], serde_json::json!(["scalar"]));
    assert_eq!(verify(&["--isa", "scalar"]).0, Some(0));
    if let Some(higher) = eltwise::Isa::available().find(|&isa| isa > eltwise::Isa::Scalar) {
        let (code, message) = verify(&["--isa", higher.name()]);
        let expected = format!("error: ELTWISE_ISA=scalar excludes {higher}; expected one of scalar\n");
        assert_eq!((code, message), (Some(2), expected));
    }
}

#[test]
fn verify_resumes_from_earlier_results() {
    let dir = Dir::new();
    let verify = |function: &str, more: &[&str]| {
        let args = ["verify", "--function", "sqrt", "--function", function, "--dtype", "f16", "--tier", "correct"];
        dir.run(&[&args[..], more].concat())
    };
    assert_eq!(verify("sqrt", &["--json", "a.json"]).code, Some(0));
    // A marker that shows that a row comes from the file.
    let text = String::from_utf8(dir.read("a.json")).expect("text").replace("\"misrounded\": 0", "\"misrounded\": 77");
    std::fs::write(dir.path("a.json"), text).expect("written");
    let again = verify("cbrt", &["--resume", "a.json", "--json", "b.json"]);
    let row = |name| again.out.lines().find(|l: &&str| l.starts_with(name)).expect("a row").to_string();
    assert!(row("sqrt").contains(" 77 ") && row("cbrt").contains(" 0 "), "{}", again.out);
    let both: serde_json::Value = serde_json::from_slice(&dir.read("b.json")).expect("JSON");
    assert_eq!(both["results"].as_array().map(Vec::len), Some(2));
    // Results with more inputs replace those of a quick run, but not if the kernels have other bits.
    let text = String::from_utf8(dir.read("a.json")).expect("text");
    let more = text.replace("\"inputs\": 65536", "\"inputs\": 99999");
    assert_ne!(more, text);
    std::fs::write(dir.path("more.json"), &more).expect("written");
    let mut other: serde_json::Value = serde_json::from_str(&more).expect("JSON");
    other["results"].as_array_mut().expect("a list").iter_mut().for_each(|row| row["bits"] = "0x1".into());
    std::fs::write(dir.path("other.json"), other.to_string()).expect("written");
    for (file, args, stands) in [("more", &["--quick"][..], true), ("more", &[], false), ("other", &["--quick"], false)]
    {
        let file = format!("{file}.json");
        let ran = verify("sqrt", &[&["--resume", &file], args].concat());
        let row = ran.out.lines().find(|l| l.starts_with("sqrt")).expect("a row");
        assert_eq!((ran.code, row.contains(" 99999 "), row.contains(" 77 ")), (Some(0), stands, stands), "{}", ran.out);
    }
    let ran = verify("sqrt", &["--resume", "nothing.json"]);
    assert!(ran.code == Some(2) && ran.err.contains("nothing.json"), "{}", ran.err);
}
