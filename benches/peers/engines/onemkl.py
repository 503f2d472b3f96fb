"""Intel oneMKL VM through ctypes, in mode HA (at most 1 ULP): one function over contiguous float32 or float64."""

import ctypes
import importlib.metadata
import os
import sys
from pathlib import Path

from ..case import Problem
from ..expression import Input, single
from .base import Engine, Prepared, Unsupported, bind, lookup

HA = 2  # VML_HA, 1 ULP. LA (1) has 4 ULP, EP (3) half of the bits.
FUNCTIONS = {
    "add": "Add",
    "subtract": "Sub",
    "multiply": "Mul",
    "divide": "Div",
    "fmod": "Fmod",
    "fmax": "Fmax",
    "fmin": "Fmin",
    "copysign": "CopySign",
    "abs": "Abs",
    "square": "Sqr",
    "reciprocal": "Inv",
    "floor": "Floor",
    "ceil": "Ceil",
    "trunc": "Trunc",
    "round": "NearbyInt",
    "sqrt": "Sqrt",
    "rsqrt": "InvSqrt",
    "cbrt": "Cbrt",
    "exp": "Exp",
    "exp2": "Exp2",
    "exp10": "Exp10",
    "expm1": "Expm1",
    "log": "Ln",
    "log2": "Log2",
    "log10": "Log10",
    "log1p": "Log1p",
    "sin": "Sin",
    "cos": "Cos",
    "tan": "Tan",
    "asin": "Asin",
    "acos": "Acos",
    "atan": "Atan",
    "sinh": "Sinh",
    "cosh": "Cosh",
    "tanh": "Tanh",
    "asinh": "Asinh",
    "acosh": "Acosh",
    "atanh": "Atanh",
    "erf": "Erf",
    "erfc": "Erfc",
    "pow": "Pow",
    "atan2": "Atan2",
    "hypot": "Hypot",
}


def _library() -> Path:
    folders = [Path(sys.prefix) / "lib", *(Path(x) for x in os.environ.get("MKLROOT", "").split(os.pathsep) if x)]
    for folder in folders:
        for path in [*sorted(folder.glob("libmkl_rt.so*")), *sorted(folder.glob("lib/intel64/libmkl_rt.so*"))]:
            return path
    raise OSError("libmkl_rt.so not found (pip install mkl, or set MKLROOT)")


class Adapter(Engine):
    name = "mkl"

    def __init__(self, settings):
        super().__init__(settings)
        self.library = ctypes.CDLL(str(_library()))
        self.library.MKL_Set_Num_Threads(ctypes.c_int(settings.threads))

    def version(self) -> str:
        try:
            return f"{importlib.metadata.version('mkl')} (VM HA)"
        except importlib.metadata.PackageNotFoundError:
            return "? (VM HA)"

    def prepare(self, problem: Problem) -> Prepared:
        prefix = {"float32": "s", "float64": "d"}.get(problem.dtype.name)
        if prefix is None:
            raise Unsupported(f"no {problem.dtype}")
        if problem.out is None:
            raise Unsupported("needs an existing result array")
        if not single(problem.tree) or not all(isinstance(x, Input) for x in problem.tree.args):
            raise Unsupported("one function over arrays only")
        if any(x.shape != problem.shape or not x.flags.c_contiguous for x in problem.arrays):
            raise Unsupported("no broadcast and no strides")
        function = getattr(self.library, f"vm{prefix}{lookup(FUNCTIONS, problem.tree.op)}")
        function.restype = None
        operands = [ctypes.c_void_p(problem.array(x.name).ctypes.data) for x in problem.tree.args]
        out = ctypes.c_void_p(problem.out.ctypes.data)
        call = bind(function, ctypes.c_int(problem.elements), *operands, out, ctypes.c_int64(HA))
        return Prepared(call, lambda value: problem.out)
