"""numexpr: the expression as numexpr's text, with operands bound once, then evaluated with `re_evaluate`."""

import numexpr
import numpy as np

from ..case import LETTERS, Problem
from ..expression import evaluate
from .base import Engine, Prepared, Unsupported, bind, lookup

TEMPLATES = {
    "add": "({}+{})",
    "subtract": "({}-{})",
    "multiply": "({}*{})",
    "divide": "({}/{})",
    "remainder": "({}%{})",
    "fmod": "fmod({},{})",
    "maximum": "maximum({},{})",
    "minimum": "minimum({},{})",
    "clamp": "minimum(maximum({},{}),{})",
    "copysign": "copysign({},{})",
    "fma": "({}*{}+{})",
    "where": "where({},{},{})",
    "negative": "(-{})",
    "abs": "abs({})",
    "sign": "sign({})",
    "square": "({0}*{0})",
    "reciprocal": "(1/{})",
    "equal": "({}=={})",
    "not_equal": "({}!={})",
    "less": "({}<{})",
    "less_equal": "({}<={})",
    "greater": "({}>{})",
    "greater_equal": "({}>={})",
    "isnan": "isnan({})",
    "isinf": "isinf({})",
    "isfinite": "isfinite({})",
    "signbit": "signbit({})",
    "bitwise_and": "({}&{})",
    "bitwise_or": "({}|{})",
    "bitwise_xor": "({}^{})",
    "bitwise_not": "(~{})",
    "shift_left": "({}<<{})",
    "shift_right": "({}>>{})",
    "floor": "floor({})",
    "ceil": "ceil({})",
    "trunc": "trunc({})",
    "round": "round({})",
    "sqrt": "sqrt({})",
    "rsqrt": "(1/sqrt({}))",
    "exp": "exp({})",
    "expm1": "expm1({})",
    "log": "log({})",
    "log2": "log2({})",
    "log10": "log10({})",
    "log1p": "log1p({})",
    "sin": "sin({})",
    "cos": "cos({})",
    "tan": "tan({})",
    "asin": "arcsin({})",
    "acos": "arccos({})",
    "atan": "arctan({})",
    "sinh": "sinh({})",
    "cosh": "cosh({})",
    "tanh": "tanh({})",
    "asinh": "arcsinh({})",
    "acosh": "arccosh({})",
    "atanh": "arctanh({})",
    "sigmoid": "(1/(1+exp(-{})))",
    "silu": "({0}/(1+exp(-{0})))",
    "softsign": "({0}/(1+abs({0})))",
    "pow": "({}**{})",
    "atan2": "arctan2({},{})",
    "hypot": "hypot({},{})",
}
# Narrower integers are computed in int32 and truncated in the result.
DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "float32", "float64"}


class Adapter(Engine):
    name = "numexpr"

    def __init__(self, settings):
        super().__init__(settings)
        numexpr.set_num_threads(settings.threads)

    def version(self) -> str:
        return numexpr.__version__

    def prepare(self, problem: Problem) -> Prepared:
        for x in [*problem.arrays, problem.dtype]:
            name = getattr(x, "dtype", x).name
            if name not in DTYPES:
                raise Unsupported(f"no {name}")
        if problem.out is None:
            raise Unsupported("needs an existing result array")
        operands = dict(zip(LETTERS, problem.arrays, strict=False))

        def number(value):
            # A Python float would make the whole expression float64.
            name = f"k{len(operands)}"
            operands[name] = problem.dtype.type(value) if problem.dtype.kind == "f" else np.int32(value)
            return name

        def apply(op, args, dtype):
            if op == "cast":
                if dtype != problem.dtype.name:
                    raise Unsupported("no cast inside an expression")
                return args[0]
            if op == "relu":
                return f"maximum({args[0]},{number(0)})"
            return lookup(TEMPLATES, op).format(*args)

        text = evaluate(problem.tree, lambda name: name, number, apply)
        with np.errstate(all="ignore"):
            try:
                numexpr.evaluate(text, local_dict=operands, out=problem.out, casting="unsafe")
            except (TypeError, ValueError, NotImplementedError, KeyError, AttributeError) as error:
                raise Unsupported(f"{type(error).__name__}: {error}") from error
        # `re_evaluate` repeats the last call of `evaluate`, which is the one above: a case has only one.
        return Prepared(bind(numexpr.re_evaluate, local_dict=operands), lambda value: problem.out)
