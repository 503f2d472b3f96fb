"""The words of the prose: comments, docstrings and Markdown."""

import ast
import io
import re
import tokenize

# Words and turns that the project does not use, and what to write instead.
WORDS = {
    r"beside": "`next to`, `in addition to` or `against`",
    r"of which": "two sentences",
    r"put in order": "`permute` or `sort`",
    r"comes? (?:again|back)": "`repeats`, `is reused` or `returns`",
    r"at any cost": "`always`",
    r"one and the same": "`the same`",
    r"is looked at": "`is read` or `is checked`",
    r"looks? at nothing": "the thing that it skips",
    r"for what": "`which`, or the name of the thing",
    r"its like": "`and similar`",
    r"as it lies": "`as it is stored`",
    r"lies?|lay": "`is at`, `is stored` or `is in`",
    r"stands?": "`is`, `is in` or `represents`",
    r"told": "`given`, `passed` or `configured`",
    r"in place of": "`instead of`",
    r"whatever": "`every` or `regardless of`",
    r"of its own": "`its own` or `a separate`",
}
START_OF_LINE = r"^\W*What (?!to\b|if\b)"
WORD = re.compile("|".join(rf"(\b(?:{pattern})\b)" for pattern in WORDS) + rf"|({START_OF_LINE})", re.IGNORECASE)
REPLACEMENTS = [*WORDS.values(), "a noun as the subject, not a clause with `What`"]


def complaint(line: str) -> str | None:
    """The first unwanted word of a line of prose and its replacement; None if there is no such word."""
    found = WORD.search(line)
    return f"`{found.group().strip()}`: write {REPLACEMENTS[found.lastindex - 1]}" if found else None


def markdown(text: str) -> list[tuple[int, str]]:
    """Number and text of the lines of a Markdown file that are not blank."""
    return [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def python(text: str) -> list[tuple[int, str]]:
    """Number and text of the lines of the comments and docstrings of a Python file."""
    lines = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            lines.append((token.start[0], token.string.strip("# ")))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines += [(node.lineno + i, line) for i, line in enumerate(node.value.value.split("\n"))]
    return sorted((number, line) for number, line in lines if line.strip())
