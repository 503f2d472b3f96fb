//! lgamma, digamma, the inverse error functions, the normal distribution and Bessel functions.

use crate::common::{INF, NAN, test_functions};

const LGAMMA: &[(f64, f64)] = &[
    (1.0, 0.0),
    (2.0, 0.0),
    (0.0, INF),
    (-0.0, INF),
    (-1.0, INF),
    (-7.0, INF),
    (-1e30, INF),
    (INF, INF),
    (-INF, -INF),
    (NAN, NAN),
];
const DIGAMMA: &[(f64, f64)] = &[
    (0.0, -INF),
    (-0.0, INF),
    (-1.0, NAN),
    (-1e30, NAN),
    (INF, INF),
    (-INF, NAN),
    (-1.2676506002282294e30, NAN),
    (7.888609052210118e-31, -1.2676506002282294e30),
    (-7.888609052210118e-31, 1.2676506002282294e30),
    (NAN, NAN),
];
const ERFINV: &[(f64, f64)] =
    &[(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (-INF, NAN), (NAN, NAN)];
const ERFCINV: &[(f64, f64)] =
    &[(0.0, INF), (-0.0, INF), (1.0, 0.0), (2.0, -INF), (-1.0, NAN), (2.5, NAN), (INF, NAN), (NAN, NAN)];
const ERFCX: &[(f64, f64)] =
    &[(0.0, 1.0), (-0.0, 1.0), (1e-30, 1.0), (-1e-30, 1.0), (INF, 0.0), (-INF, INF), (-30.0, INF), (NAN, NAN)];
const NDTR: &[(f64, f64)] = &[(0.0, 0.5), (-0.0, 0.5), (INF, 1.0), (-INF, 0.0), (50.0, 1.0), (-50.0, 0.0), (NAN, NAN)];
const NDTRI: &[(f64, f64)] =
    &[(0.0, -INF), (-0.0, -INF), (0.5, 0.0), (1.0, INF), (-1.0, NAN), (1.5, NAN), (INF, NAN), (NAN, NAN)];
const LOG_NDTR: &[(f64, f64)] = &[(INF, -0.0), (-INF, -INF), (NAN, NAN)];
const I0: &[(f64, f64)] = &[(0.0, 1.0), (-0.0, 1.0), (1e-30, 1.0), (INF, INF), (-INF, INF), (800.0, INF), (NAN, NAN)];
const I0E: &[(f64, f64)] = &[(0.0, 1.0), (-0.0, 1.0), (1e-30, 1.0), (INF, 0.0), (-INF, 0.0), (NAN, NAN)];
const I1: &[(f64, f64)] =
    &[(0.0, 0.0), (-0.0, -0.0), (2e-30, 1e-30), (INF, INF), (-INF, -INF), (-800.0, -INF), (NAN, NAN)];
const I1E: &[(f64, f64)] = &[(0.0, 0.0), (-0.0, -0.0), (2e-30, 1e-30), (INF, 0.0), (-INF, -0.0), (NAN, NAN)];

test_functions! {
    lgamma_f32 = f32::lgamma(x) {
        special_values: LGAMMA;
        edge_values: ();
        ulp_error_at_most: (0.51, &[[0.0, 12.0], [0.9, 2.1], [1e-30, 1e30], [-12.0, 0.0], [-2.8, -2.0], [-1000.0, 0.0]]);
        same_bits: &[[-12.0, 12.0], [1e-30, 1e30]];
    }
    lgamma_f64 = f64::lgamma(x) {
        special_values: LGAMMA;
        ulp_error_at_most: (4.0, &[[0.0, 12.0], [0.9, 2.1], [1e-300, 1e300], [-0.5, 0.0], [1e-200, 1.0]]);
        ulp_or_absolute_error_at_most: (4.0, 2f64.powi(-46), &[[-12.0, -0.5], [-3.0, -2.0], [-40.0, -0.5]]);
        same_bits: &[[-12.0, 12.0], [1e-300, 1e300]];
    }
    digamma_f32 = f32::digamma(x) {
        special_values: DIGAMMA;
        edge_values: ();
        ulp_error_at_most: (0.51, &[[0.0, 12.0], [1.4, 1.5], [1e-30, 1e30], [-12.0, 0.0], [-1000.0, 0.0], [-1e-10, 0.0]]);
        same_bits: &[[-12.0, 12.0], [1e-30, 1e30]];
    }
    digamma_f64 = f64::digamma(x) {
        special_values: DIGAMMA;
        ulp_error_at_most: (4.0, &[[0.0, 12.0], [1.4, 1.5], [1e-300, 1e300], [-1e-8, 0.0]]);
        ulp_or_absolute_error_at_most: (4.0, 2f64.powi(-46), &[[-12.0, 0.0], [-1.0, 0.0], [-1000.0, 0.0]]);
        same_bits: &[[-12.0, 12.0], [1e-300, 1e300]];
    }
    erfinv_f32 = f32::erfinv(x) {
        special_values: ERFINV;
        edge_values: ();
        increasing: &[[-1.0, 1.0], [0.9999, 1.0]];
        ulp_error_at_most: (0.51, &[[-1.0, 1.0], [-1e-20, 1e-20], [0.999, 1.0]]);
        same_bits: &[[-1.0, 1.0]];
    }
    erfinv_f64 = f64::erfinv(x) {
        special_values: ERFINV;
        edge_values_within: 4.0;
        increasing_between_samples: &[[-0.99, 0.99]];
        ulp_error_at_most: (3.0, &[[-1.0, 1.0], [-1e-20, 1e-20], [0.999, 1.0], [0.999999999999, 1.0]]);
        same_bits: &[[-1.0, 1.0]];
    }
    erfcinv_f32 = f32::erfcinv(x) {
        special_values: ERFCINV;
        edge_values: ();
        decreasing: &[[0.0, 2.0], [0.0, 1e-30]];
        ulp_error_at_most: (0.51, &[[0.0, 2.0], [0.99, 1.01], [1e-38, 1e-10]]);
        same_bits: &[[0.0, 2.0]];
    }
    erfcinv_f64 = f64::erfcinv(x) {
        special_values: ERFCINV;
        edge_values_within: 4.0;
        decreasing_between_samples: &[[1e-300, 1.99]];
        ulp_error_at_most: (3.0, &[[0.0, 2.0], [0.99, 1.01], [1e-308, 1e-100], [1e-320, 1e-10]]);
        same_bits: &[[0.0, 2.0], [1e-308, 1.0]];
    }
    erfcx_f32 = f32::erfcx(x) {
        special_values: ERFCX;
        edge_values: ();
        decreasing: &[[-9.0, 100.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.51, &[[-9.4, 40.0], [-1.0, 1.0], [1.0, 1e38]]);
        same_bits: &[[-9.4, 40.0]];
    }
    erfcx_f64 = f64::erfcx(x) {
        special_values: ERFCX;
        edge_values_within: 4.0;
        decreasing_between_samples: &[[-26.0, 100.0]];
        ulp_error_at_most: (4.0, &[[-26.62, 40.0], [-1.0, 1.0], [1.0, 1e308]]);
        same_bits: &[[-26.62, 40.0]];
    }
    ndtr_f32 = f32::ndtr(x) {
        special_values: NDTR;
        edge_values: ();
        increasing: &[[-14.5, 6.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.51, &[[-14.5, 6.0], [-1.0, 1.0]]);
        same_bits: &[[-14.5, 6.0]];
    }
    ndtr_f64 = f64::ndtr(x) {
        special_values: NDTR;
        edge_values: ();
        increasing_between_samples: &[[-38.0, 5.0]];
        ulp_error_at_most: (1.0, &[[-38.6, 9.0], [-1.0, 1.0], [-38.6, -37.0]]);
        same_bits: &[[-38.6, 9.0]];
    }
    ndtri_f32 = f32::ndtri(x) {
        special_values: NDTRI;
        edge_values: ();
        increasing: &[[0.0, 1.0], [0.0, 1e-30]];
        ulp_error_at_most: (0.51, &[[0.0, 1.0], [0.49, 0.51], [1e-38, 1e-10]]);
        same_bits: &[[0.0, 1.0]];
    }
    ndtri_f64 = f64::ndtri(x) {
        special_values: NDTRI;
        edge_values_within: 4.0;
        increasing_between_samples: &[[1e-300, 0.99]];
        ulp_error_at_most: (4.0, &[[0.0, 1.0], [0.49, 0.51], [1e-308, 1e-100], [1e-320, 1e-10]]);
        same_bits: &[[0.0, 1.0], [1e-308, 1.0]];
    }
    log_ndtr_f32 = f32::log_ndtr(x) {
        special_values: LOG_NDTR;
        edge_values: ();
        increasing: &[[-100.0, 14.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.51, &[[-40.0, 14.0], [-1.0, 1.0], [-1e19, -1.0]]);
        same_bits: &[[-40.0, 14.0]];
    }
    log_ndtr_f64 = f64::log_ndtr(x) {
        special_values: LOG_NDTR;
        edge_values_within: 4.0;
        increasing_between_samples: &[[-100.0, 37.0]];
        ulp_error_at_most: (3.0, &[[-40.0, 38.0], [-1.0, 1.0], [-1e150, -1.0]]);
        same_bits: &[[-40.0, 38.0]];
    }
    i0_f32 = f32::i0(x) {
        special_values: I0;
        edge_values: ();
        increasing: &[[0.0, 91.0]];
        ulp_error_at_most: (0.51, &[[-91.0, 91.0], [-1.0, 1.0]]);
        same_bits: &[[-91.0, 91.0]];
    }
    i0_f64 = f64::i0(x) {
        special_values: I0;
        edge_values_within: 4.0;
        increasing_between_samples: &[[0.1, 713.0]];
        ulp_error_at_most: (4.0, &[[-713.0, 713.0], [-8.0, 8.0]]);
        same_bits: &[[-713.0, 713.0]];
    }
    i0e_f32 = f32::i0e(x) {
        special_values: I0E;
        edge_values: ();
        decreasing: &[[0.0, 100.0]];
        ulp_error_at_most: (0.51, &[[-91.0, 91.0], [-1.0, 1.0], [1.0, 1e38]]);
        same_bits: &[[-91.0, 91.0]];
    }
    i0e_f64 = f64::i0e(x) {
        special_values: I0E;
        edge_values_within: 4.0;
        decreasing_between_samples: &[[0.1, 1000.0]];
        ulp_error_at_most: (4.0, &[[-713.0, 713.0], [-8.0, 8.0], [1.0, 1e308]]);
        same_bits: &[[-713.0, 713.0]];
    }
    i1_f32 = f32::i1(x) {
        special_values: I1;
        edge_values: ();
        increasing: &[[-91.0, 91.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.51, &[[-91.0, 91.0], [-1.0, 1.0], [1e-40, 1e-10]]);
        same_bits: &[[-91.0, 91.0]];
    }
    i1_f64 = f64::i1(x) {
        special_values: I1;
        edge_values_within: 4.0;
        increasing_between_samples: &[[-713.0, 713.0]];
        ulp_error_at_most: (4.0, &[[-713.0, 713.0], [-8.0, 8.0], [1e-320, 1e-10]]);
        same_bits: &[[-713.0, 713.0]];
    }
    i1e_f32 = f32::i1e(x) {
        special_values: I1E;
        edge_values: ();
        ulp_error_at_most: (0.51, &[[-91.0, 91.0], [-1.0, 1.0], [1.0, 1e38], [1e-40, 1e-10]]);
        same_bits: &[[-91.0, 91.0]];
    }
    i1e_f64 = f64::i1e(x) {
        special_values: I1E;
        edge_values_within: 4.0;
        ulp_error_at_most: (4.0, &[[-713.0, 713.0], [-8.0, 8.0], [1.0, 1e308], [1e-320, 1e-10]]);
        same_bits: &[[-713.0, 713.0]];
    }
}
