//! Dtype promotion equals NumPy's.
//!
//! | module | tests |
//! |---|---|
//! | `numpy.rs` | NumPy's promotion tables, the expected values |
//! | `promote.rs` | the functions of `eltwise::promote` |
//! | `random_expressions.rs` | random expressions, against a cast of every operand |
//! | `comparisons.rs` | exact comparisons of integers of any dtypes |
//! | `parse.rs` | the steps that a text becomes, and its errors |

mod comparisons;
mod numpy;
mod parse;
mod promote;
mod random_expressions;
