"""A sequence of calls for an expression, for engines without fusion. `plan` makes it.

Intermediate results reuse as few arrays as possible, including the array of the result, as a careful user would write
it: `add(multiply(a, b, out=o), c, out=o)`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..case import Problem, apply_dtype
from ..expression import Apply, Input, Node, Number


@dataclass(frozen=True)
class Buffer:
    """An array of the chain by its index; 0 is the array of the result."""

    index: int


@dataclass(frozen=True)
class Step:
    """One call: `args` are Input, Number or Buffer; the result goes to `target`."""

    op: str
    args: tuple[Input | Number | Buffer, ...]
    target: Buffer


@dataclass
class Chain:
    """The steps, and the shape and dtype of each buffer."""

    steps: list[Step]
    buffers: list[tuple[tuple[int, ...], np.dtype]]


def plan(problem: Problem, in_place: Callable[[str], bool]) -> Chain:
    """The chain of a problem; `in_place(op)` is whether an operator may overwrite its operand."""
    chain = Chain([], [(problem.shape, problem.dtype)])
    live: set[int] = set()
    root = problem.tree
    if not in_place(root.op):
        live.add(0)
    _emit(root, problem, chain, live, in_place, root=True)
    return chain


def _emit(node: Node, problem: Problem, chain: Chain, live: set[int], in_place: Callable, root: bool = False):
    """Appends the steps of `node`; returns its value (an argument of a later step), shape and dtype."""
    if isinstance(node, Input):
        x = problem.array(node.name)
        return node, x.shape, x.dtype
    if isinstance(node, Number):
        return node, (), None
    args, shapes, kinds = zip(*(_emit(x, problem, chain, live, in_place) for x in node.args), strict=True)
    shape = np.broadcast_shapes(*shapes)
    dtype = apply_dtype(node.op, list(kinds), node.dtype)
    dying = [x.index for x in args if isinstance(x, Buffer)]
    target = 0 if root else _choose(chain, live, dying if in_place(node.op) else [], (shape, dtype))
    live.difference_update(dying)
    live.add(target)
    chain.steps.append(Step(node.op, args, Buffer(target)))
    return Buffer(target), shape, dtype


def _choose(chain: Chain, live: set[int], dying: list[int], wanted) -> int:
    """A buffer of this shape and dtype: an operand read for the last time, a free buffer, or a new one."""
    free = [k for k in range(len(chain.buffers)) if k not in live]
    for k in [*dying, *free]:
        if chain.buffers[k] == wanted:
            return k
    chain.buffers.append(wanted)
    return len(chain.buffers) - 1


def single_call(problem: Problem) -> bool:
    """Whether the problem is one call."""
    return not any(isinstance(x, Apply) for x in problem.tree.args)
