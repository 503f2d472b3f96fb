//! Promotion against NumPy's answers.
//!
//! | question | module |
//! |---|---|
//! | what does NumPy answer? | `numpy.rs` |
//! | do the functions of `promote` answer the same? | `rules.rs` |
//! | does an expression equal casting step by step? | `model.rs` |
//! | do integers compare exactly, whatever their dtypes? | `exact.rs` |
//! | which steps does a text become, which errors? | `texts.rs` |

mod exact;
mod model;
mod numpy;
mod rules;
mod texts;
