//! `eltwise eval` end to end: reads files, writes files.

mod common;

use std::process::Stdio;

use common::{Dir, data, f32_bytes, npy, npy_f32};
use eltwise::Isa;
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};

/// The expression of the README, for a small picture.
const NORMALISE: &str = "(cast(img, f32) - mean) / std";

fn picture() -> (Dir, Vec<u8>) {
    let dir = Dir::new();
    let img: Vec<u8> = (0..5 * 7 * 3).map(|i| (i * 37 % 256) as u8).collect();
    let (mean, std) = ([123.675f32, 116.28, 103.53], [58.395f32, 57.12, 57.375]);
    dir.write("img.npy", &npy("|u1", "False", "(5, 7, 3)", &img));
    dir.write("mean.npy", &npy_f32("(3,)", &mean));
    dir.write("std.npy", &npy_f32("(3,)", &std));
    let expected: Vec<f32> = img.iter().enumerate().map(|(i, &p)| (f32::from(p) - mean[i % 3]) / std[i % 3]).collect();
    (dir, f32_bytes(&expected))
}

#[test]
fn every_isa_and_thread_count_gives_the_same_picture() {
    let (dir, expected) = picture();
    for isa in Isa::available().map(Isa::name) {
        for threads in ["1", "3"] {
            let out = dir.ok(&[
                "eval",
                NORMALISE,
                "img=img.npy",
                "mean=mean.npy",
                "std=std.npy",
                "-o",
                "out.npy",
                "--isa",
                isa,
                "--threads",
                threads,
            ]);
            let last = out.lines().last().unwrap_or_default();
            assert!(last.starts_with("out.npy  f32[5, 7, 3]  ") && last.ends_with(" GB/s"), "{out}");
            assert!(out.lines().count() > 1, "the plan: {out}");
            assert_eq!(data(&dir.read("out.npy"), "<f4", "False", "(5, 7, 3)"), expected, "{isa} {threads}");
        }
    }
    assert_eq!(dir.list(), ["img.npy", "mean.npy", "out.npy", "std.npy"]);
}

#[test]
fn without_an_output_the_first_elements_are_printed() {
    let dir = Dir::new();
    dir.write("x.npy", &npy_f32("(2, 2)", &[1.0, -2.5, f32::NAN, 0.1]));
    let out = dir.ok(&["eval", "-q", "x + x", "x=x.npy"]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "[2, -5, NaN, 0.2]");
    assert!(lines[1].starts_with("result  f32[2, 2]  "), "{out}");
    assert_eq!(lines.len(), 2);
}

#[test]
fn an_expression_with_a_leading_minus_is_not_an_option() {
    let dir = Dir::new();
    dir.write("x.npy", &npy_f32("(2,)", &[1.0, -2.5]));
    assert!(dir.ok(&["eval", "-q", "-x", "x=x.npy"]).starts_with("[-1, 2.5]"));
    assert!(dir.fails(&["eval", "--quit", "x", "x=x.npy"]).contains("no such option"));
}

#[test]
fn dtypes_promote_unless_typed() {
    let dir = Dir::new();
    for (text, given, promoting, typed) in [
        ("a / 2", "a=i32:7", "3.5\n", Some("3\n")),
        ("a // 2", "a=i32:-7", "-4\n", Some("-4\n")),
        ("a + 0.5", "a=i64:1", "1.5\n", None),
        ("a < 300", "a=u8:1", "true\n", None),
        ("a * (7 / 2)", "a=f32:2", "7\n", Some("7\n")),
        ("a * 1e200", "a=f32:1", "inf\n", None),
    ] {
        let ran = dir.run(&["eval", "-q", text, given]);
        assert!(ran.out.starts_with(promoting), "{text}: {}", ran.out);
        assert_eq!(ran.err.contains("does not fit f32: it is infinite"), text.contains("1e200"), "{text}: {}", ran.err);
        match typed {
            Some(typed) => assert!(dir.ok(&["eval", "-q", "--typed", text, given]).starts_with(typed), "{text}"),
            None => assert!(dir.fails(&["eval", "-q", "--typed", text, given]).contains("does not fit"), "{text}"),
        }
    }
    assert!(dir.ok(&["eval", "-q", "inf + 1; e", "inf=f32:2", "e=f32:5"]).starts_with("3\n"));
    assert!(dir.ok(&["eval", "-q", "a + b", "a=f32:1", "b=f64:2"]).starts_with("3\n"));
    assert!(dir.ok(&["plan", "a / b", "a=i32[4]", "b=i32[4]"]).contains("f64"));
}

#[test]
fn scalars_are_given_as_dtype_and_number() {
    let dir = Dir::new();
    dir.write("x.npy", &npy_f32("(2,)", &[1.0, -2.5]));
    assert!(dir.ok(&["eval", "-q", "x * k", "x=x.npy", "k=f32:-2"]).starts_with("[-2, 5]"));
    assert!(dir.ok(&["eval", "-q", "a + b", "a=u8:250", "b=u8:10"]).starts_with("4\n"));
    assert!(dir.ok(&["eval", "-q", "a + b", "a=f16:0.5", "b=f16:1"]).starts_with("1.5\n"));
    assert!(dir.fails(&["eval", "x * k", "x=x.npy", "k=2"]).contains("k=f32:2"));
    assert!(dir.ok(&["eval", "-q", "a", "a=u8:0xff"]).starts_with("255\n"));
    for (value, why) in [
        ("u8:256", "256 does not fit u8"),
        ("f32:1e39", "does not fit f32"),
        ("f16:65520", "65520 does not fit f16"),
        ("f64:1e400", "the literal beyond 1.8e308 does not fit f64"),
        ("opaque4:1", "an opaque dtype has no literals"),
    ] {
        let message = dir.fails(&["eval", "k", &format!("k={value}")]);
        assert!(message.starts_with(&format!("k={value}: ")) && message.ends_with(why), "{message}");
    }
}

#[test]
fn a_missing_isa_is_lowered_and_a_foreign_one_is_an_error() {
    let dir = Dir::new();
    for isa in Isa::ALL.into_iter().filter(|isa| !isa.is_available()) {
        let args = ["eval", "-q", "a + a", "a=f32:2", "--isa", isa.name()];
        if isa.is_native() {
            let ran = dir.run(&args);
            assert_eq!((ran.code, ran.out.starts_with("4\n")), (Some(0), true), "{}", ran.err);
            assert_eq!(ran.err, format!("note: this CPU has no {isa}; using {}\n", isa.lowered()));
        } else {
            let message = dir.fails(&args);
            assert!(message.contains(&format!("this CPU has no {isa}; it has scalar")), "{message}");
        }
    }
}

#[test]
fn file_extensions_are_case_insensitive() {
    let dir = Dir::new();
    dir.write("X.NPY", &npy_f32("(1,)", &[1.5]));
    dir.ok(&["eval", "x", "x=X.NPY", "-o", "Y.SAFETENSORS:Y"]);
    dir.ok(&["eval", "y", "y=Y.SAFETENSORS:Y", "-o", "Z.Npy"]);
    assert_eq!(data(&dir.read("Z.Npy"), "<f4", "False", "(1,)"), f32_bytes(&[1.5]));
}

#[test]
fn fortran_order_is_read_and_written() {
    let dir = Dir::new();
    // [[0, 1, 2], [3, 4, 5]] in Fortran order.
    dir.write("f.npy", &npy("<i4", "True", "(2, 3)", &ints(&[0, 3, 1, 4, 2, 5])));
    dir.write("c.npy", &npy("<i4", "False", "(2, 3)", &ints(&[0, 1, 2, 3, 4, 5])));
    dir.ok(&["eval", "x + x", "x=f.npy", "-o", "out.npy"]);
    assert_eq!(data(&dir.read("out.npy"), "<i4", "True", "(2, 3)"), ints(&[0, 6, 2, 8, 4, 10]));
    for args in [
        &["eval", "x + x", "x=f.npy", "-o", "out.npy", "--order", "C"][..],
        &["eval", "x + y", "x=c.npy", "y=f.npy", "-o", "out.npy"],
    ] {
        dir.ok(args);
        assert_eq!(data(&dir.read("out.npy"), "<i4", "False", "(2, 3)"), ints(&[0, 2, 4, 6, 8, 10]), "{args:?}");
    }
    dir.ok(&["eval", "x + x", "x=f.npy", "-o", "out.safetensors"]);
    let file = dir.read("out.safetensors");
    assert_eq!(SafeTensors::deserialize(&file).unwrap().tensor("out").unwrap().data(), ints(&[0, 2, 4, 6, 8, 10]));
}

fn ints(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

#[test]
fn safetensors_are_read_and_written() {
    let dir = Dir::new();
    let (w, b) = ([0x3f80u16, 0x4000, 0xc040], [0x3f00u16]);
    let bytes = |v: &[u16]| v.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let (w, b) = (bytes(&w), bytes(&b));
    let view = |shape: Vec<usize>, data| TensorView::new(Dtype::BF16, shape, data).unwrap();
    dir.write("m.safetensors", &serialize([("l.0:w", view(vec![3], &w)), ("b", view(vec![], &b))], None).unwrap());
    dir.write("one.safetensors", &serialize([("only", view(vec![3], &w))], None).unwrap());

    // 1, 2, -3 plus 0.5.
    let sum = bytes(&[0x3fc0, 0x4020, 0xc020]);
    dir.ok(&["eval", "w + b", "w=m.safetensors:l.0:w", "b=m.safetensors:b", "-o", "s.safetensors:sum"]);
    let file = dir.read("s.safetensors");
    let tensors = SafeTensors::deserialize(&file).unwrap();
    let found = tensors.tensor("sum").unwrap();
    assert_eq!((found.dtype(), found.shape(), found.data()), (Dtype::BF16, &[3][..], &sum[..]));
    dir.ok(&["eval", "w + b", "w=one.safetensors", "b=m.safetensors:b", "-o", "s.npy"]);
    assert_eq!(data(&dir.read("s.npy"), "<V2", "False", "(3,)"), sum);
    dir.ok(&["eval", "w < s", "w=one.safetensors", "s=s.npy", "-o", "less.npy"]);
    assert_eq!(data(&dir.read("less.npy"), "|b1", "False", "(3,)"), [1, 1, 1]);

    let two = dir.fails(&["eval", "w", "w=m.safetensors"]);
    assert!(two.contains("m.safetensors: has 2 tensors; name one: ") && two.contains("l.0:w"), "{two}");
    assert_eq!(dir.fails(&["eval", "w", "w=one.safetensors:w"]), "one.safetensors: has no tensor \"w\"; it has only");
}

#[test]
fn an_output_may_replace_an_input() {
    let dir = Dir::new();
    dir.write("x.npy", &npy_f32("(3,)", &[1.0, 2.0, 3.0]));
    for times in [2.0f32, 4.0, 8.0] {
        dir.ok(&["eval", "x * 2", "x=x.npy", "-o", "x.npy"]);
        let expected = f32_bytes(&[times, 2.0 * times, 3.0 * times]);
        assert_eq!(data(&dir.read("x.npy"), "<f4", "False", "(3,)"), expected);
    }
    assert_eq!(dir.list(), ["x.npy"]);
}

#[test]
fn empty_arrays_are_evaluated() {
    let dir = Dir::new();
    dir.write("x.npy", &npy("<f8", "False", "(0, 3)", &[]));
    dir.ok(&["eval", "x + x", "x=x.npy", "-o", "y.npy"]);
    assert_eq!(data(&dir.read("y.npy"), "<f8", "False", "(0, 3)"), [0u8; 0]);
    assert!(dir.ok(&["eval", "-q", "x", "x=x.npy"]).starts_with("[]\n"));
}

/// A file with tensors of 4 elements each, given as name, dtype and bytes.
fn tensors(list: &[(&str, Dtype, &[u8])]) -> Vec<u8> {
    serialize(list.iter().map(|&(n, d, bytes)| (n, TensorView::new(d, vec![4], bytes).unwrap())), None).unwrap()
}

#[test]
fn eight_bit_floats_are_cast_or_copied_with_their_dtype() {
    let dir = Dir::new();
    let (e4m3, e5m2) = ([0x38, 0x40, 0, 0xb8], [0x3c, 0x40, 0, 0xbc]);
    let list = [("a", Dtype::F8_E4M3, &e4m3[..]), ("b", Dtype::F8_E5M2, &e5m2), ("c", Dtype::C64, &[7; 32])];
    dir.write("m.safetensors", &tensors(&list));
    dir.write("x.npy", &npy_f32("(4,)", &[1.0, 2.0, 3.0, 4.0]));
    dir.write("k.npy", &npy("|b1", "False", "(4,)", &[1, 0, 1, 0]));
    let all = ["a=m.safetensors:a", "b=m.safetensors:b", "c=m.safetensors:c", "x=x.npy", "k=k.npy"];
    let with = |names: &str| all.into_iter().filter(|o| names.contains(&o[..1])).collect::<Vec<_>>();
    let prints = |text: &str, names: &str| dir.ok(&[&["eval", "-q", text], &with(names)[..]].concat());
    for (text, names) in [
        ("cast(a, f32)", "a"),
        ("cast(b, f16)", "b"),
        ("cast(a, bf16) + cast(a, bf16) * 0", "a"),
        ("maximum(cast(a, f64), cast(b, f64))", "ab"),
    ] {
        let out = prints(text, names);
        assert!(out.starts_with("[1, 2, 0, -1]"), "{text}: {out}");
    }
    assert!(prints("cast(a, f32) + x", "ax").starts_with("[2, 4, 3, 3]"));
    // Copied elements keep their dtype.
    for (text, names, dtype, bytes) in [
        ("a", "a", Dtype::F8_E4M3, &e4m3[..]),
        ("copy(b)", "b", Dtype::F8_E5M2, &e5m2),
        ("where(k, a, broadcast_to(a, [4]))", "ka", Dtype::F8_E4M3, &e4m3),
        ("copy(c)", "c", Dtype::C64, &[7; 32]),
    ] {
        let out = dir.ok(&[&["eval", "-q", text], &with(names)[..], &["-o", "out.safetensors"]].concat());
        assert!(out.contains(&format!("{dtype}[4]")), "{out}");
        let file = dir.read("out.safetensors");
        let tensors = SafeTensors::deserialize(&file).unwrap();
        let moved = tensors.tensor("out").unwrap();
        assert_eq!((moved.dtype(), moved.data()), (dtype, bytes), "{text}");
    }
    let fails =
        |text: &str, names: &str, more: &[&str]| dir.fails(&[&["eval", "-q", text], &with(names)[..], more].concat());
    for (text, names, words) in [
        ("a + 1", "a", &["a is F8_E4M3"][..]),
        ("sqrt(b)", "b", &["b is F8_E5M2"]),
        ("cast(a, f32) + cast(copy(a), f32)", "a", &["a is F8_E4M3"]),
        ("cast(a, i32)", "a", &["a is F8_E4M3"]),
        ("cast(c, f32)", "c", &["c is C64"]),
        ("a < b", "ab", &["a is F8_E4M3, b is F8_E5M2"]),
        ("where(k, a, b)", "kab", &["F8_E4M3 and F8_E5M2"]),
    ] {
        let message = fails(text, names, &[]);
        assert!(words.iter().all(|word| message.contains(word)), "{text}: {message}");
    }
    let plan = dir.ok(&[&["plan", "copy(a)"], &with("a")[..]].concat());
    assert!(plan.ends_with("\nresult  F8_E4M3[4]\n"), "{plan}");
    assert!(fails("a", "a", &["-o", "out.npy"]).contains("the format has no dtype F8_E4M3; write .safetensors"));
    assert!(!fails("~(x + 0.5)", "x", &[]).contains(" is "));
}

#[test]
fn npy_dtypes_of_every_name_and_byte_order_are_read() {
    let dir = Dir::new();
    dir.write("big.npy", &npy(">f4", "False", "(2, 2)", &[1.0f32, 2.0, 3.0, 4.0].map(f32::to_be_bytes).concat()));
    dir.write("fortran.npy", &npy(">i2", "True", "(2, 2)", &[10i16, 30, 20, 40].map(i16::to_be_bytes).concat()));
    dir.write("named.npy", &npy("float64", "False", "(2,)", &[100.0f64, 200.0].map(f64::to_le_bytes).concat()));
    dir.write("code.npy", &npy("d", "False", "()", &1000f64.to_le_bytes()));
    let operands = ["b=big.npy", "f=fortran.npy", "n=named.npy", "c=code.npy"];
    let text = "cast(b, f64) + cast(f, f64) + n + c";
    let out = dir.ok(&[&["eval", "-q", text], &operands[..]].concat());
    assert!(out.starts_with("[1111, 1222, 1133, 1244]"), "{out}");
    // Results are little-endian.
    dir.ok(&["eval", "-q", "copy(b)", "b=big.npy", "-o", "out.npy"]);
    assert_eq!(data(&dir.read("out.npy"), "<f4", "False", "(2, 2)"), f32_bytes(&[1.0, 2.0, 3.0, 4.0]));
}

#[test]
fn opaque_elements_are_copied_to_npy_but_not_to_safetensors() {
    let dir = Dir::new();
    let bytes: Vec<u8> = (0..32).collect();
    dir.write("x.npy", &npy("|V16", "False", "(2,)", &bytes));
    dir.ok(&["eval", "x", "x=x.npy", "-o", "y.npy"]);
    assert_eq!(data(&dir.read("y.npy"), "|V16", "False", "(2,)"), bytes);
    assert!(dir.fails(&["eval", "x", "x=x.npy", "-o", "y.safetensors"]).contains("no dtype opaque16"));
}

#[test]
fn an_integer_division_by_zero_is_a_warning() {
    let dir = Dir::new();
    dir.write("x.npy", &npy("|i1", "False", "(2,)", &[7, 0]));
    let ran = dir.run(&["eval", "-q", "--typed", "x / x", "x=x.npy"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.starts_with("[1, 0]\n"), "{}", ran.out);
    assert!(ran.err.starts_with("warning: ") && ran.err.contains("divided by zero"), "{}", ran.err);
}

#[test]
fn a_closed_standard_output_does_not_stop_a_run() {
    let dir = Dir::new();
    dir.write("x.npy", &npy_f32("(3,)", &[1.0, 2.0, 3.0]));
    let mut child = dir
        .command(&["eval", "x * 2", "x=x.npy", "-o", "y.npy"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
    assert_eq!(data(&dir.read("y.npy"), "<f4", "False", "(3,)"), f32_bytes(&[2.0, 4.0, 6.0]));
}

#[cfg(unix)]
#[test]
fn outputs_keep_links_and_permissions() {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    let dir = Dir::new();
    dir.write("x.npy", &npy_f32("(1,)", &[1.0]));
    dir.write("real.npy", b"old");
    fs::set_permissions(dir.path("real.npy"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.npy", dir.path("link.npy")).unwrap();
    dir.ok(&["eval", "x", "x=x.npy", "-o", "link.npy"]);
    assert!(fs::symlink_metadata(dir.path("link.npy")).unwrap().is_symlink());
    assert_eq!(data(&dir.read("real.npy"), "<f4", "False", "(1,)"), f32_bytes(&[1.0]));
    assert_eq!(fs::metadata(dir.path("real.npy")).unwrap().permissions().mode() & 0o777, 0o640);
    // Links to a file that does not exist yet; one is relative to its own directory.
    fs::create_dir(dir.path("to")).unwrap();
    symlink("to/second.npy", dir.path("first.npy")).unwrap();
    symlink("made.npy", dir.path("to/second.npy")).unwrap();
    dir.ok(&["eval", "x", "x=x.npy", "-o", "first.npy"]);
    for link in ["first.npy", "to/second.npy"] {
        assert!(fs::symlink_metadata(dir.path(link)).unwrap().is_symlink(), "{link}");
    }
    assert!(fs::symlink_metadata(dir.path("to/made.npy")).unwrap().is_file());
    assert_eq!(data(&dir.read("first.npy"), "<f4", "False", "(1,)"), f32_bytes(&[1.0]));
    symlink("round.npy", dir.path("round.npy")).unwrap();
    symlink("none/x.npy", dir.path("nowhere.npy")).unwrap();
    for bad in ["round.npy", "nowhere.npy"] {
        assert!(dir.fails(&["eval", "x", "x=x.npy", "-o", bad]).starts_with(bad));
    }
    dir.ok(&["eval", "x", "x=x.npy", "-o", "new.npy"]);
    assert_ne!(fs::metadata(dir.path("new.npy")).unwrap().permissions().mode() & 0o400, 0);
}

#[cfg(unix)]
#[test]
fn outputs_keep_the_owner_and_drop_special_mode_bits() {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    const OTHER: u32 = 12_345;
    let dir = Dir::new();
    dir.write("x.npy", &npy_f32("(1,)", &[1.0]));
    for mode in [0o4755, 0o2750, 0o1640, 0o6711, 0o604] {
        dir.write("out.npy", b"old");
        // Only root can change the owner. Other users own the file before and after.
        let given = chown(dir.path("out.npy"), Some(OTHER), Some(OTHER + 1)).is_ok();
        fs::set_permissions(dir.path("out.npy"), fs::Permissions::from_mode(mode)).unwrap();
        let before = fs::metadata(dir.path("out.npy")).unwrap();
        dir.ok(&["eval", "x", "x=x.npy", "-o", "out.npy"]);
        let after = fs::metadata(dir.path("out.npy")).unwrap();
        assert_eq!(after.permissions().mode() & 0o7777, mode & 0o777, "{mode:o}");
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()), "{mode:o}");
        assert!(!given || (after.uid(), after.gid()) == (OTHER, OTHER + 1));
        assert_eq!(data(&dir.read("out.npy"), "<f4", "False", "(1,)"), f32_bytes(&[1.0]));
        fs::remove_file(dir.path("out.npy")).unwrap();
    }
}

#[test]
fn a_replaced_safetensors_file_keeps_its_tensors_name_and_its_metadata() {
    let dir = Dir::new();
    dir.write("x.npy", &npy_f32("(2,)", &[1.0, 2.0]));
    let old = [0; 8];
    let notes = [("format", "pt"), ("made by", "a \"test\"")].map(|(k, v)| (k.to_string(), v.to_string()));
    let file = |notes| serialize([("w", TensorView::new(Dtype::U8, vec![8], &old).unwrap())], notes).unwrap();
    for (to, notes) in [
        ("m.safetensors", None),
        ("m.safetensors", Some(notes.clone().into())),
        ("m.safetensors:w", Some(notes.into())),
    ] {
        dir.write("m.safetensors", &file(notes.clone()));
        dir.ok(&["eval", "-q", "x + x", "x=x.npy", "-o", to]);
        let now = dir.read("m.safetensors");
        let tensors = SafeTensors::deserialize(&now).unwrap();
        assert_eq!(tensors.names(), ["w"], "{to}");
        assert_eq!(tensors.tensor("w").unwrap().data(), f32_bytes(&[2.0, 4.0]));
        let (_, header) = SafeTensors::read_metadata(&now).unwrap();
        assert_eq!(header.metadata(), &notes, "{to}");
        let again = dir.read("m.safetensors");
        dir.ok(&["eval", "-q", "x + x", "x=x.npy", "-o", to]);
        assert_eq!(dir.read("m.safetensors"), again, "{to}: the same run writes the same bytes");
    }
    dir.ok(&["eval", "-q", "x", "x=x.npy", "-o", "new.safetensors"]);
    assert_eq!(SafeTensors::deserialize(&dir.read("new.safetensors")).unwrap().names(), ["out"]);
}
