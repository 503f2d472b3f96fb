//! Which operands kernels permute in registers, and row reuse: broadcast rows that kernels keep in registers.

use std::sync::atomic::AtomicU32;

use eltwise_core::{DType, Op};
use eltwise_kernels::arranged::{arranged, held};
use eltwise_kernels::table::{is_built, kernel};
use eltwise_kernels::{Arrangement, Call, Operand};
use eltwise_simd::Isa;

#[test]
fn elements_of_16_bytes_are_not_permuted() {
    for isa in Isa::ALL {
        assert!(Arrangement::new(16, &[100, 5], &[16, 0], isa).is_none(), "{isa}");
    }
}

#[test]
fn every_isa_that_permutes_has_patterns_for_every_element_size() {
    for isa in [Isa::Avx2, Isa::Avx512, Isa::Avx512Fp16] {
        for size in [2, 4, 8] {
            let permutes = cfg!(target_arch = "x86_64");
            let found = Arrangement::new(size, &[100, 5], &[size as isize, 0], isa);
            assert_eq!(found.is_some(), permutes, "{size} {isa}");
        }
    }
}

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

/// Rows of every length, as either operand, with rows or splats as the other.
#[test]
fn reused_rows_give_the_bits_of_rows_loaded_each_time() {
    let ops = [Op::Add, Op::Subtract, Op::Multiply, Op::Maximum, Op::Minimum, Op::Divide];
    let mut compared = 0;
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        for dtype in DType::ALL.into_iter().filter(|&d| is_built(d)) {
            for op in ops {
                let Some(held) = held(op, dtype, isa) else {
                    assert!(arranged(op, dtype, isa).is_none(), "{op} {dtype} {isa}");
                    continue;
                };
                let plain = kernel(op, dtype, dtype, isa).unwrap().kernel;
                let size = dtype.size();
                for columns in (0..=160 / size).chain([512 / size, 512 / size + 1, 1100 / size, 1101]) {
                    let rows = 3;
                    let (row, other) = (numbers(dtype, columns + 1, 1), numbers(dtype, rows * columns + rows, 2));
                    for (is_first, splat) in [(true, true), (true, false), (false, true), (false, false)] {
                        let [expected, given] = [plain, held].map(|kernel| {
                            let mut out = vec![0xa5u8; rows * columns * size + 8];
                            let flags = AtomicU32::new(0);
                            let line = (columns * size) as isize;
                            let at = |bytes: &[u8], row, splat| Operand { ptr: bytes.as_ptr().cast_mut(), row, splat };
                            let reused = at(&row, 0, false);
                            let other = at(&other, if splat { size as isize } else { line }, splat);
                            let [a, b] = if is_first { [reused, other] } else { [other, reused] };
                            let call = Call {
                                rows,
                                cols: columns,
                                out: Operand { ptr: out.as_mut_ptr(), row: line, splat: false },
                                ins: [a, b, Operand::NONE, Operand::NONE],
                                flags: &flags,
                            };
                            // SAFETY: the ISA is available; the operands have as many rows and columns as the call.
                            unsafe { kernel(&call) };
                            out
                        });
                        assert_eq!(
                            given, expected,
                            "{op} {dtype} {isa}: {columns} columns, first {is_first}, splat {splat}"
                        );
                        compared += 1;
                    }
                }
            }
        }
    }
    let reuses = Isa::ALL.iter().any(|isa| isa.is_available() && arranged(Op::Add, DType::F32, *isa).is_some());
    assert_eq!(compared > 1000, reuses, "{compared} calls compared");
}
