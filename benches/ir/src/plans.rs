//! Binding, parsing and calls: programs with the layouts to bind them for ([`BINDINGS`]).

use eltwise::{Array, Broadcast, DType, Error, Layout, Op, Plan, Program};

use crate::cpu;

/// A program and the layouts to bind it for.
pub struct Unbound {
    program: Program,
    layouts: Vec<Layout>,
}

impl Unbound {
    /// Binds the program.
    ///
    /// # Errors
    /// None: binding succeeded once when this was made.
    #[inline]
    pub fn bind(&self) -> Result<Plan, Error> {
        match &self.layouts[..] {
            [a] => self.program.bind(&[a]),
            [a, b] => self.program.bind(&[a, b]),
            [a, b, c] => self.program.bind(&[a, b, c]),
            _ => self.program.bind(&[]),
        }
    }

    /// Binds once, which also initialises everything that the process caches.
    fn new(program: Program, layouts: Vec<Layout>) -> Result<Unbound, Error> {
        cpu::fix();
        let unbound = Unbound { program, layouts };
        unbound.bind().map(|_| unbound)
    }
}

/// `add` of two contiguous f32 operands.
///
/// # Panics
/// If the shapes do not broadcast.
pub fn add(a: &[usize], b: &[usize]) -> Unbound {
    let make = || {
        let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy)?;
        Unbound::new(program, vec![Layout::contiguous(DType::F32, a)?, Layout::contiguous(DType::F32, b)?])
    };
    make().unwrap_or_else(|e: Error| panic!("{a:?} {b:?}: {e}"))
}

/// `add` of a transposed f32 matrix and a contiguous one.
///
/// # Panics
/// Never.
pub fn transposed(size: usize) -> Unbound {
    let make = || {
        let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy)?;
        let dense = Layout::contiguous(DType::F32, [size, size])?;
        Unbound::new(program, vec![dense.with_strides(&[4, 4 * size as isize][..])?, dense])
    };
    make().unwrap_or_else(|e: Error| panic!("{size}: {e}"))
}

/// An expression of three steps.
pub const NORMALISE: &str = "(cast(img, f32) - mean) / std";
/// An expression of many steps.
pub const LONG: &str =
    "where(x < 0.5, sqrt(x * x + y * y) / (x + 1), maximum(x, y) * 0.25 - minimum(x, y) * 0.75) + x * y";

/// An expression over contiguous inputs of these names, dtypes and shapes.
///
/// # Panics
/// If it cannot be bound.
pub fn text(text: &str, inputs: &[(&str, DType, &[usize])]) -> Unbound {
    let make = || {
        let program = Program::parse(text, &inputs.iter().map(|&(name, dtype, _)| (name, dtype)).collect::<Vec<_>>())?;
        let layouts = inputs.iter().map(|&(_, dtype, shape)| Layout::contiguous(dtype, shape));
        Unbound::new(program, layouts.collect::<Result<_, _>>()?)
    };
    make().unwrap_or_else(|e: Error| panic!("{text}: {e}"))
}

/// [`NORMALISE`] over an image.
pub fn normalise() -> Unbound {
    text(NORMALISE, &[("img", DType::U8, &[512, 512, 3]), ("mean", DType::F32, &[3]), ("std", DType::F32, &[3])])
}

/// [`LONG`] over two vectors.
pub fn long() -> Unbound {
    text(LONG, &[("x", DType::F32, &[100_000]), ("y", DType::F32, &[100_000])])
}

/// The name of a binding, and the function that makes it.
pub type Spec = (&'static str, fn() -> Unbound);

/// The bindings that are counted.
pub const BINDINGS: &[Spec] = &[
    ("add_16", || add(&[16], &[16])),
    ("add_nchw", || add(&[8, 64, 56, 56], &[64, 1, 1])),
    ("add_short_rows", || add(&[1000, 3], &[3])),
    ("add_rank_8", || add(&[2, 3, 2, 3, 2, 3, 2, 3], &[3, 1, 3, 1, 3])),
    ("transposed", || transposed(2048)),
    ("normalise", normalise),
    ("long", long),
];

/// The binding with this name.
///
/// # Panics
/// If no binding has this name.
pub fn named(name: &str) -> Unbound {
    let found = BINDINGS.iter().find(|(other, _)| *other == name);
    found.unwrap_or_else(|| panic!("no binding is called {name}")).1()
}

/// Two arrays of f32. Adds them once, because the first call detects the CPU.
///
/// # Panics
/// If they do not fit memory.
pub fn arrays(elements: usize) -> [Array; 2] {
    cpu::fix();
    let make = || Array::zeros(DType::F32, [elements]);
    let arrays = make().and_then(|x| make().and_then(|y| eltwise::add(&x, &y).map(|_| [x, y])));
    arrays.unwrap_or_else(|e| panic!("{elements} elements: {e}"))
}
