"""Small cases and fake engines for the tests."""

from functools import partial

import numpy as np

from ..case import Case
from ..data import Data
from ..engines.base import Engine, Prepared, Settings


def case(expression: str = "add(a, b)", operands: int = 2, dtype: str = "float32", shape=(1000,), **more) -> Case:
    return Case("test", f"{expression}/{dtype}", expression, (Data(shape, dtype),) * operands, **more)


class FakeEngine(Engine):
    """An engine that runs a given function of the problem."""

    def __init__(self, name: str, function):
        super().__init__(Settings())
        self.name = name
        self.function = function
        self.calls = 0

    def version(self) -> str:
        return "fake"

    def prepare(self, problem) -> Prepared:
        return Prepared(partial(self.call, problem), lambda value: value)

    def call(self, problem):
        self.calls += 1
        return self.function(problem)


def right(problem) -> np.ndarray:
    return np.add(*problem.arrays, out=problem.out)


def one_off(problem) -> np.ndarray:
    """Right, except for the last bits of one element."""
    np.add(*problem.arrays, out=problem.out)
    problem.out[777] *= 1 + 2.0**-20
    return problem.out


def lazy(problem) -> np.ndarray:
    """Does not write the result."""
    return problem.out
