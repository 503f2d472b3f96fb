"""Overhead of a call: 1 and 64 elements, with and without `out`, a Python scalar, a broadcast row."""

from ..case import Case
from ..data import Data
from .make import operands


def cases():
    for op in ("add", "less", "sqrt"):
        for n in (1, 64):
            text = f"{op}(a)" if op == "sqrt" else f"{op}(a, b)"
            inputs = operands(op, [(n,)] * (1 if op == "sqrt" else 2), "float32")
            yield Case("call", f"{op}/float32/n={n} out", text, inputs)
            yield Case("call", f"{op}/float32/n={n} no out", text, inputs, out=False)
    for n in (1, 64):
        yield Case("call", f"add/float32/n={n} + 1.5 out", "add(a, 1.5)", (Data((n,)),))
        yield Case("call", f"add/float32/n={n} + 1.5 no out", "add(a, 1.5)", (Data((n,)),), out=False)
    row = (Data((8, 8)), Data((8,)))
    yield Case("call", "add/float32/row [8,8] [8] out", "add(a, b)", row)
    yield Case("call", "add/float32/row [8,8] [8] no out", "add(a, b)", row, out=False)
    yield Case("call", "add/float32/[] out", "add(a, b)", (Data(()), Data(())))
    yield Case("call", "add/float32/rank 6 [2,1,2,1,2,1] [1,2,1,2,1,2] out", "add(a, b)", _rank6())
    chain = (Data((64,)), Data((64,)), Data((64,)))
    yield Case("call", "a*b+c/float32/n=64 out", "a * b + c", chain)


def _rank6():
    return Data((2, 1, 2, 1, 2, 1)), Data((1, 2, 1, 2, 1, 2))
