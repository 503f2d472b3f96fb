//! equal, not_equal, less, less_equal, greater, greater_equal. A NaN is unequal to everything and unordered.

use super::lane_functions;

lane_functions! {
    /// `x == y`
    Equal: BinaryPredicate(l: Lanes, x, y) -> M, SIGN_AGNOSTIC => l.eq(x, y);
    /// `x != y`
    NotEqual: BinaryPredicate(l: Lanes, x, y) -> M, SIGN_AGNOSTIC => l.ne(x, y);
    /// `x < y`
    Less: BinaryPredicate(l: Lanes, x, y) -> M => l.lt(x, y);
    /// `x <= y`
    LessEqual: BinaryPredicate(l: Lanes, x, y) -> M => l.le(x, y);
    /// `x > y`
    Greater: BinaryPredicate(l: Lanes, x, y) -> M => l.lt(y, x);
    /// `x >= y`
    GreaterEqual: BinaryPredicate(l: Lanes, x, y) -> M => l.le(y, x);
}
