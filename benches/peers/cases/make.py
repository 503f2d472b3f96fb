"""Functions that make cases."""

from ..case import LETTERS, Case
from ..data import Data
from ..dtypes import dtype as by_name
from ..operators import TABLE

# Operators of the release bar: over float32, contiguous or broadcast, from 1024 elements.
BAR = {"add", "multiply", "maximum", "less", "equal", "where", "cast"}
BAR_ELEMENTS = 1024

Shape = tuple[int, ...]


def operands(op: str, shapes: list[Shape], dtype: str) -> tuple[Data, ...]:
    """Operands of these shapes with values in the operator's domain; the condition of `where` is bool."""
    row = TABLE[op]
    made = []
    for k, shape in enumerate(shapes):
        kind = "bool" if op == "where" and k == 0 else dtype
        made.append(Data(shape, kind, row.values_of(k)))
    return tuple(made)


def call(op: str, arity: int | None = None) -> str:
    """The text of one operator over its operands: `add(a, b)`."""
    if op == "clamp":
        return "clamp(a, -1.0, 1.0)"
    return f"{op}({', '.join(LETTERS[: arity or TABLE[op].arity])})"


def same(group: str, op: str, dtype: str, shape: Shape, bar: bool = False) -> Case:
    """An operator over operands of one shape; the bounds of `clamp` have the kind of the dtype."""
    arity = 1 if op == "clamp" else TABLE[op].arity
    size = f"n={shape[0]}" if len(shape) == 1 else show(shape)
    text = call(op)
    if op == "clamp" and by_name(dtype).kind in "iu":
        text = "clamp(a, 3, 50)"
    return Case(group, f"{op}/{dtype}/{size}", text, operands(op, [shape] * arity, dtype), bar=bar)


def broadcast(op: str, dtype: str, title: str, *shapes: Shape) -> Case:
    """An operator over operands of different shapes."""
    text = f"{title} {show_all(shapes)}"
    elements = 1
    for sizes in zip(*(reversed((1,) * (8 - len(s)) + s) for s in shapes), strict=True):
        elements *= max(sizes)
    bar = dtype == "float32" and op in BAR and elements >= BAR_ELEMENTS
    return Case("broadcast", f"{op}/{dtype}/{text}", call(op, len(shapes)), operands(op, list(shapes), dtype), bar=bar)


def show(shape: Shape) -> str:
    return f"[{','.join(map(str, shape))}]"


def show_all(shapes) -> str:
    return " ".join(show(s) for s in shapes)
