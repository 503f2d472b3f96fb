//! exp, exp2, exp10, expm1.

use crate::common::{INF, NAN, test_functions};

const POWER: &[(f64, f64)] = &[(0.0, 1.0), (-0.0, 1.0), (-INF, 0.0), (INF, INF), (NAN, NAN)];
/// Just below and above the thresholds of overflow and of underflow to half the smallest subnormal number.
const EXP_F32: &[(f64, f64)] = &[(88.722_83, 3.402_798_5e38), (88.722_84, INF), (-103.972, 1e-45), (-103.973, 0.0)];
const EXP_F64: &[(f64, f64)] = &[
    (709.782_712_893_384, 1.797_693_134_862_273_2e308),
    (709.782_712_893_384_1, INF),
    (-745.133_219_101_941_1, 5e-324),
    (-745.133_219_101_941_2, 0.0),
];
const EXPM1: &[(f64, f64)] =
    &[(0.0, 0.0), (-0.0, -0.0), (-INF, -1.0), (INF, INF), (-800.0, -1.0), (800.0, INF), (1e-38, 1e-38), (NAN, NAN)];

test_functions! {
    exp_thresholds_f32 = f32::exp(x) {
        special_values: EXP_F32;
    }
    exp_thresholds_f64 = f64::exp(x) {
        special_values: EXP_F64;
    }
    exp_f32 = f32::exp(x) {
        special_values: POWER;
        edge_values: ();
        increasing: &[[-104.0, 89.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.9291, &[[-104.0, 89.0], [-1.0, 1.0]]);
        same_bits: &[[-104.0, 89.0], [-1.0, 1.0]];
    }
    exp_f64 = f64::exp(x) {
        special_values: POWER;
        edge_values: ();
        increasing_between_samples: &[[-746.0, 710.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.78, &[[-746.0, 710.0], [-1.0, 1.0]]);
        same_bits: &[[-746.0, 710.0], [-1.0, 1.0]];
    }
    exp_correctly_rounded = correctly_rounded::exp(x) {
        special_values: POWER;
        correctly_rounded: &[[-104.0, 89.0], [-1.0, 1.0]];
        hard_inputs: &[0xbe11_f570, 0xbf0a_844a, 0xbf66_8cfc, 0xbe4e_e543];
        same_bits: &[[-104.0, 89.0], [-1.0, 1.0]];
    }
    exp2_f32 = f32::exp2(x) {
        special_values: POWER;
        edge_values: ();
        increasing: &[[-150.0, 129.0], [-1.0, 1.0]];
        representable_results: 100;
        ulp_error_at_most: (0.9316, &[[-150.0, 129.0], [-1.0, 1.0]]);
        same_bits: &[[-150.0, 129.0], [-1.0, 1.0]];
    }
    exp2_f64 = f64::exp2(x) {
        special_values: POWER;
        edge_values: ();
        increasing_between_samples: &[[-1076.0, 1025.0]];
        representable_results: 100;
        ulp_error_at_most: (0.77, &[[-1076.0, 1025.0], [-1.0, 1.0]]);
        same_bits: &[[-1076.0, 1025.0], [-1.0, 1.0]];
    }
    exp2_correctly_rounded = correctly_rounded::exp2(x) {
        special_values: POWER;
        correctly_rounded: &[[-150.0, 129.0], [-1.0, 1.0]];
        hard_inputs: &[0xbe85_414d, 0xbf1a_d93b, 0xbe7d_ebe9, 0x3f31_2e9e, 0x3b42_9d37, 0xbcf3_a937];
        same_bits: &[[-150.0, 129.0], [-1.0, 1.0]];
    }
    exp10_f32 = f32::exp10(x) {
        special_values: POWER;
        edge_values: ();
        increasing: &[[-46.0, 39.0], [-1.0, 1.0]];
        representable_results: 20;
        ulp_error_at_most: (0.9386, &[[-46.0, 39.0], [-1.0, 1.0]]);
        same_bits: &[[-46.0, 39.0], [-1.0, 1.0]];
    }
    exp10_f64 = f64::exp10(x) {
        special_values: POWER;
        edge_values: ();
        increasing_between_samples: &[[-324.0, 309.0]];
        representable_results: 20;
        ulp_error_at_most: (0.8, &[[-324.0, 309.0], [-1.0, 1.0]]);
        same_bits: &[[-324.0, 309.0], [-1.0, 1.0]];
    }
    exp10_correctly_rounded = correctly_rounded::exp10(x) {
        special_values: POWER;
        correctly_rounded: &[[-46.0, 39.0], [-1.0, 1.0]];
        same_bits: &[[-46.0, 39.0], [-1.0, 1.0]];
    }
    expm1_f32 = f32::expm1(x) {
        special_values: EXPM1;
        edge_values: ();
        increasing: &[[-20.0, 89.0], [-1.0, 1.0]];
        representable_results: 100;
        ulp_error_at_most: (0.9799, &[[-20.0, 90.0], [-1.0, 1.0]]);
        same_bits: &[[-20.0, 90.0], [-1.0, 1.0]];
    }
    expm1_f64 = f64::expm1(x) {
        special_values: EXPM1;
        edge_values: ();
        increasing_between_samples: &[[-40.0, 710.0], [-1.0, 1.0]];
        representable_results: 100;
        ulp_error_at_most: (0.58, &[[-40.0, 710.0], [-1.0, 1.0]]);
        same_bits: &[[-40.0, 710.0], [-1.0, 1.0]];
    }
}
