//! Unit kernels give the bits of the kernels over rows, for operands that are contiguous, one element, or permuted, as either
//! operand, over units of every length, up to the end of readable memory, and in place.

use std::sync::atomic::AtomicU32;

use eltwise_core::tables::Tables;
use eltwise_core::{DType, Op};
use eltwise_kernels::layout::{self, UnitCall, UnitOperand, UnitSource, unit_kernel};
use eltwise_kernels::table::{is_built, kernel};
use eltwise_kernels::{Call, Operand};
use eltwise_plan::KernelCapabilities;
use eltwise_plan::strategy::copy::{CopyLoop, unit_table};
use eltwise_simd::Isa;

/// The bytes of `count` elements that are not NaN.
fn numbers(dtype: DType, count: usize, seed: usize) -> Vec<u8> {
    let small = |i: usize| ((i * 37 + seed * 11) % 101) as u8;
    let element = |i: usize| -> Vec<u8> {
        match dtype {
            DType::F32 => (f32::from(small(i)) * 0.37 - 9.0).to_ne_bytes().into(),
            DType::F64 => (f64::from(small(i)) * 0.37 - 9.0).to_ne_bytes().into(),
            DType::F16 => half::f16::from_f32(f32::from(small(i)) * 0.37 - 9.0).to_ne_bytes().into(),
            DType::BF16 => half::bf16::from_f32(f32::from(small(i)) * 0.37 - 9.0).to_ne_bytes().into(),
            _ => (0..dtype.size()).map(|byte| small(i * 8 + byte).wrapping_mul(3)).collect(),
        }
    };
    (0..count).flat_map(element).collect()
}

/// An operand: the elements from one unit to the next, and the strides of the elements of a unit, in elements.
#[derive(Clone, Copy, Debug)]
enum Input {
    Contiguous {
        step: usize,
    },
    Splat {
        step: usize,
    },
    /// Every so many elements, or each element so many times.
    Permuted {
        step: usize,
        stride: usize,
        repeats: usize,
    },
}

use Input::{Contiguous, Permuted, Splat};

impl Input {
    /// Where element `i` of unit `unit` is.
    fn at(self, unit: usize, i: usize) -> usize {
        match self {
            Contiguous { step } => unit * step + i,
            Splat { step } => unit * step,
            Permuted { step, stride, repeats } => unit * step + i / repeats * stride,
        }
    }

    fn source(self, size: usize, elements: usize, kernels: &KernelCapabilities, tables: &mut Tables) -> UnitSource {
        let Permuted { stride, repeats, .. } = self else {
            return if let Contiguous { .. } = self { UnitSource::Contiguous } else { UnitSource::Splat };
        };
        let size = size as isize;
        let mut loops =
            vec![CopyLoop { size: elements / repeats, from: stride as isize * size, to: repeats as isize * size }];
        if repeats > 1 {
            loops.push(CopyLoop { size: repeats, from: 0, to: size });
        }
        UnitSource::Permuted(unit_table(size as usize, &loops, kernels, tables).expect("the ISA permutes"))
    }

    fn step(self) -> usize {
        match self {
            Contiguous { step } | Splat { step } | Permuted { step, .. } => step,
        }
    }
}

/// The pairs of operands over units of so many elements.
fn pairs(elements: usize) -> Vec<[Input; 2]> {
    let mut inputs = vec![
        Contiguous { step: elements },
        Contiguous { step: 0 },
        Splat { step: 1 },
        Splat { step: 0 },
        Permuted { step: 1, stride: 2, repeats: 1 },
        Permuted { step: 0, stride: 3, repeats: 1 },
        Permuted { step: 5 * elements, stride: 5, repeats: 1 },
    ];
    for repeats in [2, 3, 4].into_iter().filter(|&repeats| elements.is_multiple_of(repeats)) {
        inputs.push(Permuted { step: elements / repeats, stride: 1, repeats });
        inputs.push(Permuted { step: 0, stride: 1, repeats });
    }
    inputs.iter().flat_map(|&a| inputs.iter().map(move |&b| [a, b])).collect()
}

#[test]
fn unit_kernels_give_the_bits_of_kernels_over_rows() {
    let ops = [Op::Add, Op::Subtract, Op::Multiply, Op::Maximum, Op::Minimum, Op::Divide];
    let mut compared = 0;
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let kernels = KernelCapabilities {
            vector_bytes: isa.vector_bytes(),
            blocks: layout::blocks(isa),
            smallest_permuted: layout::smallest_permuted(isa),
            ..KernelCapabilities::default()
        };
        for (d, dtype) in DType::ALL.into_iter().filter(|&d| is_built(d)).enumerate() {
            let (size, lanes) = (dtype.size(), isa.vector_bytes() / dtype.size());
            for (n, elements) in [lanes, 2 * lanes, 3 * lanes, 1, 7, 24, lanes + 1, 4 * lanes - 3, 12, 17 * lanes + 5]
                .into_iter()
                .enumerate()
            {
                for (p, pair) in pairs(elements).into_iter().enumerate() {
                    let op = ops[(d + n + p) % ops.len()];
                    let Some(unit_kernel) = unit_kernel(op, dtype, isa) else { continue };
                    let plain = kernel(op, dtype, dtype, isa).expect("every unit kernel has a plain one").kernel;
                    let (rows, units) = (3, 1 + (n + p) % 9);
                    let (row_step, span) = (elements * units + 3, |i: Input| i.at(units - 1, elements - 1) + 1);
                    let spans = pair.map(|input| 2 * 7 + span(input));
                    let inputs = [0, 1].map(|k| numbers(dtype, spans[k], k + 1));
                    let mut tables = Tables::default();
                    let sources = pair.map(|input| input.source(size, elements, &kernels, &mut tables));
                    let operand = |k: usize| UnitOperand {
                        ptr: inputs[k].as_ptr(),
                        step: (pair[k].step() * size) as isize,
                        source: sources[k],
                        end: inputs[k].as_ptr_range().end,
                    };
                    let places = |by: usize| -> Vec<i64> { (0..rows).map(|row| (row * by * size) as i64).collect() };
                    let mut lists = [tables.push(&places(row_step)), tables.push(&places(7)), tables.push(&places(7))];
                    let mut given = vec![0xa5u8; rows * row_step * size];
                    let mut expected = given.clone();
                    // The output is over an operand.
                    let over =
                        (0..2).find(|&k| n % 2 == 0 && matches!(pair[k], Contiguous { step } if step == elements));
                    let mut ins = [operand(0), operand(1)];
                    if let Some(k) = over {
                        for row in 0..rows {
                            let bytes = elements * units * size;
                            given[row * row_step * size..][..bytes]
                                .copy_from_slice(&inputs[k][7 * row * size..][..bytes]);
                        }
                        lists[1 + k] = lists[0];
                        ins[k].ptr = given.as_ptr();
                    }
                    let call = UnitCall {
                        out: given.as_mut_ptr(),
                        step: (elements * size) as isize,
                        bytes: elements * size,
                        units,
                        ins,
                        rows: lists,
                        tables: &raw const tables,
                    };
                    // SAFETY: the ISA is available; the operands have all units of all rows.
                    unsafe { unit_kernel.run(&call) };
                    for (row, unit) in (0..rows).flat_map(|row| (0..units).map(move |unit| (row, unit))) {
                        let gathered = [0, 1].map(|k| -> Vec<u8> {
                            let at = |i: usize| (7 * row + pair[k].at(unit, i)) * size;
                            (0..elements).flat_map(|i| inputs[k][at(i)..][..size].to_vec()).collect()
                        });
                        let operand = |bytes: &[u8]| Operand { ptr: bytes.as_ptr().cast_mut(), row: 0, splat: false };
                        let flags = AtomicU32::new(0);
                        let at = (row * row_step + unit * elements) * size;
                        let out = Operand { ptr: expected[at..][..elements * size].as_mut_ptr(), row: 0, splat: false };
                        let ins = [operand(&gathered[0]), operand(&gathered[1]), Operand::NONE, Operand::NONE];
                        let call = Call { rows: 1, cols: elements, out, ins, flags: &flags };
                        // SAFETY: the ISA is available; the operands have as many elements.
                        unsafe { plain(&call) };
                    }
                    assert_eq!(given, expected, "{op} {dtype} {isa}: {units} units of {elements}, {pair:?}");
                    compared += 1;
                }
            }
        }
    }
    let has_kernels = Isa::ALL.iter().any(|&isa| isa.is_available() && unit_kernel(Op::Add, DType::F32, isa).is_some());
    assert_eq!(compared > 10_000, has_kernels, "{compared} calls compared");
}
