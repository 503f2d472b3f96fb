//! `eltwise eval` over files that are evaluated in many pieces.
#![cfg(unix)]

mod common;

use common::{Dir, data, f32_bytes, npy, npy_f32};

const ROWS: usize = 2100;
const COLUMNS: usize = 1000;

fn ints(values: impl Iterator<Item = i32>) -> Vec<u8> {
    values.flat_map(i32::to_le_bytes).collect()
}

/// Arrays of i32: one in C order, one in Fortran order, a row, and a column. The elements of the first two are their index in C
/// order.
fn arrays() -> Dir {
    let dir = Dir::new();
    let shape = format!("({ROWS}, {COLUMNS})");
    let c = (0..ROWS * COLUMNS).map(|i| i as i32);
    dir.write("c.npy", &npy("<i4", "False", &shape, &ints(c)));
    let f = (0..COLUMNS).flat_map(|column| (0..ROWS).map(move |row| at(row, column)));
    dir.write("f.npy", &npy("<i4", "True", &shape, &ints(f)));
    dir.write("row.npy", &npy("<i4", "False", &format!("({COLUMNS},)"), &ints((0..COLUMNS).map(|i| 7 * i as i32))));
    dir.write("col.npy", &npy("<i4", "False", &format!("({ROWS}, 1)"), &ints((0..ROWS).map(|i| -3 * i as i32))));
    dir
}

fn at(row: usize, column: usize) -> i32 {
    (row * COLUMNS + column) as i32
}

/// The values of `f` for each row and column, in C order.
fn expected(f: impl Fn(usize, usize) -> i32) -> Vec<u8> {
    ints((0..ROWS * COLUMNS).map(|i| f(i / COLUMNS, i % COLUMNS)))
}

#[test]
fn pieces_of_every_axis_order_give_the_whole_result() {
    let dir = arrays();
    let shape = format!("({ROWS}, {COLUMNS})");
    let (row, col) = (|c: usize| 7 * c as i32, |r: usize| -3 * r as i32);
    let all = ["c=c.npy", "f=f.npy", "row=row.npy", "col=col.npy", "k=i32:5"];
    let bind = |names: &[usize]| names.iter().map(|&i| all[i]).collect::<Vec<_>>();
    for threads in ["1", "3"] {
        let run = |expr, names: &[usize]| {
            let out = dir.ok(&[&["eval", expr], &bind(names)[..], &["-o", "out.npy", "--threads", threads]].concat());
            assert!(out.contains("\n  pieces     "), "{out}");
            dir.read("out.npy")
        };
        let file = run("c + row * k", &[0, 2, 4]);
        assert!(data(&file, "<i4", "False", &shape) == expected(|r, c| at(r, c) + 5 * row(c)), "rows");
        let file = run("c - col", &[0, 3]);
        assert!(data(&file, "<i4", "False", &shape) == expected(|r, c| at(r, c) - col(r)), "columns");
        let file = run("c * 2 + f + row + col", &[0, 1, 2, 3]);
        assert!(data(&file, "<i4", "False", &shape) == expected(|r, c| 3 * at(r, c) + row(c) + col(r)), "across");
        let file = run("f + col", &[1, 3]);
        let fortran = (0..COLUMNS).flat_map(|c| (0..ROWS).map(move |r| at(r, c) + col(r)));
        assert!(data(&file, "<i4", "True", &shape) == ints(fortran), "Fortran order");
        // The first elements in C order of a result in Fortran order are in many pieces.
        let out = dir.ok(&["eval", "-q", "f", "f=f.npy", "--threads", threads]);
        assert!(out.starts_with("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ...]\n"), "{out}");
    }
}

#[test]
fn big_endian_and_8_bit_elements_are_decoded_in_pieces() {
    let dir = Dir::new();
    let shape = format!("({ROWS}, {COLUMNS})");
    let values = || (0..ROWS * COLUMNS).map(|i| i as i32);
    dir.write("big.npy", &npy(">i4", "False", &shape, &values().flat_map(i32::to_be_bytes).collect::<Vec<_>>()));
    let across = (0..COLUMNS).flat_map(|c| (0..ROWS).map(move |r| at(r, c)));
    dir.write("across.npy", &npy(">i4", "True", &shape, &across.flat_map(i32::to_be_bytes).collect::<Vec<_>>()));
    // In F8_E4M3 the bytes 0x38, 0x39 ... are 1, 1.125 ...
    let bytes: Vec<u8> = (0..ROWS * COLUMNS).map(|i| 0x38 | (i % 7) as u8).collect();
    let view = safetensors::tensor::TensorView::new(safetensors::Dtype::F8_E4M3, vec![ROWS, COLUMNS], &bytes).unwrap();
    dir.write("f8.safetensors", &safetensors::serialize([("w", view)], None).unwrap());
    let operands = ["b=big.npy", "a=across.npy", "w=f8.safetensors"];
    let args = ["eval", "b * 8 - a * 7 + cast(cast(w, f32) * 8, i32)"];
    let out = dir.ok(&[&args[..], &operands, &["-o", "out.npy"]].concat());
    assert!(out.contains("\n  pieces     "), "{out}");
    let wanted = expected(|r, c| at(r, c) + 8 + at(r, c) % 7);
    assert!(data(&dir.read("out.npy"), "<i4", "False", &shape) == wanted);
}

/// `broadcast_to` names sizes of the whole result. Covers results, intermediate values, operands of lower rank and sizes of 1.
#[test]
fn broadcast_to_is_evaluated_in_pieces() {
    let dir = arrays();
    let shape = format!("({ROWS}, {COLUMNS})");
    let sizes = format!("[{ROWS}, {COLUMNS}]");
    let run = |expr: &str, operands: &[&str]| {
        let out = dir.ok(&[&["eval", expr], operands, &["-o", "out.npy"]].concat());
        assert!(out.contains("\n  pieces     "), "{expr}: {out}");
        dir.read("out.npy")
    };
    for name in ["row", "col"] {
        let file = run(&format!("broadcast_to({name}, {sizes})"), &[&format!("{name}={name}.npy")]);
        let value = |r: usize, c: usize| if name == "row" { 7 * c as i32 } else { -3 * r as i32 };
        assert!(data(&file, "<i4", "False", &shape) == expected(value), "{name}");
    }
    let file = run(
        &format!("c - broadcast_to(row * 2, [{COLUMNS}]) + broadcast_to(col, [{ROWS}, 1])"),
        &["c=c.npy", "row=row.npy", "col=col.npy"],
    );
    assert!(data(&file, "<i4", "False", &shape) == expected(|r, c| at(r, c) - 14 * c as i32 - 3 * r as i32));
    let file = run(&format!("broadcast_to(k, {sizes})"), &["k=i32:5"]);
    assert!(data(&file, "<i4", "False", &shape) == expected(|_, _| 5), "a number");
    let file = run(&format!("exp(broadcast_to(k, {sizes}) / 2)"), &["k=f32:0", "--accuracy", "correct"]);
    assert!(data(&file, "<f4", "False", &shape) == f32_bytes(&vec![1.0; ROWS * COLUMNS]), "correctly rounded");
    let message = dir.fails(&["eval", "broadcast_to(c, [2, 3])", "c=c.npy", "-o", "out.npy"]);
    assert!(message.contains("[2100, 1000]") && message.contains("[2, 3]"), "{message}");
}

#[test]
fn several_results_have_a_file_each() {
    let dir = arrays();
    let shape = format!("({ROWS}, {COLUMNS})");
    let args = ["eval", "-q", "c + row; c < row", "c=c.npy", "row=row.npy"];
    let out = dir.ok(&[&args[..], &["-o", "sum.npy", "-o", "less.safetensors:less"]].concat());
    assert_eq!(out.lines().count(), 2, "{out}");
    assert!(data(&dir.read("sum.npy"), "<i4", "False", &shape) == expected(|r, c| at(r, c) + 7 * c as i32));
    let less = dir.read("less.safetensors");
    let less = safetensors::SafeTensors::deserialize(&less).unwrap();
    let expected: Vec<u8> = (0..ROWS * COLUMNS).map(|i| u8::from((i as i32) < 7 * (i % COLUMNS) as i32)).collect();
    assert!(less.tensor("less").unwrap().data() == expected);
    let out = dir.ok(&args);
    assert!(out.starts_with("[0, 8, 16, 24, ") && out.contains("\n[false, true, true, "), "{out}");
    let message = dir.fails(&[&args[..], &["-o", "one.npy"]].concat());
    assert_eq!(message, "2 results and 1 file for them; expected one -o for each result");
    let message = dir.fails(&[&args[..], &["-o", "one.npy", "-o", "one.npy"]].concat());
    assert_eq!(message, "one.npy is given for two results");
    std::fs::create_dir(dir.path("sub")).unwrap();
    for there in [false, true] {
        for spelling in ["./one.npy", "sub/../one.npy", dir.path("one.npy").to_str().unwrap()] {
            let message = dir.fails(&[&args[..], &["-o", "one.npy", "-o", spelling]].concat());
            assert_eq!(message, format!("{spelling} is given for two results"), "there: {there}");
        }
        if there {
            assert_eq!(dir.read("one.npy"), b"old");
        } else {
            assert!(!dir.path("one.npy").exists());
            dir.write("one.npy", b"old");
        }
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("new.npy", dir.path("link.npy")).unwrap();
        let message = dir.fails(&[&args[..], &["-o", "new.npy", "-o", "link.npy"]].concat());
        assert_eq!(message, "link.npy is given for two results");
    }
}

#[test]
fn pdpd_broadcasting_runs_as_one_piece() {
    let dir = arrays();
    let shape = format!("({ROWS}, {COLUMNS})");
    dir.write("first.npy", &npy("<i4", "False", &format!("({ROWS},)"), &ints((0..ROWS).map(|i| i as i32))));
    let expr = "add(c, b, broadcast=pdpd, axis=0)";
    let out = dir.ok(&["eval", expr, "c=c.npy", "b=first.npy", "-o", "out.npy"]);
    assert!(!out.contains("\n  pieces     "), "{out}");
    assert!(data(&dir.read("out.npy"), "<i4", "False", &shape) == expected(|r, c| at(r, c) + r as i32));
}

#[test]
fn results_of_different_shapes_are_printed_and_written() {
    let dir = Dir::new();
    dir.write("a.npy", &npy_f32("(2, 3)", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
    dir.write("b.npy", &npy_f32("(3,)", &[10.0, 20.0, 30.0]));
    dir.write("e.npy", &npy_f32("(0, 3)", &[]));
    for (text, operands, expected) in [
        ("b * 2; a + b", ["a=a.npy", "b=b.npy"], ["[20, 40, 60]", "[10, 21, 32, 13, 24, 35]"]),
        ("a + b; b * 2", ["a=a.npy", "b=b.npy"], ["[10, 21, 32, 13, 24, 35]", "[20, 40, 60]"]),
        ("e + b; b * 2", ["e=e.npy", "b=b.npy"], ["[]", "[20, 40, 60]"]),
    ] {
        let out = dir.ok(&["eval", text, operands[0], operands[1]]);
        assert!(expected.iter().all(|part| out.contains(part)), "{text}: {out}");
    }
    let plan = dir.ok(&["eval", "e + b", "e=e.npy", "b=b.npy"]);
    assert!(plan.contains("[0, 3]") && !plan.contains("[0, 0]"), "{plan}");
    dir.ok(&["eval", "e + b; b * 2", "e=e.npy", "b=b.npy", "-o", "0.npy", "-o", "1.npy"]);
    assert!(dir.read("1.npy").ends_with(&f32_bytes(&[20.0, 40.0, 60.0])));
}
