"""A small Rust lexer for check-structure.py: tokens, comments, and the functions that have a body."""

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
    | (?P<punctuation>::|->|=>|.)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass
class Token:
    text: str
    line: int


@dataclass
class LexedFile:
    """The tokens of a file, with literals as `0` and without `#[cfg(test)]` items, and what was set aside.

    `comment_lines` has the number and the text of each line of a comment. `test_modules` has the names of the modules
    in other files that this file declares under `#[cfg(test)]`.
    """

    tokens: list[Token] = field(default_factory=list)
    comment_lines: list[tuple[int, str]] = field(default_factory=list)
    test_modules: set[str] = field(default_factory=set)


def end_of_block_comment(text: str, start: int) -> int:
    """The end of the block comment at `start`; block comments nest."""
    depth = 0
    for delimiter in re.compile(r"/\*|\*/").finditer(text, start):
        depth += 1 if delimiter.group() == "/*" else -1
        if depth == 0:
            return delimiter.end()
    return len(text)


def lex(text: str) -> LexedFile:
    """Splits a source file into tokens and comments, and removes what is compiled for tests only."""
    file, start, line = LexedFile(), 0, 1
    while start < len(text):
        match = TOKEN.match(text, start)
        kind, end = match.lastgroup, match.end()
        if kind == "block":
            end = end_of_block_comment(text, start)
        token = text[start:end]
        if kind in ("comment", "block"):
            lines = (part.strip("/*! \t") for part in token.split("\n"))
            file.comment_lines += [(line + i, part) for i, part in enumerate(lines) if part]
        elif kind in ("string", "number"):
            file.tokens.append(Token("0", line))
        elif kind != "space":
            file.tokens.append(Token(token, line))
        line += token.count("\n")
        start = end
    return without_tests(file)


BRACKETS = {"(": ")", "[": "]", "{": "}"}


def matching_bracket(tokens: list[Token], opening: int) -> int:
    """The index of the bracket that closes the one at `opening`; the last index in broken code."""
    depth = 0
    for i in range(opening, len(tokens)):
        if tokens[i].text in BRACKETS:
            depth += 1
        elif tokens[i].text in BRACKETS.values():
            depth -= 1
            if depth == 0:
                return i
    return len(tokens) - 1


# First words of items and statements, which no `,` ends: it separates bounds or generic arguments.
NOT_IN_A_LIST = {"fn", "struct", "enum", "trait", "impl", "mod", "use", "const", "static", "type", "macro_rules"}
NOT_IN_A_LIST |= {"unsafe", "async", "extern", "let"}
# Tokens after a block that is not the last part of its item: `const X: T = T { .. };`, `use a::{b};`, a field's value
# `T { .. },`, a pattern `T { .. } =>`, `if a { .. } else { .. }`, a call `{ .. }.f()`, `{ .. }?`.
AFTER_INNER_BLOCK = {";", ",", "=>", "else", ".", "?"}


def end_of_item(tokens: list[Token], start: int) -> int:
    """The index of the last token of the item, field, variant, match arm or statement at `start`.

    That is its `;`, its `,` or the `}` of its body; without any of them, the token before the bracket that closes the
    list with the item.
    """

    def text_at(i: int) -> str:
        return tokens[i].text if i < len(tokens) else ""

    i = start
    if text_at(i) == "pub":
        i += 1
        if text_at(i) == "(":
            i = matching_bracket(tokens, i) + 1
    ends_at_comma = text_at(i) not in NOT_IN_A_LIST
    is_field = ends_at_comma and text_at(i + 1) == ":"
    while i < len(tokens):
        text = tokens[i].text
        if text == ";" or (text == "," and ends_at_comma):
            return i
        if text in BRACKETS.values():
            return i - 1
        if text in BRACKETS:
            close = matching_bracket(tokens, i)
            if text == "{" and text_at(close + 1) not in AFTER_INNER_BLOCK:
                return close
            i = close + 1
        elif is_field and text == "<":
            i = skip_generics(tokens, i)
        else:
            i += 1
    return len(tokens) - 1


# Not `cfg(any(test, ...))`: such items are in the product too.
CFG_TEST = re.compile(r"cfg\((?:all\((?:.*,)?)?test\b")


def without_tests(file: LexedFile) -> LexedFile:
    """Removes items under `#[cfg(test)]` or `#[cfg(all(test, ...))]`, and lists the test modules in other files."""
    kept, tokens, i = [], file.tokens, 0
    while i < len(tokens):
        if tokens[i].text == "#" and i + 1 < len(tokens) and tokens[i + 1].text == "[":
            close = matching_bracket(tokens, i + 1)
            if CFG_TEST.match("".join(t.text for t in tokens[i + 2 : close])):
                start = close + 1
                while start + 1 < len(tokens) and tokens[start].text == "#":
                    start = matching_bracket(tokens, start + 1) + 1
                end = end_of_item(tokens, start)
                item = [t.text for t in tokens[start : end + 1]]
                if "mod" in item[:5] and item[-1] == ";":
                    file.test_modules.add(item[item.index("mod") + 1])
                i = end + 1
                continue
        kept.append(tokens[i])
        i += 1
    file.tokens = kept
    return file


def skip_generics(tokens: list[Token], start: int) -> int:
    """The index after the `<...>` that starts at `start`; `start` if there is none."""
    if tokens[start].text != "<":
        return start
    depth = 0
    for i in range(start, len(tokens)):
        depth += {"<": 1, ">": -1}.get(tokens[i].text, 0)
        if depth == 0:
            return i + 1
    return len(tokens) - 1


@dataclass(order=True)
class Function:
    line: int
    name: str
    lines: int
    parameters: int


def count_parameters(tokens: list[Token]) -> int:
    """The number of parameters between the parentheses of a signature; `self` counts."""
    depth, count, is_empty = 0, 0, True
    for token in tokens:
        depth += (token.text in "([{<") - (token.text in ")]}>")
        if token.text == "," and depth == 0:
            count, is_empty = count + (not is_empty), True
        else:
            is_empty = False
    return count + (not is_empty)


def rust_functions(tokens: list[Token]) -> Iterator[Function]:
    """The functions that have a body, including functions in macro bodies (`fn $name`)."""
    # The shortest function has four tokens up to its parameters: `fn name ( )`.
    for start in range(len(tokens) - 3):
        if tokens[start].text != "fn":
            continue
        name = start + 2 if tokens[start + 1].text == "$" else start + 1
        if not re.fullmatch(r"(?:r#)?\w+", tokens[name].text):
            continue
        opening = skip_generics(tokens, name + 1)
        if tokens[opening].text != "(":
            continue
        close = matching_bracket(tokens, opening)
        body = close + 1
        while body < len(tokens) and tokens[body].text not in "{;}":
            body = matching_bracket(tokens, body) + 1 if tokens[body].text in BRACKETS else body + 1
        if body < len(tokens) and tokens[body].text == "{":
            line, last = tokens[start].line, tokens[matching_bracket(tokens, body)].line
            count = count_parameters(tokens[opening + 1 : close])
            yield Function(line, tokens[name].text, last - line + 1, count)
