//! asinh, acosh, atanh.

use crate::common::{INF, NAN, test_functions};

const ASINH: &[(f64, f64)] = &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (1e-38, 1e-38), (NAN, NAN)];
const ACOSH: &[(f64, f64)] = &[(1.0, 0.0), (0.5, NAN), (0.0, NAN), (-INF, NAN), (INF, INF), (NAN, NAN)];
const ATANH: &[(f64, f64)] =
    &[(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (-INF, NAN), (1e-38, 1e-38), (NAN, NAN)];

test_functions! {
    asinh_f32 = f32::asinh(x) {
        special_values: ASINH;
        edge_values: ();
        increasing_between_samples: &[[-3e38, 3e38], [-4.0, 4.0]];
        ulp_error_at_most: (0.9, &[[-3e38, 3e38], [-4.0, 4.0]]);
        same_bits: &[[-3e38, 3e38], [-4.0, 4.0]];
    }
    asinh_f64 = f64::asinh(x) {
        special_values: ASINH;
        edge_values: ();
        increasing_between_samples: &[[-1e308, 1e308], [-4.0, 4.0]];
        ulp_error_at_most: (0.55, &[[-1e308, 1e308], [-4.0, 4.0]]);
        same_bits: &[[-1e308, 1e308], [-4.0, 4.0]];
    }
    asinh_correctly_rounded = correctly_rounded::asinh(x) {
        special_values: ASINH;
        correctly_rounded: &[[-3e38, 3e38], [-4.0, 4.0]];
        hard_inputs: &[0xc011_513b, 0xbf70_7952, 0xc038_a7f3, 0xbf95_abfe, 0x4bdd_65a5, 0x6558_90d3, 0x6eb1_a8ec];
        same_bits: &[[-3e38, 3e38], [-4.0, 4.0]];
    }
    asinh_to_narrow = to_narrow::asinh(x) {
        narrows_correctly: &[[-3e38, 3e38], [-4.0, 4.0]];
        same_bits: &[[-3e38, 3e38], [-4.0, 4.0]];
    }
    acosh_f32 = f32::acosh(x) {
        special_values: ACOSH;
        edge_values: ();
        increasing_between_samples: &[[1.0, 3e38], [1.0, 4.0]];
        ulp_error_at_most: (0.86, &[[1.0, 3e38], [1.0, 4.0]]);
        same_bits: &[[1.0, 3e38], [1.0, 4.0]];
    }
    acosh_f64 = f64::acosh(x) {
        special_values: ACOSH;
        edge_values: ();
        increasing_between_samples: &[[1.0, 1e308], [1.0, 4.0]];
        ulp_error_at_most: (0.67, &[[1.0, 1e308], [1.0, 4.0]]);
        same_bits: &[[1.0, 1e308], [1.0, 4.0]];
    }
    acosh_correctly_rounded = correctly_rounded::acosh(x) {
        special_values: ACOSH;
        correctly_rounded: &[[1.0, 3e38], [1.0, 4.0]];
        hard_inputs: &[0x3ff3_2ddf, 0x403d_ca0a, 0x3ffb_5468, 0x3f82_bf95, 0x6558_90d3, 0x6eb1_a8ec];
        same_bits: &[[1.0, 3e38], [1.0, 4.0]];
    }
    acosh_to_narrow = to_narrow::acosh(x) {
        narrows_correctly: &[[1.0, 3e38], [1.0, 4.0]];
        same_bits: &[[1.0, 3e38], [1.0, 4.0]];
    }
    atanh_f32 = f32::atanh(x) {
        special_values: ATANH;
        edge_values: ();
        increasing_between_samples: &[[-1.0, 1.0]];
        ulp_error_at_most: (0.97, &[[-1.0, 1.0]]);
        same_bits: &[[-1.0, 1.0]];
    }
    atanh_f64 = f64::atanh(x) {
        special_values: ATANH;
        edge_values: ();
        increasing_between_samples: &[[-1.0, 1.0]];
        ulp_error_at_most: (0.64, &[[-1.0, 1.0]]);
        same_bits: &[[-1.0, 1.0]];
    }
    atanh_correctly_rounded = correctly_rounded::atanh(x) {
        special_values: ATANH;
        correctly_rounded: &[[-1.0, 1.0]];
        hard_inputs: &[0xbe09_524a, 0x3f49_b631];
        same_bits: &[[-1.0, 1.0]];
    }
    atanh_to_narrow = to_narrow::atanh(x) {
        narrows_correctly: &[[-1.0, 1.0]];
        same_bits: &[[-1.0, 1.0]];
    }
}
