"""Random expressions over random dtypes equal NumPy's evaluation of the same text: values, dtypes and errors."""

import eltwise
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from support import choose, outcome

FUNCTIONS = ["add", "subtract", "multiply", "maximum", "minimum", "less", "equal", "logical_and", "logical_xor"]
NUMPY = {"__builtins__": {}, "where": choose} | {
    name: getattr(np, name) for name in [*FUNCTIONS, "sqrt", "abs", "logical_not"]
}
DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]


def compound(part):
    """Expressions of one operator. At most one operand is a literal: Python itself would compute two."""
    literal = st.sampled_from(["2", "7", "1.5", "0", "3.0"])
    symbol = st.sampled_from(["+", "-", "*", "<", ">=", "==", "!=", "&", "|", "^"])
    return st.one_of(
        st.tuples(part, symbol, part).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        st.tuples(part, symbol, literal).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        st.tuples(literal, symbol, part).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        st.tuples(st.sampled_from(FUNCTIONS), part, part).map(lambda p: f"{p[0]}({p[1]}, {p[2]})"),
        st.tuples(st.sampled_from(["sqrt", "abs", "logical_not"]), part).map(lambda p: f"{p[0]}({p[1]})"),
        st.tuples(part, part, part).map(lambda p: f"where({p[0]}, {p[1]}, {p[2]})"),
        part.map(lambda p: f"(-{p})"),
        part.map(lambda p: f"(~{p})"),
    )


@settings(max_examples=1500)
@given(st.recursive(st.sampled_from("abc"), compound, max_leaves=6), st.tuples(*[st.sampled_from(DTYPES)] * 3))
def test_random_expressions_equal_numpys(text, dtypes):
    operands = [np.arange(1 + i, 9 + i).astype(d) for i, d in enumerate(dtypes)]
    with np.errstate(all="ignore"):
        result, error = outcome(eval, text, NUMPY, dict(zip("abc", operands)))
        got, raised = outcome(eltwise.compile(text, "abc"), *operands)
        about = f"{text} of {dtypes}"
        assert (raised is None) == (error is None), f"{about}: {raised}, NumPy: {error}"
        if error is None:
            assert got.dtype == result.dtype, f"{about}: {got.dtype}, NumPy: {result.dtype}"
            # Equal values, not bits: NumPy does not specify which of two zeros is the maximum.
            assert np.array_equal(got, result, equal_nan=result.dtype.kind == "f"), f"{about}: {got}, NumPy: {result}"
