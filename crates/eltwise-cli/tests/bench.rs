//! `eltwise bench`: saved runs, comparisons and output formats. Times are not checked, because other tests run at the same
//! time.

mod common;

use std::collections::HashSet;

use common::{Dir, root};
use serde_json::Value;

/// The arguments for a few short cases.
const FEW: [&str; 6] = ["bench", "--quick", "--filter", "add/f32/L1", "--filter", "calls/run"];

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(bytes)))
}

/// Runs a few cases with more options. Returns the exit code and standard output.
fn few(dir: &Dir, more: &[&str]) -> (Option<i32>, String) {
    let ran = dir.run(&[&FEW[..], more].concat());
    assert!(matches!(ran.code, Some(0 | 3)), "{more:?}: {}", ran.err);
    (ran.code, ran.out)
}

/// Saves a run as `saved`, with all times multiplied by `factor`.
fn save(dir: &Dir, factor: f64) {
    few(dir, &["--save", "saved", "--dir", "."]);
    let mut run = json(&dir.read("saved.json"));
    for case in run["cases"].as_array_mut().expect("cases") {
        for key in ["median", "low", "high"] {
            case["time"][key] = Value::from(case["time"][key].as_f64().expect("a time") * factor);
        }
    }
    dir.write("saved.json", run.to_string().as_bytes());
}

#[test]
fn a_slowdown_is_reported_with_exit_code_3() {
    let dir = Dir::new();
    save(&dir, 0.05);
    let (code, out) = few(&dir, &["--against", "saved", "--dir", ".", "--html", "r.html"]);
    assert_eq!(code, Some(3), "{out}");
    let slower: Vec<&str> = out.lines().filter(|l| l.ends_with("SLOWER")).collect();
    assert_eq!(slower.len(), 4, "{out}");
    assert!(slower[0].starts_with("operators/add/f32/L1"), "{out}");
    assert!(out.contains("4 slower, 0 faster, 0 same (threshold 5 %)"), "{out}");
    assert_eq!(String::from_utf8(dir.read("r.html")).expect("text").matches("tag slower").count(), 4);
}

#[test]
fn runs_that_are_equal_or_faster_are_no_regression() {
    let dir = Dir::new();
    save(&dir, 1.0);
    // Other tests run at the same time, so only a case that takes three times as long fails.
    let (code, out) = few(&dir, &["--against", "saved", "--dir", ".", "--threshold", "200"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("0 slower"), "{out}");
    save(&dir, 20.0);
    let (code, out) = few(&dir, &["--against", "saved", "--dir", "."]);
    assert!(code == Some(0) && out.contains("0 slower, 4 faster"), "{out}");
}

#[test]
fn differences_of_machine_build_and_cases_are_reported() {
    let dir = Dir::new();
    save(&dir, 1.0);
    let mut run = json(&dir.read("saved.json"));
    run["machine"]["cpu"] = "Another CPU".into();
    run["build"]["rustc"] = "rustc 1.0.0".into();
    run["cases"][0]["elements"] = 7.into();
    run["cases"][1]["name"] = "operators/add/f32/L1/gone".into();
    dir.write("saved.json", run.to_string().as_bytes());
    let ran = dir.run(&[&FEW[..], &["--against", "saved", "--dir", ".", "--threshold", "200"]].concat());
    for text in
        ["CPU: saved \"Another CPU\"", "compiler: saved \"rustc 1.0.0\"", "\"operators/add/f32/L1/gone\" was not"]
    {
        assert!(ran.err.contains(text), "{text}: {}", ran.err);
    }
    assert!(ran.out.contains("not comparable") && ran.out.lines().any(|l| l.ends_with("  new")), "{}", ran.out);
}

#[test]
fn invalid_arguments_are_errors_before_the_measurement() {
    let dir = Dir::new();
    dir.write("broken.json", b"{ \"schema\": ");
    dir.write("other.json", b"{ \"schema\": \"eltwise-bench-0\" }");
    dir.write("short.json", b"{ \"schema\": \"eltwise-bench-1\" }");
    let fails = |args: &[&str]| dir.fails(&[&["bench"], args].concat());
    let unknown = fails(&["--against", "main", "--dir", "."]);
    assert_eq!(unknown, "no saved run \"main\" in .; saved there: broken, other, short");
    assert!(fails(&["--against", "main", "--dir", "nowhere"]).ends_with("saved there: none"));
    assert!(fails(&["--against", "broken", "--dir", "."]).contains("is not a saved run of this version: EOF"));
    assert!(
        fails(&["--against", "other", "--dir", "."])
            .contains("its schema is eltwise-bench-0, expected eltwise-bench-1")
    );
    assert!(fails(&["--against", "short", "--dir", "."]).contains("missing field"));
    assert!(fails(&["--filter", "matmul"]).contains("no case has \"matmul\" in its name"));
    assert!(fails(&["--html", "no/such/r.html"]).contains("no such file or directory"));
    for file in ["r.txt", "r", "-", ".html"] {
        assert!(fails(&["--html", file]).contains("expected a name that ends in .html"), "{file}");
    }
    assert!(fails(&["--threads", "0"]).contains("'--threads <N>': expected a whole number from 1 on"));
    assert!(fails(&["--save", "../up"]).contains("expected letters, digits"));
    for args in [["--threshold", "5"], ["--format", "bencher"]] {
        assert!(fails(&args).contains("required arguments were not provided"));
    }
    assert!(fails(&["--against", "x", "--threshold=-1"]).contains("from 0 to 1000"));
    assert!(fails(&["--json", "--format", "xml"]).contains("github-action-benchmark"));
}

#[test]
fn a_saved_run_without_a_common_case_is_an_error() {
    let dir = Dir::new();
    save(&dir, 1.0);
    let args = ["bench", "--quick", "--against", "saved", "--dir", "."];
    let message = dir.fails(&[&args[..], &["--filter", "calls/bind add"]].concat());
    assert_eq!(message, "nothing to compare: the saved run \"saved\" has none of the 1 case selected");
    let mut run = json(&dir.read("saved.json"));
    for case in run["cases"].as_array_mut().expect("cases") {
        case["elements"] = 7.into();
    }
    dir.write("saved.json", run.to_string().as_bytes());
    let message = dir.fails(&[&args[..], &["--filter", "add/f32/L1"]].concat());
    assert!(
        message.starts_with("nothing to compare: the saved run \"saved\" has other operands or threads")
            && message.contains("such as operators/add/f32/L1"),
        "{message}"
    );
}

#[test]
fn tracker_formats_have_the_required_fields() {
    let dir = Dir::new();
    let (_, list) = few(&dir, &["--json", "--format", "github-action-benchmark"]);
    let list = json(list.as_bytes());
    let list = list.as_array().expect("a list");
    assert_eq!(list.len(), 4);
    for entry in list {
        let keys: HashSet<&str> = entry.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(keys, HashSet::from(["name", "unit", "value", "range", "extra"]));
        assert!(entry["name"].is_string() && entry["unit"] == "ns" && entry["extra"].is_string());
        assert!(entry["value"].as_f64().expect("a number") > 0.0);
        assert!(entry["range"].as_str().expect("text").starts_with('±'));
    }
    few(&dir, &["--json", "bmf.json", "--format", "bencher"]);
    let bmf = json(&dir.read("bmf.json"));
    let bmf = bmf.as_object().expect("an object");
    assert_eq!(bmf.len(), 4);
    for (name, measures) in bmf {
        assert!(!name.is_empty() && measures.as_object().expect("measures").len() == 1);
        let of = |key: &str| measures["latency"][key].as_f64().expect("a number");
        assert!(0.0 < of("lower_value") && of("lower_value") <= of("value") && of("value") <= of("upper_value"));
    }
}

#[test]
fn every_quick_case_runs_on_the_lowest_isa() {
    let dir = Dir::new();
    let args = ["bench", "--quick", "--threads", "2", "--json", "run.json", "--html", "run.html"];
    let output = dir.command(&args).env("ELTWISE_ISA", "scalar").output().expect("the tool");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let run = json(&dir.read("run.json"));
    assert_eq!((&run["machine"]["isa"], &run["machine"]["threads"]), (&"scalar".into(), &2.into()));
    assert!(run["quick"] == true && run["build"]["rustc"].as_str().expect("text").starts_with("rustc "));
    let cases = run["cases"].as_array().expect("cases");
    let names: Vec<&str> = cases.iter().map(|c| c["name"].as_str().expect("text")).collect();
    let listed = dir.ok(&["bench", "--quick", "--threads", "2", "--list"]);
    assert_eq!(names, listed.lines().collect::<Vec<_>>());
    for case in cases {
        let of = |key: &str| case["time"][key].as_f64().expect("a time");
        assert!(0.0 < of("low") && of("low") <= of("median") && of("median") <= of("high"), "{case}");
        let call = case["name"].as_str().expect("text").starts_with("calls/");
        assert_eq!(case["limit"]["ns"].as_f64().is_some_and(|ns| ns > 0.0), !call, "{case}");
    }
    let page = String::from_utf8(dir.read("run.html")).expect("text");
    for outside in ["<script", "http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("class=\"row\"").count(), cases.len());
    assert!(page.contains(">Roofline plot</title>") && page.contains("prefers-color-scheme: dark"));
}

#[test]
fn the_page_loads_in_a_browser_without_errors() {
    let dir = Dir::new();
    let filter = ["--filter", "fused/", "--filter", "operators/add", "--filter", "calls/"];
    let ran = dir.run(&[&["bench", "--quick", "--html", "page.html"], &filter[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let script = root().join("tools/check-report.py");
    let Ok(output) = std::process::Command::new("python3").arg(script).arg(dir.path("page.html")).output() else {
        println!("skipped: no python3");
        return;
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    // Exit code 77: no browser is installed.
    assert!(matches!(output.status.code(), Some(0 | 77)), "{out}{err}");
    println!("{out}");
}
