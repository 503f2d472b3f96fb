"""Expressions as trees, which each engine translates: `parse("where(a < 0, 0.0, a * b)")`.

The grammar is a subset of Python's: one-letter inputs, numbers, `+ - * /`, comparisons, unary minus, calls
`operator(x, ...)`, and `cast(x, 'float32')`.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Input:
    """An operand, by its letter."""

    name: str


@dataclass(frozen=True)
class Number:
    """A literal, which takes the dtype of the other operands."""

    value: float | int


@dataclass(frozen=True)
class Apply:
    """An operator and its operands; `dtype` is the target of a cast."""

    op: str
    args: tuple
    dtype: str | None = None


Node = Input | Number | Apply

_BINARY = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide"}
_COMPARE = {
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
    ast.Eq: "equal",
    ast.NotEq: "not_equal",
}


def parse(text: str) -> Node:
    """The tree of `text`; ValueError if it is not an expression of this grammar."""
    return _convert(ast.parse(text, mode="eval").body, text)


def _convert(node: ast.expr, text: str) -> Node:
    match node:
        case ast.Name(id=name):
            return Input(name)
        case ast.Constant(value=bool() | int() | float() as value):
            return Number(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return Number(-value)
        case ast.UnaryOp(op=ast.USub(), operand=x):
            return Apply("negative", (_convert(x, text),))
        case ast.BinOp(left=x, op=op, right=y) if type(op) in _BINARY:
            return Apply(_BINARY[type(op)], (_convert(x, text), _convert(y, text)))
        case ast.Compare(left=x, ops=[op], comparators=[y]) if type(op) in _COMPARE:
            return Apply(_COMPARE[type(op)], (_convert(x, text), _convert(y, text)))
        case ast.Call(func=ast.Name(id="cast"), args=[x, ast.Constant(value=str() as dtype)]):
            return Apply("cast", (_convert(x, text),), dtype)
        case ast.Call(func=ast.Name(id=op), args=args, keywords=[]):
            return Apply(op, tuple(_convert(x, text) for x in args))
    raise ValueError(f"{text!r}: {ast.unparse(node)!r} is not supported in an expression")


def evaluate(node: Node, leaf: Callable, number: Callable, apply: Callable):
    """Folds the tree: `leaf(name)`, `number(value)`, `apply(op, args, dtype)`, operands first."""
    match node:
        case Input(name):
            return leaf(name)
        case Number(value):
            return number(value)
        case Apply(op, args, dtype):
            return apply(op, [evaluate(x, leaf, number, apply) for x in args], dtype)


def operators(node: Node) -> list[str]:
    """The operators of the tree in postorder, with duplicates."""
    if not isinstance(node, Apply):
        return []
    return [op for x in node.args for op in operators(x)] + [node.op]


def single(node: Node) -> bool:
    """Whether the tree is one operator over inputs and numbers."""
    return isinstance(node, Apply) and not any(isinstance(x, Apply) for x in node.args)
