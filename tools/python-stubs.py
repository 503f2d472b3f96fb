#!/usr/bin/env python3
"""Writes the type stubs of the Python package, `eltwise/__init__.pyi`, from the signatures and docstrings of the installed one.

usage: tools/python-stubs.py [--check]
--check compares with the file and fails if they differ.
"""

import inspect
from pathlib import Path

import eltwise
import generated

STUBS = Path(__file__).resolve().parent.parent / "crates/eltwise-python/python/eltwise/__init__.pyi"

HEAD = '''"""Type stubs, written by tools/python-stubs.py."""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Literal, Protocol, TypeAlias, overload

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray

_Array: TypeAlias = NDArray[Any]
# Operands of a call that returns arrays. Objects of other libraries, such as tensors, give objects of their kind.
_Operand: TypeAlias = NDArray[Any] | numpy.generic | float | Sequence[Any]
_Out: TypeAlias = _Array | tuple[_Array] | None
_Outs: TypeAlias = tuple[_Array | None, _Array | None] | None
_Progress: TypeAlias = Callable[[float], object] | bool | None
_Mode: TypeAlias = Literal["numpy", "none", "unidirectional", "pdpd"]
_Accuracy: TypeAlias = Literal["fast", "correct"]
_Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
_Order: TypeAlias = Literal["K", "C", "F", "A"]

__version__: str

class _Names(Protocol):
    """Where `evaluate` looks names up: a dict, a DataFrame."""

    def __contains__(self, name: Any, /) -> bool: ...
    def __getitem__(self, name: Any, /) -> Any: ...

class Compiled:
    """A compiled expression: a function of arrays. See `compile`."""

    @property
    def text(self) -> str: ...
    @property
    def expression(self) -> str: ...
    @property
    def inputs(self) -> tuple[str, ...]: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def outputs(self) -> int: ...
    @property
    def returns_tuple(self) -> bool: ...
    @property
    def __name__(self) -> str: ...
    # The result is an array, or a tuple of arrays for several expressions.
    def __call__(self, *operands: Any, out: Any = None, where: Any = True, progress: _Progress = None, **keywords: Any) -> Any: ...
    def result_type(self, *dtypes: DTypeLike) -> Any: ...
    def explain(self, *operands: ArrayLike, out: _Out | tuple[_Array | None, ...] = None, where: ArrayLike = True, **keywords: ArrayLike) -> str: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class LoweredIsa:
    """What `isa(name)` returns: a context manager."""

    def __enter__(self) -> LoweredIsa: ...
    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...
'''

#: Functions whose types the rules below do not give.
WRITTEN = {
    "broadcast_arrays": "(*arrays: ArrayLike) -> tuple[_Array, ...]",
    "broadcast_shapes": '(*shapes: int | Sequence[int], broadcast: _Mode | Literal["bidirectional"] = "numpy", axis: int = -1, target: int | Sequence[int] | None = None) -> tuple[int, ...]',
    "broadcast_to": '(x: ArrayLike, shape: int | Sequence[int], broadcast: _Mode | Literal["bidirectional"] = "numpy", axis: int = -1) -> _Array',
    "compile": "(expression: str | Sequence[str], names: str | Sequence[str] | None = None, *, accuracy: _Accuracy | None = None, contract: bool = False) -> Compiled",
    "evaluate": "(text: str | Sequence[str], variables: _Names | None = None, out: _Out | tuple[_Array | None, ...] = None, *, where: ArrayLike = True, accuracy: _Accuracy | None = None, contract: bool = False, progress: _Progress = None) -> Any",
    "get_num_threads": "() -> int",
    "set_num_threads": "(n: int) -> None",
    "isas": "() -> tuple[str, ...]",
    "operators": "() -> tuple[str, ...]",
}
#: Functions whose result depends on an argument.
OVERLOADED = {
    "isa": ("() -> str", "(name: str) -> LoweredIsa"),
    "show_config": ('(mode: Literal["stdout"] = "stdout") -> None', '(mode: Literal["dicts"]) -> dict[str, dict[str, Any]]'),
}
#: The types of options.
OPTIONS = {
    "out": "_Out",
    "broadcast": "_Mode",
    "axis": "int",
    "accuracy": "_Accuracy",
    "where": "ArrayLike",
    "dtype": "DTypeLike | None",
    "casting": "_Casting",
    "order": "_Order",
    "subok": "bool",
}
PAIRS = ("divmod", "modf", "frexp", "sincos")
PARTS = {"clip": "clamp", "divmod": "floor_divide", "modf": "trunc", "frexp": "mantissa", "sincos": "sin", "rint": "round"}


def names():
    """The public functions, the ones of Python's names too."""
    functions = {name for name in vars(eltwise) if not name.startswith("_") and callable(getattr(eltwise, name))}
    return sorted(functions - {"Compiled", "LoweredIsa"})


def parameters(name):
    """The parameters of a function. Options that it passes on are those of another function."""
    found = list(inspect.signature(getattr(eltwise, name)).parameters.values())
    if not any(p.kind is p.VAR_KEYWORD for p in found):
        return found
    given = {p.name for p in found}
    other = inspect.signature(getattr(eltwise, PARTS[name])).parameters.values()
    passed = [p.replace(kind=p.KEYWORD_ONLY) for p in other if p.name in OPTIONS and p.name not in given]
    return [p for p in found if p.kind is not p.VAR_KEYWORD] + passed


def typed(parameter, name, operand):
    """A parameter with its type. `operand` is the type of operands, Any that of operands and outputs of other libraries."""
    kind = OPTIONS.get(parameter.name, operand)
    if operand == "Any" and parameter.name in ("out", "where"):
        kind = "Any"
    elif parameter.name == "out" and name in PAIRS:
        kind = "_Outs"
    if parameter.kind is parameter.VAR_POSITIONAL:
        return f"*{parameter.name}: {operand}"
    if parameter.default is parameter.empty:
        return f"{parameter.name}: {kind}"
    if parameter.default is None and "None" not in kind and not kind.startswith("_Out") and kind != "Any":
        kind += " | None"
    default = f'"{parameter.default}"' if isinstance(parameter.default, str) else repr(parameter.default)
    return f"{parameter.name}: {kind} = {default}"


def signature(name, operand="_Operand", renamed=()):
    """The signature of a function with the type of its operands, and other names for some parameters."""
    texts, keyword_only = [], False
    for parameter in parameters(name):
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            if not any(text.startswith("*") for text in texts):
                texts.append("*")
        keyword_only |= parameter.kind is parameter.VAR_POSITIONAL
        texts.append(typed(parameter.replace(name=dict(renamed).get(parameter.name, parameter.name)), name, operand))
    returned = "Any" if operand == "Any" else "_Array"
    returned = f"tuple[{returned}, {returned}]" if name in PAIRS else returned
    return f"({', '.join(texts)}) -> {returned}"


def function(name):
    """The stub of a function."""
    doc = (getattr(eltwise, name).__doc__ or "").strip().split("\n")[0]
    body = f'\n    """{doc}"""\n' if doc else " ...\n"
    if name in WRITTEN:
        return f"\ndef {name}{WRITTEN[name]}:{body}"
    signatures = OVERLOADED.get(name)
    if signatures is None:
        signatures = [signature(name)]
        operands = [p.name for p in parameters(name) if p.name not in OPTIONS and p.kind is p.POSITIONAL_OR_KEYWORD]
        if operands[:2] == ["x", "y"] and name not in PAIRS and "where" in [p.name for p in parameters(name)]:
            signatures.append(signature(name, renamed=(("x", "x1"), ("y", "x2"))))
        signatures.append(signature(name, "Any"))
    bodies = [body, *[" ...\n"] * (len(signatures) - 1)]
    return "".join(f"\n@overload\ndef {name}{text}:{body}" for text, body in zip(signatures, bodies, strict=True))


def stubs():
    """The stubs of the package."""
    return HEAD + "".join(function(name) for name in names())


if __name__ == "__main__":
    generated.main(__doc__, STUBS, stubs)
