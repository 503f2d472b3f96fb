//! Math functions over dense operands, one thread: every one over f32 and f64, and half floats, which are computed in f32.

mod support;

use Level::{Dram, L1, L2, L3};
use criterion::{Criterion, criterion_group, criterion_main};
use eltwise::{DType, Op};
use eltwise_benches::Level;
use support::Group;

/// What stands for all: short and long, one operand and two.
const OF_ALL: [Op; 6] = [Op::Exp, Op::Log, Op::Sin, Op::Tanh, Op::GeluTanh, Op::Pow];

fn math(c: &mut Criterion) {
    for &op in Op::ALL.iter().filter(|op| op.info().has_math()) {
        let (name, operands) = (op.info().name, op.info().operands);
        let expression = format!("{name}({})", operands.join(", "));
        for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
            if !op.info().takes(dtype) || (dtype.size() == 2 && !OF_ALL.contains(&op)) {
                continue;
            }
            let levels: &[Level] =
                if OF_ALL.contains(&op) && dtype == DType::F32 { &[L1, L2, L3, Dram] } else { &[L1] };
            let mut group = Group::new(c, &format!("math/{name}/{dtype}"));
            group.levels_over(&expression, &vec![dtype; operands.len()], levels, |operand| {
                match op {
                    // NaN beyond -1 and 1, or beyond 0 and 1.
                    Op::Asin | Op::Acos | Op::Atanh | Op::Logit => operand.between(0.02, 0.98),
                    // NaN below 1.
                    Op::Acosh => operand.between(1.0, 5.0),
                    _ => operand,
                }
            });
        }
    }
}

criterion_group! { name = benches; config = support::settings(); targets = math }
criterion_main!(benches);
