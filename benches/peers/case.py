"""A `Case` is an expression and a description of its operands; a `Problem` has the arrays, ready for the engines."""

import zlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from . import dtypes
from .data import Data, aligned_empty, base
from .expression import Node, evaluate, parse
from .operators import TABLE

LETTERS = "abcdefgh"


@dataclass(frozen=True)
class Case:
    """One line of the table. `LETTERS[k]` is the name of operand k in `expression`.

    `out` is whether the result goes to an existing array, `bar` whether the case belongs to the release bar.
    """

    group: str
    name: str
    expression: str
    inputs: tuple[Data, ...]
    out: bool = True
    bar: bool = False

    @cached_property
    def tree(self) -> Node:
        return parse(self.expression)


@dataclass
class Problem:
    """A case with its arrays: `bases` are contiguous, `arrays` are the operands, views of the bases."""

    case: Case
    bases: list[np.ndarray]
    arrays: list[np.ndarray]
    shape: tuple[int, ...]
    dtype: np.dtype
    out: np.ndarray | None
    letters: str

    @property
    def tree(self) -> Node:
        return self.case.tree

    @property
    def nbytes(self) -> int:
        """Bytes of the operands and the result, each counted once."""
        return sum(x.nbytes for x in self.arrays) + self.elements * self.dtype.itemsize

    @property
    def elements(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    def array(self, name: str) -> np.ndarray:
        return self.arrays[LETTERS.index(name)]


def build(case: Case) -> Problem:
    """Makes the arrays of a case, with the same values in every run."""
    rng = np.random.default_rng(zlib.crc32(case.name.encode()))
    bases = [base(x, rng) for x in case.inputs]
    arrays = [x.view(b) if x.view else b for x, b in zip(case.inputs, bases, strict=True)]
    named = dict(zip(LETTERS, arrays, strict=False))
    shape = np.broadcast_shapes(*(x.shape for x in arrays))
    dtype = result_dtype(case.tree, {k: x.dtype for k, x in named.items()})
    out = aligned_empty(shape, dtype) if case.out else None
    return Problem(case, bases, arrays, shape, dtype, out, LETTERS[: len(arrays)])


def result_dtype(tree: Node, inputs: dict[str, np.dtype]) -> np.dtype:
    """The dtype of the result by NumPy's promotion; Python numbers take the dtype of the arrays."""
    return evaluate(tree, inputs.__getitem__, lambda value: None, apply_dtype)


def apply_dtype(op: str, args: list, dtype: str | None) -> np.dtype:
    """The dtype of one operator's result over operands of these dtypes; None is a Python number."""
    if op == "cast":
        return dtypes.dtype(dtype)
    if TABLE[op].boolean:
        return np.dtype(bool)
    if op == "where":
        args = args[1:]
    if op == "popcount":
        return np.dtype(np.uint8)
    return np.result_type(*(x for x in args if x is not None))
