//! Dtype promotion equals NumPy's.
//!
//! | module | contents |
//! |---|---|
//! | `numpy.rs` | NumPy's promotion tables, the expected values |
//! | `promote.rs` | the functions of `eltwise::promote` |
//! | `random_expressions.rs` | random expressions equal a model that casts every operand first |
//! | `comparisons.rs` | exact comparisons of integers of any dtypes |
//! | `parse.rs` | the steps that a text becomes, its errors and warnings |

mod comparisons;
mod numpy;
mod parse;
mod promote;
mod random_expressions;
