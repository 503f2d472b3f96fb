//! The Rust example of the README compiles, runs, and has the same text there and here.

mod common;

// README
use eltwise::{Array, DType, Error, Expr, Program, cast};

fn main() -> Result<(), Error> {
    // One operator, one call.
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
    let row = Array::from_slice(&[10.0f32, 20.0, 30.0], [3])?;
    let sum = eltwise::add(&x, &row)?;
    assert_eq!(sum.as_slice::<f32>()?, [11.0, 22.0, 33.0, 14.0, 25.0, 36.0]);

    // An expression: bound once to layouts, run any number of times.
    let (a, b) = (Expr::input("a"), Expr::input("b"));
    let program = Program::new(&[&((a - &b) / b)], &[("a", DType::F32), ("b", DType::F32)])?;
    let plan = program.bind(&[x.layout(), row.layout()])?;
    println!("{}", plan.explain(1));
    let mut out = Array::with_layout(plan.output_layouts()[0].clone())?;
    let status = plan.run(&[x.view(), row.view()], &mut [out.view_mut()])?;
    assert!(!status.zero_division());
    assert_eq!(out.as_slice::<f32>()?, [-0.9, -0.9, -0.9, -0.6, -0.75, -0.8]);

    // From text, strictly typed (`--typed` of the command line). `Program::parse_promoting` promotes as NumPy does.
    let program = Program::parse("where(x > 3, x, 0)", &[("x", DType::F16)])?;
    let half = cast(&x, DType::F16)?;
    let plan = program.bind(&[half.layout()])?;
    assert_eq!(plan.output_layouts()[0].to_string(), "f16[2, 3]");
    Ok(())
}
// README

#[test]
fn the_example_runs_and_equals_the_one_in_the_readme() {
    main().expect("the example");
    let source = include_str!("readme.rs");
    let example = source.split("// README\n").nth(1).expect("the example");
    let readme = std::fs::read_to_string(common::root().join("README.md")).expect("README.md");
    assert!(readme.contains(&format!("```rust\n{example}```")), "README.md does not have this example:\n{example}");
}

#[test]
fn the_readme_names_every_operator() {
    let readme = std::fs::read_to_string(common::root().join("README.md")).expect("README.md");
    let missing: Vec<String> =
        eltwise::Op::ALL.iter().map(|op| format!("`{op}`")).filter(|name| !readme.contains(name)).collect();
    assert!(missing.is_empty(), "README.md names every operator but {missing:?}");
}
