#!/usr/bin/env python3
"""Writes the type stubs of the Python package, `eltwise/__init__.pyi`, from the signatures and docstrings of the installed one.

usage: tools/python-stubs.py [--check]
--check compares with the file and fails if they differ.
"""

import argparse
import inspect
import sys
from pathlib import Path

import eltwise

STUBS = Path(__file__).resolve().parent.parent / "crates/eltwise-python/python/eltwise/__init__.pyi"

HEAD = '''"""Type stubs, written by tools/python-stubs.py."""

from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, TypeAlias, overload

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray

_Array: TypeAlias = NDArray[Any]
_Out: TypeAlias = _Array | tuple[_Array] | None
_Outs: TypeAlias = tuple[_Array | None, _Array | None] | None
_Progress: TypeAlias = Callable[[float], object] | bool | None
_Mode: TypeAlias = Literal["numpy", "none", "unidirectional", "pdpd"]
_Accuracy: TypeAlias = Literal["fast", "correct"]
_Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
_Order: TypeAlias = Literal["K", "C", "F", "A"]

__version__: str

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
    # The result is an array, or a tuple of arrays for several expressions.
    def __call__(self, *operands: ArrayLike, out: _Out | tuple[_Array | None, ...] = None, where: ArrayLike = True, progress: _Progress = None, **keywords: ArrayLike) -> Any: ...
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
    "evaluate": "(text: str | Sequence[str], local_dict: Mapping[str, Any] | None = None, global_dict: Mapping[str, Any] | None = None, out: _Out | tuple[_Array | None, ...] = None, *, where: ArrayLike = True, accuracy: _Accuracy | None = None, contract: bool = False, progress: _Progress = None) -> Any",
    "get_num_threads": "() -> int",
    "set_num_threads": "(n: int) -> None",
    "isas": "() -> tuple[str, ...]",
    "show_config": '(mode: Literal["stdout", "dicts"] = "stdout") -> dict[str, dict[str, Any]] | None',
    "operators": "() -> tuple[str, ...]",
}
ISA = '''
@overload
def isa() -> str: ...
@overload
def isa(name: str) -> LoweredIsa: ...
'''
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


def typed(parameter, name):
    """A parameter with its type."""
    kind = OPTIONS.get(parameter.name, "ArrayLike")
    if parameter.name == "out" and name in PAIRS:
        kind = "_Outs"
    if parameter.kind is parameter.VAR_POSITIONAL:
        return f"*{parameter.name}: ArrayLike"
    if parameter.default is parameter.empty:
        return f"{parameter.name}: {kind}"
    if parameter.default is None and "None" not in kind and not kind.startswith("_Out"):
        kind += " | None"
    default = f'"{parameter.default}"' if isinstance(parameter.default, str) else repr(parameter.default)
    return f"{parameter.name}: {kind} = {default}"


def signature(name, renamed=()):
    """The signature of a function, with other names for some parameters."""
    texts, keyword_only = [], False
    for parameter in parameters(name):
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            if not any(text.startswith("*") for text in texts):
                texts.append("*")
        keyword_only |= parameter.kind is parameter.VAR_POSITIONAL
        texts.append(typed(parameter.replace(name=dict(renamed).get(parameter.name, parameter.name)), name))
    returned = "tuple[_Array, _Array]" if name in PAIRS else "_Array"
    return f"({', '.join(texts)}) -> {returned}"


def function(name):
    """The stub of a function."""
    doc = (getattr(eltwise, name).__doc__ or "").strip().split("\n")[0]
    body = f'\n    """{doc}"""\n' if doc else " ...\n"
    if name == "isa":
        return ISA
    if name in WRITTEN:
        return f"\ndef {name}{WRITTEN[name]}:{body}"
    operands = [p.name for p in parameters(name) if p.name not in OPTIONS and p.kind is p.POSITIONAL_OR_KEYWORD]
    if operands[:2] != ["x", "y"] or name in PAIRS or "where" not in [p.name for p in parameters(name)]:
        return f"\ndef {name}{signature(name)}:{body}"
    numpys = signature(name, (("x", "x1"), ("y", "x2")))
    return f"\n@overload\ndef {name}{signature(name)}:{body}\n@overload\ndef {name}{numpys}:{body}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    text = HEAD + "".join(function(name) for name in names())
    if not parser.parse_args().check:
        STUBS.write_text(text)
        print(f"{STUBS}: {len(names())} functions")
    elif STUBS.read_text() != text:
        sys.exit(f"error: {STUBS} is not what tools/python-stubs.py writes for the installed package; run it")


if __name__ == "__main__":
    main()
