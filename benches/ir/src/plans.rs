//! The programs and layouts that the instruction counts (`counts.rs`) parse and bind: [`BIND_CASES`].
//!
//! Every function that makes a case or an array panics where [`cpu::fix`] does.

use eltwise::{Array, Broadcast, DType, Error, Layout, Op, Plan, Program};

use crate::cpu;

/// A program and the layouts to bind it for.
pub struct BindCase {
    program: Program,
    layouts: Vec<Layout>,
}

impl BindCase {
    /// Binds the program.
    ///
    /// # Errors
    /// Never: `new` has bound it once. The result is not unwrapped here, where instructions are counted.
    #[inline]
    pub fn bind(&self) -> Result<Plan, Error> {
        // Without an allocation: the count is that of `Program::bind` alone.
        match &self.layouts[..] {
            [a] => self.program.bind(&[a]),
            [a, b] => self.program.bind(&[a, b]),
            [a, b, c] => self.program.bind(&[a, b, c]),
            // `new` returns an error for any other number of inputs.
            _ => self.program.bind(&[]),
        }
    }

    /// Binds once, which also initialises everything that the process caches.
    fn new(program: Program, layouts: Vec<Layout>) -> Result<BindCase, Error> {
        cpu::fix();
        let case = BindCase { program, layouts };
        case.bind().map(|_| case)
    }
}

/// `add` of two contiguous f32 operands.
///
/// # Panics
/// If the shapes do not broadcast.
pub fn add(a: &[usize], b: &[usize]) -> BindCase {
    let make = || {
        let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy)?;
        BindCase::new(program, vec![Layout::contiguous(DType::F32, a)?, Layout::contiguous(DType::F32, b)?])
    };
    make().unwrap_or_else(|e: Error| panic!("add of f32{a:?} and f32{b:?}: {e}"))
}

/// `add` of a transposed f32 matrix and a contiguous one.
pub fn transposed(size: usize) -> BindCase {
    let make = || {
        let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy)?;
        let dense = Layout::contiguous(DType::F32, [size, size])?;
        BindCase::new(program, vec![dense.with_strides(&[4, 4 * size as isize][..])?, dense])
    };
    make().unwrap_or_else(|e: Error| panic!("transposed f32[{size}, {size}]: {e}"))
}

/// An expression of three steps.
pub const NORMALISE: &str = "(cast(img, f32) - mean) / std";
/// An expression of 15 operators.
pub const LONG_EXPRESSION: &str =
    "where(x < 0.5, sqrt(x * x + y * y) / (x + 1), maximum(x, y) * 0.25 - minimum(x, y) * 0.75) + x * y";

/// An expression over contiguous inputs of these names, dtypes and shapes.
///
/// # Panics
/// If it cannot be bound.
pub fn parsed(text: &str, inputs: &[(&str, DType, &[usize])]) -> BindCase {
    let make = || {
        let program = Program::parse(text, &inputs.iter().map(|&(name, dtype, _)| (name, dtype)).collect::<Vec<_>>())?;
        let layouts = inputs.iter().map(|&(_, dtype, shape)| Layout::contiguous(dtype, shape));
        BindCase::new(program, layouts.collect::<Result<_, _>>()?)
    };
    make().unwrap_or_else(|e: Error| panic!("{text}: {e}"))
}

/// [`NORMALISE`] over an image.
pub fn normalise() -> BindCase {
    parsed(NORMALISE, &[("img", DType::U8, &[512, 512, 3]), ("mean", DType::F32, &[3]), ("std", DType::F32, &[3])])
}

/// [`LONG_EXPRESSION`] over two vectors.
pub fn long_expression() -> BindCase {
    parsed(LONG_EXPRESSION, &[("x", DType::F32, &[100_000]), ("y", DType::F32, &[100_000])])
}

/// A case's name, which is a key of `benches/baseline/ir.json`, and the function that makes it.
pub type NamedCase = (&'static str, fn() -> BindCase);

/// The cases whose instructions are counted.
pub const BIND_CASES: &[NamedCase] = &[
    ("add_16", || add(&[16], &[16])),
    ("add_nchw", || add(&[8, 64, 56, 56], &[64, 1, 1])),
    ("add_short_rows", || add(&[1000, 3], &[3])),
    ("add_rank_8", || add(&[2, 3, 2, 3, 2, 3, 2, 3], &[3, 1, 3, 1, 3])),
    ("transposed", || transposed(2048)),
    ("normalise", normalise),
    ("long", long_expression),
];

/// The case with this name.
///
/// # Panics
/// If no case has this name.
pub fn named(name: &str) -> BindCase {
    let Some((_, make)) = BIND_CASES.iter().find(|(other, _)| *other == name) else {
        let names: Vec<&str> = BIND_CASES.iter().map(|(name, _)| *name).collect();
        panic!("no case has the name {name}, expected one of: {}", names.join(", "));
    };
    make()
}

/// Two arrays of f32. Adds them once, because the first call detects the CPU, which is not to be counted.
///
/// # Panics
/// If there is not enough memory.
pub fn arrays(elements: usize) -> [Array; 2] {
    cpu::fix();
    let make = || Array::zeros(DType::F32, [elements]);
    let arrays = make().and_then(|x| make().and_then(|y| eltwise::add(&x, &y).map(|_| [x, y])));
    arrays.unwrap_or_else(|e| panic!("add of two arrays of {elements} f32: {e}"))
}
