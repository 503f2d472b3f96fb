"""Rust sources as far as the structure check needs them: tokens, comments, and the functions that have a body."""

import re
from dataclasses import dataclass, field
from typing import Iterator

TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<comment>//[^\n]*)
    | (?P<block>/\*)
    | (?P<string>(?:b|c)?r(?P<hashes>\#*)".*?"(?P=hashes) | (?:b|c)?"(?:[^"\\]|\\.)*" | b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^\\'\n])')
    | (?P<lifetime>'\w+)
    | (?P<word>(?:r\#)?[^\W\d]\w*)
    | (?P<number>\d\w*(?:\.\d\w*)?)
    | (?P<sign>::|->|=>|.)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass
class Token:
    text: str
    line: int


@dataclass
class Rust:
    """The tokens of a file, with literals as `0` and without `#[cfg(test)]` items, and the lines of its comments."""

    tokens: list[Token] = field(default_factory=list)
    prose: list[tuple[int, str]] = field(default_factory=list)
    test_modules: set[str] = field(default_factory=set)


def end_of_block_comment(text: str, start: int) -> int:
    """The end of the block comment at `start`; block comments nest."""
    depth = 0
    for sign in re.compile(r"/\*|\*/").finditer(text, start):
        depth += 1 if sign.group() == "/*" else -1
        if depth == 0:
            return sign.end()
    return len(text)


def lex(text: str) -> Rust:
    rust, at, line = Rust(), 0, 1
    while at < len(text):
        match = TOKEN.match(text, at)
        kind, end = match.lastgroup, match.end()
        if kind == "block":
            end = end_of_block_comment(text, at)
        token = text[at:end]
        if kind in ("comment", "block"):
            words = (part.strip("/*! \t") for part in token.split("\n"))
            rust.prose += [(line + i, part) for i, part in enumerate(words) if part]
        elif kind in ("string", "number"):
            rust.tokens.append(Token("0", line))
        elif kind != "space":
            rust.tokens.append(Token(token, line))
        line += token.count("\n")
        at = end
    return without_tests(rust)


CLOSING = {"(": ")", "[": "]", "{": "}"}


def closing(tokens: list[Token], at: int) -> int:
    """The index of the bracket that closes the one at `at`; the last index in broken code."""
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i].text in CLOSING:
            depth += 1
        elif tokens[i].text in CLOSING.values():
            depth -= 1
            if depth == 0:
                return i
    return len(tokens) - 1


def end_of_item(tokens: list[Token], at: int) -> int:
    """The index of the `;` or of the `}` that ends the item at `at`."""
    while at < len(tokens):
        if tokens[at].text == ";":
            return at
        if tokens[at].text in CLOSING:
            close = closing(tokens, at)
            if tokens[at].text == "{" and not (close + 1 < len(tokens) and tokens[close + 1].text in ";,"):
                return close
            at = close
        at += 1
    return len(tokens) - 1


def without_tests(rust: Rust) -> Rust:
    """Removes items under `#[cfg(test)]` or `#[cfg(all(test, ...))]`, and lists the test modules in other files."""
    kept, tokens, at = [], rust.tokens, 0
    while at < len(tokens):
        if tokens[at].text == "#" and at + 1 < len(tokens) and tokens[at + 1].text == "[":
            close = closing(tokens, at + 1)
            attribute = "".join(t.text for t in tokens[at + 2 : close])
            if re.match(r"cfg\((?:all\((?:.*,)?)?test\b", attribute):
                at = close + 1
                while at + 1 < len(tokens) and tokens[at].text == "#":
                    at = closing(tokens, at + 1) + 1
                end = end_of_item(tokens, at)
                item = [t.text for t in tokens[at : end + 1]]
                if "mod" in item[:5] and item[-1] == ";":
                    rust.test_modules.add(item[item.index("mod") + 1])
                at = end + 1
                continue
        kept.append(tokens[at])
        at += 1
    rust.tokens = kept
    return rust


@dataclass(order=True)
class Function:
    line: int
    name: str
    lines: int
    parameters: int


def skip_generics(tokens: list[Token], at: int) -> int:
    """The index behind `<...>` at `at`, or `at`."""
    if tokens[at].text != "<":
        return at
    depth = 0
    for i in range(at, len(tokens)):
        depth += {"<": 1, ">": -1}.get(tokens[i].text, 0)
        if depth == 0:
            return i + 1
    return len(tokens) - 1


def parameters(tokens: list[Token]) -> int:
    """The number of parameters between the parentheses of a signature; a receiver is one."""
    depth, count, is_empty = 0, 0, True
    for token in tokens:
        depth += (token.text in "([{<") - (token.text in ")]}>")
        if token.text == "," and depth == 0:
            count, is_empty = count + (not is_empty), True
        else:
            is_empty = False
    return count + (not is_empty)


def rust_functions(tokens: list[Token]) -> Iterator[Function]:
    """The functions that have a body, those of macros included."""
    for at in range(len(tokens) - 3):
        if tokens[at].text != "fn":
            continue
        name = at + 2 if tokens[at + 1].text == "$" else at + 1
        if not re.fullmatch(r"(?:r#)?\w+", tokens[name].text):
            continue
        opening = skip_generics(tokens, name + 1)
        if tokens[opening].text != "(":
            continue
        close = closing(tokens, opening)
        body = close + 1
        while body < len(tokens) and tokens[body].text not in "{;}":
            body = closing(tokens, body) + 1 if tokens[body].text in CLOSING else body + 1
        if body < len(tokens) and tokens[body].text == "{":
            line, last = tokens[at].line, tokens[closing(tokens, body)].line
            count = parameters(tokens[opening + 1 : close])
            yield Function(line, tokens[name].text, last - line + 1, count)
