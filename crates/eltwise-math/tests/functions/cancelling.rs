//! Functions that are differences or quotients of nearly equal numbers: tanhshrink, exprel, sinc.

use crate::common::{INF, NAN, test_functions};

const TANHSHRINK: &[(f64, f64)] = &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (100.0, 99.0), (NAN, NAN)];
const EXPREL: &[(f64, f64)] = &[
    (0.0, 1.0),
    (-0.0, 1.0),
    (INF, INF),
    (-INF, 0.0),
    (1e-30, 1.0),
    (-1.2676506002282294e30, 7.888609052210118e-31),
    (800.0, INF),
    (NAN, NAN),
];
const SINC: &[(f64, f64)] = &[
    (0.0, 1.0),
    (-0.0, 1.0),
    (1.0, 0.0),
    (-1.0, 0.0),
    (3.0, 0.0),
    (-2.0, 0.0),
    (1e30, 0.0),
    (INF, 0.0),
    (-INF, 0.0),
    (0.5, core::f64::consts::FRAC_2_PI),
    (NAN, NAN),
];

test_functions! {
    tanhshrink_f32 = f32::tanhshrink(x) {
        special_values: TANHSHRINK;
        edge_values: ();
        increasing: &[[-20.0, 20.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.6, &[[-20.0, 20.0], [-1.0, 1.0], [-0.01, 0.01]]);
        same_bits: &[[-20.0, 20.0], [-1.0, 1.0]];
    }
    tanhshrink_f64 = f64::tanhshrink(x) {
        special_values: TANHSHRINK;
        edge_values: ();
        increasing_between_samples: &[[-30.0, 30.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.6, &[[-30.0, 30.0], [-1.0, 1.0], [-0.6, 0.6], [-1e-60, 1e-60]]);
        same_bits: &[[-30.0, 30.0], [-1.0, 1.0]];
    }
    exprel_f32 = f32::exprel(x) {
        special_values: EXPREL;
        edge_values: ();
        increasing: &[[-105.0, 95.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.501, &[[-105.0, 95.0], [-1.0, 1.0], [-1e-5, 1e-5], [-1e30, -1.0]]);
        same_bits: &[[-105.0, 95.0], [-1.0, 1.0]];
    }
    exprel_f64 = f64::exprel(x) {
        special_values: EXPREL;
        edge_values: ();
        increasing_between_samples: &[[-746.0, 716.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.76, &[[-746.0, 716.5], [-1.0, 1.0], [-1e-14, 1e-14], [-1e300, -1.0]]);
        same_bits: &[[-746.0, 716.0], [-1.0, 1.0]];
    }
    sinc_f32 = f32::sinc(x) {
        special_values: SINC;
        edge_values: ();
        ulp_error_at_most: (0.501, &[[-5.0, 5.0], [-1e4, 1e4], [0.999, 1.001], [-1e7, 1e7]]);
        same_bits: &[[-5.0, 5.0], [-1e4, 1e4]];
    }
    sinc_f64 = f64::sinc(x) {
        special_values: SINC;
        edge_values: ();
        ulp_error_at_most: (0.52, &[[-5.0, 5.0], [-1e4, 1e4], [0.999, 1.001], [-1e15, 1e15]]);
        same_bits: &[[-5.0, 5.0], [-1e4, 1e4]];
    }
}
