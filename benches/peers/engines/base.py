"""The interface of an adapter: `Engine.prepare` turns a problem into a `Prepared` call to time."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from ..case import Problem


class Unsupported(Exception):
    """The engine cannot run the case, for the reason in the message."""


@dataclass
class Prepared:
    """`call()` runs the case once; `read(value)` converts its return value into an array."""

    call: Callable
    read: Callable

    def result(self) -> np.ndarray:
        """The result of one call, valid until the next call."""
        return self.read(self.call())


@dataclass(frozen=True)
class Settings:
    """Settings of the engines from the command line."""

    threads: int = 1
    isa: str | None = None


class Engine:
    """An installed engine. The constructor raises ImportError or OSError if it is not installed."""

    name = ""

    def __init__(self, settings: Settings):
        self.settings = settings

    def version(self) -> str:
        """The version, for the header of the output."""
        raise NotImplementedError

    def missing(self, problem: Problem) -> str | None:
        """The first operator of the problem that the engine lacks, if the adapter can tell."""
        return None

    def prepare(self, problem: Problem) -> Prepared:
        """Does the work that precedes the calls: conversion, compilation, binding. Raises Unsupported."""
        raise NotImplementedError


@cache
def _maker(positional: int, keywords: tuple[str, ...]) -> Callable:
    parameters = ["f", *(f"x{k}" for k in range(positional)), *keywords]
    arguments = [*parameters[1 : positional + 1], *(f"{k}={k}" for k in keywords)]
    return eval(f"lambda {', '.join(parameters)}: lambda: f({', '.join(arguments)})")


def bind(function: Callable, *args, **kwargs) -> Callable:
    """`lambda: function(*args, **kwargs)` with explicit arguments, as a user would write the call.

    `functools.partial` with keywords builds a tuple and a dict in every call, which takes as long as two small calls.
    """
    if isinstance(function, partial):
        return bind(function.func, *function.args, *args, **function.keywords, **kwargs)
    return _maker(len(args), tuple(kwargs))(function, *args, **kwargs)


def lookup(table: dict, op: str):
    """The engine's form of an operator; raises Unsupported if the table does not have it."""
    try:
        return table[op]
    except KeyError:
        raise Unsupported(f"no {op}") from None
