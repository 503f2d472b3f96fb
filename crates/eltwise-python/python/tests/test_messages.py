"""Messages of errors: NumPy's names of dtypes, the function that was called, no internals."""

import re

import eltwise
import numpy as np
import pytest

CASES = [
    (lambda: eltwise.quantize_linear([0.5], 0.5, np.uint8(1)), "quantize_linear takes float16, float32"),
    (lambda: eltwise.add(2**70, 1), "the number 1180591620717411303424 does not fit int64"),
    (lambda: eltwise.bitwise_and(np.ones(3), 1), "bitwise_and(x: float64[3], y: int): x: not a dtype of this operator; bitwise_and takes bool, integers"),
    (lambda: eltwise.compile("a & b")(np.ones(3), 1), "bitwise_and takes bool, integers"),
    (lambda: eltwise.compile("a + 300")(np.ones(3, np.uint8)), "the number 300 does not fit uint8"),
    (lambda: eltwise.ldexp(np.ones(3), np.ones(3)), "n: the exponent"),
    (lambda: eltwise.bitcast(np.ones(3), "int32"), "cannot bitcast float64 to int32"),
    (lambda: eltwise.sin(np.ones(3, "M8[s]")), "sin does not take arrays of dtype datetime64[s]; it takes floats"),
    (lambda: eltwise.clip(np.ones(3, complex), 0, 1), "clip(x: complex128[3], min: int, max: int): clip does not take arrays"),
    (lambda: eltwise.clip(np.ones(3), np.ones(4)), "clip(x: float64[3], min: float64[4]): cannot broadcast [3] with [4]"),
    (lambda: eltwise.divmod(np.ones(3), np.ones(4)), "divmod(x: float64[3], y: float64[4]): cannot broadcast"),
    (lambda: eltwise.modf("abc"), "modf(x: <U3[]): modf does not take"),
    (lambda: eltwise.frexp(np.ones(3, complex)), "frexp(x: complex128[3]): frexp does not take"),
    (lambda: eltwise.clip(1.0, 0, 2, axes=3), "clip() got an unexpected keyword argument 'axes', expected x, min, max, out"),
    (lambda: eltwise.rint(np.ones(3, complex)), "rint(x: complex128[3]): rint does not take"),
    (lambda: eltwise.compile("cast(a, float128)"), "unknown dtype"),
    (lambda: eltwise.exp(np.ones(3), accuracy="correct"), "x: float64 has no correctly rounded results: expected accuracy fast"),
    (lambda: eltwise.sincos(np.ones(3), where=np.ones(2, bool)), "sincos(x: float64[3]"),
]
ENGINES_NAMES = re.compile(r"\b([iu](8|16|32|64)|b?f(16|32|64)|opaque)\b")


@pytest.mark.parametrize("case", range(len(CASES)))
def test_messages(case):
    call, text = CASES[case]
    with pytest.raises((TypeError, ValueError, OverflowError)) as caught:
        call()
    message = str(caught.value)
    assert text in message
    assert not ENGINES_NAMES.search(message), message
