"""Math functions and activations at 16384 elements, where memory bandwidth is not the limit."""

from ..case import Case
from ..data import Data
from ..operators import MATH, TABLE
from .make import same

N = (16384,)
HALF = ("exp", "log", "sin", "tanh", "erf", "sigmoid", "gelu", "silu", "pow", "sqrt")


def cases():
    functions = [row.name for row in TABLE.values() if row.kind == MATH]
    for dtype in ("float32", "float64"):
        for op in functions:
            yield same("math", op, dtype, N)
    for dtype in ("float16", "bfloat16"):
        for op in HALF:
            yield same("math", op, dtype, N)
    for op in ("sin", "cos"):
        yield Case("math", f"{op}/float32/n=16384 large arguments", f"{op}(a)", (Data(N, values="large"),))
    for op in ("exp", "gelu", "silu"):
        yield same("math", op, "float32", (8, 128, 3072))
