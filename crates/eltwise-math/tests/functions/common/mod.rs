//! Runs a function on every ISA ([`compiled`]) and checks properties of it ([`properties`]) at chosen inputs
//! ([`samples`]).

pub(crate) mod compiled;
pub(crate) mod float;
pub(crate) mod isas;
pub(crate) mod properties;
pub(crate) mod samples;

// One row per function, one line per property: the name of a function in `properties`, and its argument. The row
//
//     exp_f32 = f32::exp(x) { increasing: &[[-104.0, 89.0]]; }
//
// expands to
//
//     mod exp_f32 {
//         fn function() -> Compiled<f32> { ... } // `eltwise_math::f32::exp`, compiled for every ISA
//         #[test]
//         fn increasing() { properties::increasing(&function(), &[[-104.0, 89.0]]); }
//     }
macro_rules! test_functions {
    ($($name:ident = $module:ident::$function:ident($($x:ident),+) { $($property:ident: $argument:expr;)+ })+) => {$(
        mod $name {
            #[allow(unused_imports, reason = "only some arguments need names")]
            use super::*;

            crate::common::compiled::compiled!($module::$function($($x),+));

            $(#[test]
            fn $property() {
                crate::common::properties::$property(&function(), $argument);
            })+
        }
    )+};
}

pub(crate) use test_functions;

/// Infinity.
pub(crate) const INF: f64 = f64::INFINITY;
/// NaN.
pub(crate) const NAN: f64 = f64::NAN;
