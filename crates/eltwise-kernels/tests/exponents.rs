//! The planner and the math functions agree on which exponents are computed by products and roots.

use eltwise_core::{Constant, DType, Op};
use eltwise_math::Exponent;
use eltwise_plan::constant_power;

#[test]
fn exponents_that_choose_an_operator_have_a_class() {
    let numbers = (-400..=400).map(|quarters| f64::from(quarters) / 4.0);
    let others = [1e300, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let mut products = 0;
    for y in numbers.chain(others) {
        let exponent = Constant { dtype: DType::F64, bits: y.to_bits().into() };
        let chosen = constant_power(exponent);
        assert_eq!(chosen.is_some(), Exponent::of(y) != Exponent::Other, "{y}: {chosen:?}");
        products += u32::from(chosen == Some(Op::PowConstant));
    }
    // 129 integers and two roots, without 2 and -1.
    assert_eq!(products, 129 + 2 - 2);
}
