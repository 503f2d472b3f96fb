//! Chains: every operator, position, length and kind of operand has the bits of separate kernels.

use std::sync::atomic::AtomicU32;

use eltwise_core::chain::{MAX_LINKS, is_link};
use eltwise_core::{DType, Op};
use eltwise_kernels::chain::{ChainCall, Link, LinkPointers, chain_kernel};
use eltwise_kernels::table::is_built;
use eltwise_kernels::{Call, Operand, kernel};
use eltwise_simd::Isa;

const ROWS: usize = 2;
const COLS: usize = 300;
/// Numbers with special values, of any length.
const NUMBERS: [f64; 13] =
    [0.0, -0.0, 1.5, -2.25, 3.0, 1e-310, -7.0, 0.1, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 6.0, 1e30];

/// Elements of `f32` or `f64`, as bytes.
fn elements(dtype: DType, start: usize) -> Vec<u8> {
    let numbers =
        (0..ROWS * COLS).map(|i| NUMBERS[(start + i * 5 + i / 13) % NUMBERS.len()] * (1.0 + (i % 7) as f64 / 8.0));
    match dtype {
        DType::F32 => numbers.flat_map(|x| (x as f32).to_ne_bytes()).collect(),
        _ => numbers.flat_map(f64::to_ne_bytes).collect(),
    }
}

/// The bytes with one bit pattern for all NaN: which operand's is the result is not defined.
fn canonical(dtype: DType, bytes: &[u8]) -> Vec<u8> {
    let one = |bytes: &[u8]| match dtype {
        DType::F32 => f32::from_ne_bytes(bytes.try_into().unwrap()).is_nan(),
        _ => f64::from_ne_bytes(bytes.try_into().unwrap()).is_nan(),
    };
    let size = dtype.size();
    bytes.chunks_exact(size).flat_map(|bytes| if one(bytes) { vec![0xff; size] } else { bytes.to_vec() }).collect()
}

fn operand(bytes: &[u8], dtype: DType, splat: bool) -> Operand {
    let row = if splat { dtype.size() as isize } else { (COLS * dtype.size()) as isize };
    Operand { ptr: bytes.as_ptr().cast_mut(), row, splat }
}

/// A link that stores its result, and its addresses.
fn link(op: Op, position: usize, others: &[Operand], result: Operand) -> (Link, LinkPointers) {
    let mut link = Link { op, position: position as u8, is_stored: true, splat: [false; 2], row: [0, 0, result.row] };
    let mut pointers = [std::ptr::null_mut(), std::ptr::null_mut(), result.ptr];
    for (k, other) in others.iter().enumerate() {
        (link.splat[k], link.row[k], pointers[k]) = (other.splat, other.row, other.ptr);
    }
    (link, pointers)
}

fn isas() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.is_available())
}

/// `op` over operands by its own kernel.
fn separate(op: Op, dtype: DType, isa: Isa, ins: &[Operand], cols: usize) -> Vec<u8> {
    let out = vec![0u8; ROWS * COLS * dtype.size()];
    let flags = AtomicU32::new(0);
    let mut call = Call { rows: ROWS, cols, out: operand(&out, dtype, false), ins: [Operand::NONE; 4], flags: &flags };
    call.ins[..ins.len()].copy_from_slice(ins);
    // SAFETY: the CPU has the ISA; the operands have these rows and columns.
    unsafe { (kernel(op, dtype, dtype, isa).unwrap().kernel)(&call) };
    out
}

fn ops() -> Vec<Op> {
    let ops: Vec<Op> = Op::ALL.iter().copied().filter(|&op| is_link(op, DType::F32)).collect();
    assert!(ops.len() > 15, "{ops:?}");
    ops
}

#[test]
fn one_link_has_the_bits_of_the_kernel_of_its_operator() {
    let mut cases = 0;
    for dtype in [DType::F32, DType::F64].into_iter().filter(|&dtype| is_built(dtype)) {
        let [x, a, b] = [0, 3, 7].map(|start| elements(dtype, start));
        for isa in isas() {
            let run = chain_kernel(dtype, isa).unwrap();
            for op in ops() {
                for (position, splats, cols) in (0..op.arity()).flat_map(|position| {
                    let lengths = (0..70).chain([127, 128, 129, 255, COLS]);
                    (0..4).flat_map(move |splats| lengths.clone().map(move |cols| (position, splats, cols)))
                }) {
                    let others = [operand(&a, dtype, splats & 1 == 1), operand(&b, dtype, splats & 2 == 2)];
                    let mut ins: Vec<Operand> = others[..op.arity() - 1].to_vec();
                    ins.insert(position, operand(&x, dtype, false));
                    let expected = separate(op, dtype, isa, &ins, cols);
                    let out = vec![0u8; expected.len()];
                    let (link, pointers) = link(op, position, &others[..op.arity() - 1], operand(&out, dtype, false));
                    let first = operand(&x, dtype, false);
                    let call = ChainCall { rows: ROWS, cols, first, count: 1, links: &link, pointers: &pointers };
                    // SAFETY: the CPU has the ISA; the operands have these rows and columns.
                    unsafe { run(&call) };
                    let same = canonical(dtype, &out) == canonical(dtype, &expected);
                    assert!(same, "{op} {dtype} {isa}: position {position}, splats {splats}, {cols} columns");
                    cases += 1;
                }
            }
        }
    }
    assert!(cases > 10_000, "{cases}");
}

#[test]
fn links_follow_each_other_and_store_what_is_read_again() {
    let ops = ops();
    for dtype in [DType::F32, DType::F64].into_iter().filter(|&dtype| is_built(dtype)) {
        let sources: Vec<Vec<u8>> = (0..4).map(|start| elements(dtype, start * 3)).collect();
        for isa in isas() {
            let run = chain_kernel(dtype, isa).unwrap();
            for length in 1..=MAX_LINKS {
                for cols in [1, 17, 64, 200, COLS] {
                    let mut value = sources[0].clone();
                    // The results of links that are stored; the next but one reads it.
                    let stored: Vec<Vec<u8>> = (0..length).map(|_| vec![0u8; value.len()]).collect();
                    let mut results: Vec<Vec<u8>> = vec![];
                    let mut links = vec![];
                    for i in 0..length {
                        let op = ops[(length * 7 + i * 5 + cols) % ops.len()];
                        let position = i % op.arity();
                        let again = i.checked_sub(2).filter(|_| i % 3 == 0);
                        let mut others: Vec<Operand> = (0..op.arity() - 1)
                            .map(|k| operand(&sources[1 + (i + k) % 3], dtype, (i + k) % 4 == 3))
                            .collect();
                        let mut ins = others.clone();
                        if let (Some(again), Some(other)) = (again, others.first_mut()) {
                            *other = operand(&stored[again], dtype, false);
                            ins[0] = operand(&results[again], dtype, false);
                        }
                        ins.insert(position, operand(&value, dtype, false));
                        let result = separate(op, dtype, isa, &ins, cols);
                        links.push(link(op, position, &others, operand(&stored[i], dtype, false)));
                        value.clone_from(&result);
                        results.push(result);
                    }
                    let (links, pointers): (Vec<Link>, Vec<LinkPointers>) = links.into_iter().unzip();
                    let call = ChainCall {
                        rows: ROWS,
                        cols,
                        first: operand(&sources[0], dtype, false),
                        count: links.len(),
                        links: links.as_ptr(),
                        pointers: pointers.as_ptr(),
                    };
                    // SAFETY: the CPU has the ISA; the operands have these rows and columns.
                    unsafe { run(&call) };
                    for (i, (stored, result)) in stored.iter().zip(&results).enumerate() {
                        let same = canonical(dtype, stored) == canonical(dtype, result);
                        assert!(same, "{dtype} {isa}: link {i} of {length}, {} with {cols} columns", links[i].op);
                    }
                }
            }
        }
    }
}

#[test]
fn other_dtypes_have_no_chains() {
    for dtype in [DType::I32, DType::F16, DType::Bool] {
        assert!(chain_kernel(dtype, Isa::Scalar).is_none());
        assert!(!is_link(Op::Add, dtype));
    }
}
