//! Math functions over contiguous operands on one thread: all over f32 and f64, some over f16 and bf16, which compute
//! in f32.

mod support;

use Level::{Dram, L1, L2, L3};
use criterion::{Criterion, criterion_group, criterion_main};
use eltwise::{DType, Op};
use eltwise_benches::Level;
use support::Group;

/// Functions timed over every float dtype and, for f32, at every level of the memory: cheap and expensive ones, unary
/// and binary.
const REPRESENTATIVE: [Op; 6] = [Op::Exp, Op::Log, Op::Sin, Op::Tanh, Op::GeluTanh, Op::Pow];

fn math(c: &mut Criterion) {
    for &op in Op::ALL.iter().filter(|op| op.info().has_math()) {
        let (name, operands) = (op.info().name, op.info().operands);
        let expression = format!("{name}({})", operands.join(", "));
        for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
            if !op.info().takes(dtype) || (dtype.size() == 2 && !REPRESENTATIVE.contains(&op)) {
                continue;
            }
            let levels: &[Level] =
                if REPRESENTATIVE.contains(&op) && dtype == DType::F32 { &[L1, L2, L3, Dram] } else { &[L1] };
            let mut group = Group::new(c, &format!("math/{name}/{dtype}"));
            group.levels_over(&expression, &vec![dtype; operands.len()], levels, |operand| {
                match op {
                    // The domain is [-1, 1], or [0, 1] for logit.
                    Op::Asin | Op::Acos | Op::Atanh | Op::Logit => operand.between(0.02, 0.98),
                    // The domain starts at 1.
                    Op::Acosh => operand.between(1.0, 5.0),
                    _ => operand,
                }
            });
        }
    }
}

criterion_group! { name = benches; config = support::settings(); targets = math }
criterion_main!(benches);
