#!/usr/bin/env python3
"""Writes the page of the Python package's functions, `docs/python/api.md`, from the docstrings of the installed one.

usage: tools/python-api.py [--check]
--check compares with the file and fails if they differ.
"""

import inspect
import re
from pathlib import Path

import eltwise
import generated

PAGE = Path(__file__).resolve().parent.parent / "docs/python/api.md"

HEAD = """# API of the Python package

Written by `tools/python-api.py` from the docstrings, which `help(eltwise.exp)` shows whole. The examples are run by the tests.

## Parameters of all operators

| parameter | meaning |
|---|---|
| operands | arrays, numbers, nested sequences, and objects of [other libraries](../../crates/eltwise-python/README.md#objects-of-other-libraries); the two of `add` and the like are also called `x1` and `x2` |
"""
#: Operators by subject. Those that are not listed are arithmetic.
SUBJECTS = {
    "Exponentials and logarithms": "exp exp2 exp10 expm1 log log2 log10 log1p xlogy xlog1py entr exprel logaddexp logaddexp2",
    "Trigonometric and hyperbolic functions": "sin cos sincos tan sinc asin acos atan atan2 deg2rad rad2deg sinh cosh tanh asinh acosh atanh",
    "Special functions": "erf erfc erfinv erfcinv erfcx ndtr ndtri log_ndtr lgamma digamma i0 i0e i1 i1e",
    "Activations": "sigmoid logit clamped_logit softplus parametric_softplus log_sigmoid swish tanhshrink silu gelu gelu_tanh mish elu"
    " celu selu parametric_selu softcap relu relu6 hard_swish hard_sigmoid hard_tanh softsign prelu leaky_relu thresholded_relu"
    " shrink hardshrink",
    "Rounding and parts of floats": "floor ceil trunc round rint round_decimals round_half_away fraction modf mantissa exponent frexp"
    " ldexp scalb logb copysign nextafter spacing",
    "Comparisons and predicates": "equal not_equal less less_equal greater greater_equal isclose isnan isinf isposinf isneginf isfinite"
    " signbit",
    "Logic and bits": "logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not shift_left"
    " shift_right popcount bitwise_count leading_zeros trailing_zeros",
    "Selection, conversion and copies": "where clamp clip nan_to_num cast cast_saturating bitcast quantize_linear dequantize_linear copy",
    "Expressions": "compile evaluate",
    "Broadcasting": "broadcast_shapes broadcast_arrays broadcast_to",
    "Settings": "get_num_threads set_num_threads isa isas operators show_config",
}
OPTIONS = ("out", "broadcast", "axis", "accuracy", "where", "dtype", "casting", "order", "subok")


def sections(function):
    """The summary of a docstring, and its sections by heading: lines without the common indentation."""
    lines = inspect.cleandoc(function.__doc__).split("\n")
    found, heading = {"": []}, ""
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if re.fullmatch("-{3,}", after) and line:
            heading = line
            found[heading] = []
        elif not re.fullmatch("-{3,}", line):
            found[heading].append(line)
    return {heading: "\n".join(body).strip("\n") for heading, body in found.items()}


def items(section):
    """The items of a section: names and type, text."""
    found = re.split(r"\n(?=\S)", section)
    return [(item.split("\n")[0], " ".join(line.strip() for line in item.split("\n")[1:])) for item in found if item]


def names(subject):
    """The functions of a subject that the package has."""
    return [name for name in SUBJECTS[subject].split() if hasattr(eltwise, name)]


def arithmetic():
    """The operators of no other subject."""
    others = {name for subject in SUBJECTS for name in names(subject)}
    return [name for name in eltwise.operators() if hasattr(eltwise, name) and name not in others]


def aliases(name):
    """Other names of a function."""
    function = getattr(eltwise, name)
    return sorted(n for n in dir(eltwise) if n != name and not n.startswith("_") and getattr(eltwise, n) is function)


def signature(name):
    """The signature, without the options of all operators."""
    if name == "Compiled":
        return "f(*operands, out=None, where=True, progress=None, **named_operands)"
    parameters = inspect.signature(getattr(eltwise, name)).parameters.values()
    if name not in WITH_OPTIONS:
        return f"{name}{inspect.signature(getattr(eltwise, name))}"
    kept = [str(p) for p in parameters if p.name not in OPTIONS and p.kind is not p.VAR_KEYWORD]
    return f"{name}({', '.join(kept)})"


def paragraphs(text):
    """Paragraphs in one line each, with asterisks escaped outside of code."""
    pieces = re.split("(`[^`]*`)", re.sub(r"(?<!\n)\n(?!\n)", " ", text))
    return "".join(piece if piece.startswith("`") else piece.replace("*", "\\*") for piece in pieces)


def entry(name):
    """The entry of a function."""
    parts = sections(eltwise._eltwise.Compiled if name == "Compiled" else getattr(eltwise, name))
    lines = [f"### {name}", "", f"`{signature(name)}`", "", paragraphs(parts[""]), ""]
    common = "Dtypes promote as in NumPy 2"
    for head, text in items(parts.get("Parameters", "")):
        is_option = head.split(" : ")[0].split(",")[0] in OPTIONS and not head.startswith("accuracy")
        if name in WITH_OPTIONS and (is_option or head == "**options"):
            continue
        text = text.partition(common)[0].strip() if common in text else text
        if not text.startswith("No effect") and text:
            lines.append(f"* `{head.split(' : ')[0]}`: {text}")
    returned = items(parts.get("Returns", ""))
    if returned and name in WITH_OPTIONS:
        dtype = re.match(r"Dtype: (.*?)\. ", returned[0][1])
        lines += [f"* returns {dtype[1]}"] if dtype and dtype[1] != "the common dtype of the operands" else []
    elif returned:
        lines.append(f"* returns {returned[0][0]}{': ' + returned[0][1] if returned[0][1] else ''}")
    for other in aliases(name):
        lines.append(f"* also called `{other}`")
    if "Examples" in parts:
        lines += ["", "```pycon", parts["Examples"], "```"]
    return "\n".join(lines) + "\n"


#: The members of compiled functions.
MEMBERS = ("text", "inputs", "outputs", "returns_tuple", "result_type", "explain")
#: Functions with the options of all operators.
WITH_OPTIONS = {*eltwise.operators(), "clip", "rint", "divmod", "modf", "frexp", "sincos"} - {"broadcast_to"}


def page():
    """The page."""
    described = items(sections(eltwise.add)["Parameters"]) + items(sections(eltwise.exp)["Parameters"])
    rows = {head.partition(" : ")[0]: text for head, text in described if head.split(",")[0].split(" ")[0] in OPTIONS}
    text = HEAD + "".join(f"| `{name}` | {text} |\n" for name, text in rows.items())
    text += "\nThe result has the common dtype of the operands unless the entry says otherwise. Dtypes promote as in NumPy 2.\n"
    for title, functions in [("Arithmetic", [*arithmetic(), "divmod"]), *((s, names(s)) for s in SUBJECTS)]:
        text += f"\n## {title}\n\n" + "\n".join(entry(name) for name in functions)
    compiled = entry("Compiled").replace("### Compiled", "## Compiled")
    return text + "\n" + compiled + "\n" + "\n".join(map(member, MEMBERS))


def member(name):
    """The entry of a method or an attribute of a compiled function."""
    thing = inspect.getattr_static(eltwise._eltwise.Compiled, name)
    title = f"{name}{thing.__text_signature__.replace('$self, ', '')}" if callable(thing) else name
    return f"### {title}\n\n{paragraphs(sections(thing)[''])}\n"


if __name__ == "__main__":
    generated.main(__doc__, PAGE, page)
