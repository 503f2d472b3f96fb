"""What an adapter offers: load the engine once, prepare a problem, give a call to time and its result."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from ..case import Problem


class Unsupported(Exception):
    """The engine cannot run the case; the text says why."""


@dataclass
class Prepared:
    """`call()` runs the case once; `read(value)` turns what it returned into an array."""

    call: Callable
    read: Callable

    def result(self) -> np.ndarray:
        """The result of one call, which nothing overwrites before the next call."""
        return self.read(self.call())


@dataclass(frozen=True)
class Settings:
    """What the command line asks of the engines."""

    threads: int = 1
    isa: str | None = None


class Engine:
    """An engine that is installed. The constructor raises ImportError or OSError where it is not."""

    name = ""

    def __init__(self, settings: Settings):
        self.settings = settings

    def version(self) -> str:
        """The version, for the head of the table."""
        raise NotImplementedError

    def missing(self, problem: Problem) -> str | None:
        """An operator of the problem that the engine does not have at all, if it has such a list."""
        return None

    def prepare(self, problem: Problem) -> Prepared:
        """Does everything that is done once: conversion, compilation, binding. Unsupported where it cannot."""
        raise NotImplementedError


@cache
def _maker(positional: int, keywords: tuple[str, ...]) -> Callable:
    parameters = ["f", *(f"x{k}" for k in range(positional)), *keywords]
    arguments = [*parameters[1 : positional + 1], *(f"{k}={k}" for k in keywords)]
    return eval(f"lambda {', '.join(parameters)}: lambda: f({', '.join(arguments)})")


def bind(function: Callable, *args, **kwargs) -> Callable:
    """`lambda: function(*args, **kwargs)` with the arguments written out, as a user would write the call.

    `functools.partial` with keywords builds a tuple and a dict in every call, twice what a small call costs.
    """
    if isinstance(function, partial):
        return bind(function.func, *function.args, *args, **function.keywords, **kwargs)
    return _maker(len(args), tuple(kwargs))(function, *args, **kwargs)


def lookup(table: dict, op: str):
    """The engine's own form of an operator."""
    try:
        return table[op]
    except KeyError:
        raise Unsupported(f"no {op}") from None
