//! Errors: one line (three for an expression), exit code 2, and no file is changed.

mod common;

use common::{Dir, npy, npy_f32};
use safetensors::tensor::{Dtype, TensorView, serialize};

fn dir() -> Dir {
    let dir = Dir::new();
    dir.write("x.npy", &npy_f32("(2, 3)", &[1.0; 6]));
    dir.write("y.npy", &npy_f32("(4,)", &[1.0; 4]));
    dir.write("i.npy", &npy("<i4", "False", "(3,)", &[0; 12]));
    dir
}

#[test]
fn invalid_files_are_errors_that_name_the_file() {
    let dir = dir();
    let good = npy_f32("(2, 3)", &[1.0; 6]);
    let header = |text: &str| npy("<f4", "False", text, &[0; 64]);
    let tensors = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes(), &[0]].concat();
    let mut huge = b"\x93NUMPY\x02\x00\xff\xff\xff\xff".to_vec();
    huge.resize(1000, b'(');
    let mut garbled = good.clone();
    garbled[11..40].fill(b'(');
    let cases: [(&str, &[u8], &str); 17] = [
        ("empty.npy", b"", "is empty"),
        ("magic.npy", b"PK\x03\x04 a zip file", "is not an .npy file"),
        ("short.npy", &good[..9], "is cut off within its first"),
        ("header.npy", &good[..40], "is cut off within its header"),
        ("data.npy", &good[..good.len() - 1], "needs 24 bytes after the header, the file has 23"),
        ("version.npy", b"\x93NUMPY\x07\x00........", "format version 7"),
        ("huge.npy", &huge, "has a header of 4294967295 bytes"),
        ("garbled.npy", &garbled, "where a string was expected"),
        ("large.npy", &header("(4294967296, 4294967296)"), "larger than the address space"),
        ("digits.npy", &header("(99999999999999999999999,)"), "size of an axis"),
        ("twice.npy", &npy("<f4', 'descr': '<f8", "False", "(1,)", &[0; 8]), "has the key \"descr\" twice"),
        ("number.npy", &header("(3)"), "where `,` was expected"),
        (
            "twice.safetensors",
            &tensors(
                r#"{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"w":{"dtype":"I8","shape":[1],"data_offsets":[0,1]}}"#,
            ),
            "duplicate key \"w\"",
        ),
        ("complex.npy", &npy("<c8", "False", "(1,)", &[0; 8]), "complex numbers"),
        ("objects.npy", &npy("|O", "False", "(1,)", &[0; 8]), "Python objects"),
        ("empty.safetensors", b"", "is empty"),
        (
            "garbled.safetensors",
            b"\xff\xff\xff\xff\xff\xff\xff\xff{}",
            "is not a valid .safetensors file: the header has 18446744073709551615 bytes",
        ),
    ];
    for (name, bytes, expected) in cases {
        dir.write(name, bytes);
        let message = dir.fails(&["eval", "a", &format!("a={name}"), "-o", "out.npy"]);
        assert!(message.starts_with(&format!("{name}: ")) && message.contains(expected), "{name}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    assert_eq!(dir.fails(&["eval", "a", "a=none.npy"]), "none.npy: no such file or directory");
    let message = dir.fails(&["eval", "a", "a=photo.png"]);
    assert_eq!(message, "a=photo.png: unknown file type: expected .npy or .safetensors");
    assert!(dir.fails(&["eval", "a", "a=f33:1"]).starts_with("a=f33:1: unknown dtype \"f33\"; expected one of bool"));
    assert!(!dir.path("out.npy").exists());
}

#[test]
fn missing_unknown_and_repeated_operands_are_errors() {
    let dir = dir();
    assert_eq!(dir.fails(&["eval", "x + y", "x=x.npy"]), "y has no value; add y=FILE.npy");
    assert_eq!(dir.fails(&["eval", "x", "x=x.npy", "z=y.npy"]), "z is not in the expression, which has x");
    assert_eq!(dir.fails(&["eval", "x", "x=x.npy", "x=y.npy"]), "x is given twice");
    assert!(dir.fails(&["eval", "x", "x.npy"]).contains("expected NAME=VALUE"));
}

#[test]
fn syntax_errors_have_a_caret_and_short_lines() {
    let dir = dir();
    let message = dir.fails(&["eval", "x + * x", "x=x.npy"]);
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines.len(), 3, "{message}");
    let (text, caret) = (lines[1], lines[2]);
    assert_eq!(text.trim_start(), "x + * x");
    assert_eq!(text.find('*'), caret.find('^'), "{message}");
    for bad in ["", "(", "x +", "x y", "nonsense(x)", "x + )", "cast(x)", "x ? 1", "é", &"(".repeat(100_000)] {
        let message = dir.fails(&["eval", bad, "x=x.npy"]);
        assert!(message.lines().count() <= 3, "{bad:.20}: {message:.200}");
        assert!(message.lines().all(|l| l.chars().count() <= 120), "{bad:.20}: {message:.200}");
    }
    let message = dir.fails(&["eval", &"9".repeat(100_000)]);
    assert!(message.len() < 500 && message.contains("...") && message.contains("past f64"), "{message:.2000}");
}

#[test]
fn shape_and_dtype_errors_name_the_operands() {
    let dir = dir();
    let message = dir.fails(&["eval", "x + y", "x=x.npy", "y=y.npy"]);
    assert!(message.contains("[2, 3]") && message.contains("[4]") && message.contains('3'), "{message}");
    let message = dir.fails(&["eval", "--typed", "x + i", "x=x.npy", "i=i.npy"]);
    assert!(message.contains("f32") && message.contains("i32"), "{message}");
    let message = dir.fails(&["eval", "--typed", "sqrt(i)", "i=i.npy"]);
    assert!(message.contains("i32"), "{message}");
}

#[test]
fn invalid_thread_counts_and_too_large_shapes_are_errors() {
    let dir = dir();
    for threads in ["0", "-1", "two", "99999999999999999999"] {
        let message = dir.fails(&["eval", "x", "x=x.npy", &format!("--threads={threads}")]);
        let expected = format!("invalid value '{threads}' for '--threads <N>': expected a whole number from 1 on");
        assert!(message.starts_with(&expected), "{message}");
    }
    for (x, y) in [("f32[4294967296,4294967296]", "f32[]"), ("f32[4294967296,1]", "f32[1,4294967296]")] {
        let message = dir.fails(&["plan", "x + y", &format!("x={x}"), &format!("y={y}")]);
        let expected = "shape [4294967296, 4294967296] is larger than the address space, whatever the dtype";
        assert!(message.contains(expected), "{message}");
    }
    let message = dir.fails(&["plan", "x", "x=f32[2305843009213693952]"]);
    assert!(message.contains("with elements of 4 bytes"), "{message}");
}

#[test]
fn a_failed_run_leaves_the_output_unchanged() {
    let dir = dir();
    dir.write("out.npy", b"old");
    std::fs::create_dir(dir.path("folder.npy")).unwrap();
    let before = dir.list();
    for args in [
        &["eval", "x +", "x=x.npy", "-o", "out.npy"][..],
        &["eval", "x + y", "x=x.npy", "y=y.npy", "-o", "out.npy"],
        &["eval", "x + z", "x=x.npy", "-o", "out.npy"],
        &["eval", "x", "x=none.npy", "-o", "out.npy"],
        &["eval", "x", "x=x.npy", "-o", "folder.npy"],
        &["eval", "x", "x=x.npy", "-o", "none/out.npy"],
        &["eval", "x", "x=x.npy", "-o", "out.png"],
        &["eval", "x", "x=x.npy", "-o", "out.npy", "--isa", "sse9"],
        &["eval", "x", "x=x.npy", "-o", "out.npy", "--threads", "0"],
    ] {
        dir.fails(args);
        assert_eq!(dir.read("out.npy"), b"old", "{args:?}");
        assert_eq!(dir.list(), before, "{args:?}");
    }
}

#[test]
fn a_safetensors_file_with_other_tensors_is_not_replaced() {
    let dir = dir();
    let tensor = || TensorView::new(Dtype::F32, vec![1], &[0; 4]).unwrap();
    let many = serialize([("v", tensor()), ("w", tensor())], None).unwrap();
    let one = serialize([("w", tensor())], None).unwrap();
    dir.write("m.safetensors", &many);
    dir.write("one.safetensors", &one);
    dir.write("cut.safetensors", &many[..20]);
    let before = dir.list();
    let write = |to: &'static str| ["eval", "-q", "x", "x=x.npy", "-o", to];
    for (to, names) in [
        ("m.safetensors:w", "m.safetensors also holds v"),
        ("m.safetensors:u", "m.safetensors also holds v, w"),
        ("m.safetensors", "m.safetensors also holds v, w"),
        ("one.safetensors:v", "one.safetensors also holds w"),
    ] {
        assert_eq!(dir.fails(&write(to)), format!("a .safetensors output holds one tensor; {names}"), "{to}");
    }
    assert!(dir.fails(&write("new.safetensors:__metadata__")).contains("can be called __metadata__"));
    assert!(dir.fails(&write("one.safetensors:__metadata__")).contains("can be called __metadata__"));
    assert_eq!((dir.read("m.safetensors"), dir.read("one.safetensors")), (many, one));
    for to in ["one.safetensors:w", "one.safetensors", "cut.safetensors:w"] {
        dir.ok(&write(to));
    }
    assert_eq!(dir.list(), before);
}

#[test]
fn usage_errors_exit_with_2_and_help_has_examples() {
    let dir = dir();
    for args in [&[][..], &["evaluate"], &["eval"], &["info", "--kernel"], &["plan"]] {
        assert_eq!(dir.run(args).code, Some(2), "{args:?}");
    }
    for args in [&["--help"][..], &["eval", "--help"], &["plan", "--help"], &["info", "--help"]] {
        let help = dir.ok(args);
        assert!(help.contains("Examples:\n  eltwise ") || help.contains("\n  eltwise "), "{help}");
        assert!(help.lines().all(|l| l.chars().count() <= 100), "{help}");
    }
    assert!(dir.ok(&["--version"]).starts_with("eltwise 0."));
}

/// Messages with text from a file are one line, without control characters.
#[test]
fn texts_of_files_are_escaped() {
    let dir = dir();
    let tensor = || TensorView::new(Dtype::F32, vec![1], &[0; 4]).unwrap();
    let names = ["a\n\u{1b}[31mX", "b\r\u{9b}2J\u{202e}"];
    dir.write("m.safetensors", &serialize(names.map(|name| (name, tensor())), None).unwrap());
    dir.write("one.safetensors", &serialize([(names[0], tensor())], None).unwrap());
    let header = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    dir.write("dtype.safetensors", &header(r#"{"w":{"dtype":"\u001b[31m\n","shape":[1],"data_offsets":[0,4]}}"#));
    dir.write("key.safetensors", &header(r#"{"w":{"\u001b[31m\n":1}}"#));
    dir.write("shape.npy", &npy("\u{1b}[31m\n", "False", "(1,)", &[0; 4]));
    for (args, expected) in [
        (["m=m.safetensors", "-q"], "has 2 tensors; name one: "),
        (["m=m.safetensors:w", "-q"], r"it has "),
        (["m=x.npy", "-o=m.safetensors"], "m.safetensors also holds "),
        (["m=x.npy", "-o=one.safetensors:w"], r"one.safetensors also holds a\n\u{1b}[31mX"),
        (["m=one.safetensors:w", "-q"], r"it has a\n\u{1b}[31mX"),
        (["m=dtype.safetensors", "-q"], "is not a valid .safetensors file: invalid header: "),
        (["m=key.safetensors", "-q"], "is not a valid .safetensors file: invalid header: "),
        (["m=shape.npy", "-q"], "31m"),
    ] {
        let message = dir.fails(&["eval", "m", args[0], args[1]]);
        assert!(message.contains(expected), "{args:?}: {message:?}");
        assert!(!message.chars().any(|c| c.is_control() || c == '\u{202e}'), "{args:?}: {message:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_error_does_not_change_the_outcome() {
    let dir = dir();
    for (args, code, out) in [
        (&["eval", "-q", "x // y", "x=i32:1", "y=i32:0", "-o", "out.npy"][..], 0, "out.npy  i32[]  "),
        (&["eval", "-q", "pow(x, y)", "x=i32:3", "y=i32:-1"], 0, "0\n"),
        (&["eval", "x +", "x=x.npy"], 2, ""),
        (&["eval", "x", "x=none.npy"], 2, ""),
        (&["eval"], 2, ""),
        (&["info", "--kernel"], 2, ""),
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
        let output = dir.command(args).stderr(full).output().expect("the tool");
        let shown = String::from_utf8(output.stdout).expect("text");
        assert_eq!(output.status.code(), Some(code), "{args:?}: {shown}");
        assert!(shown.starts_with(out), "{args:?}: {shown}");
    }
    assert!(dir.path("out.npy").exists());
}

#[test]
fn a_missing_expression_next_to_a_semicolon_is_an_error() {
    let dir = dir();
    for (text, column) in [("x;", 2), (";x", 0), ("x; ;x", 2), ("x;;x", 2), (";", 0), ("é; ", 2)] {
        let message = dir.fails(&["eval", text, "x=x.npy"]);
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!(lines[0], "an expression is missing: expected one on each side of `;`", "{text}");
        assert_eq!((lines[1], lines[2]), (&*format!("  {text}"), &*format!("  {:column$}^", "")), "{text}");
    }
    assert!(!dir.fails(&["eval", "", "x=x.npy"]).contains("`;`"));
}
