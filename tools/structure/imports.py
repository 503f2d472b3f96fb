"""Import cycles between the modules of a crate.

`crate_roots` finds the crates of a package, `dependencies` the modules that each module uses, `cycles` their cycles.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Iterator

from structure.rust import LexedFile, Token, matching_bracket

Name = tuple[str, ...]


@dataclass
class Module:
    """A file of a crate: the names that it defines and imports, and every path that it mentions."""

    path: Path
    tokens: list[Token] = field(default_factory=list)
    definitions: set[str] = field(default_factory=set)
    imports: dict[str, Name] = field(default_factory=dict)
    globs: list[Name] = field(default_factory=list)
    mentions: list[tuple[int, Name]] = field(default_factory=list)


def use_tree(tokens: list[Token], start: int, prefix: Name) -> tuple[int, list[tuple[int, Name, str]]]:
    """Reads a `use` tree at `start`: the index after it, and line, path and local name of each leaf (`*` for a glob)."""
    path, line, leaves, i = list(prefix), tokens[start].line, [], start
    while i < len(tokens):
        text = tokens[i].text
        if text == "{":
            close = matching_bracket(tokens, i)
            i += 1
            while i < close:
                i, found = use_tree(tokens, i, tuple(path))
                leaves += found
                i += tokens[i].text == ","
            return close + 1, leaves
        if text == "*":
            return i + 1, [(line, tuple(path), "*")]
        if text == "as":
            return i + 2, [(line, tuple(path), tokens[i + 1].text)]
        if re.fullmatch(r"(?:r#)?\w+", text):
            path.append(text)
        elif text not in ("::", "$"):
            break
        i += 1
    if len(path) > 1 and path[-1] == "self":
        path.pop()
    return i, [(line, tuple(path), path[-1])] if path else []


ITEMS = {"fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod", "macro_rules"}


def read_module(module: Module, here: Name) -> None:
    """Fills the names and the mentions of a module. `here` is its name; an inline module is a part of its file."""
    tokens, inline, depth, i = module.tokens, [], 0, 0
    while i < len(tokens):
        text = tokens[i].text
        following = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if text == "mod" and i + 2 < len(tokens) and tokens[i + 2].text == "{":
            module.definitions.add(following)
            inline.append(depth)
            i += 2
            depth += 1
        elif text in "{}":
            depth += 1 if text == "{" else -1
            if inline and text == "}" and depth == inline[-1]:
                inline.pop()
        elif text == "use" and (following in ("::", "{") or re.match(r"\w|\$", following)):
            i, leaves = use_tree(tokens, i + 1, ())
            for line, path, name in leaves:
                path = absolute(path, here, len(inline))
                module.mentions.append((line, path))
                if not inline and name == "*":
                    module.globs.append(path)
                elif not inline:
                    module.imports[name] = path
            continue
        elif text in ("crate", "self", "super") and following == "::":
            path, line = [text], tokens[i].line
            while i + 2 < len(tokens) and tokens[i + 1].text == "::" and re.match(r"\w", tokens[i + 2].text):
                path.append(tokens[i + 2].text)
                i += 2
            module.mentions.append((line, absolute(tuple(path), here, len(inline))))
        elif text in ITEMS and depth == len(inline):
            module.definitions.add(tokens[i + 2].text if following == "!" else following)
        i += 1


def absolute(path: Name, here: Name, inline: int) -> Name:
    """A path from the crate's root, as `crate::...`; other paths are relative to the module or name another crate."""
    if path[:1] == ("crate",):
        return path
    if path[:1] not in (("self",), ("super",)):
        return ("", *here, *path)
    base = list(here)
    for i, part in enumerate(path):
        if part == "super" and inline:
            inline -= 1
        elif part == "super":
            base = base[:-1]
        elif part != "self":
            return ("crate", *base, *path[i:])
    return ("crate", *base)


def resolve(modules: dict[Name, Module], path: Name, followed: frozenset[Name] = frozenset()) -> Name | None:
    """The module that defines what `path` names, as far as the crate's own modules go; None for other crates.

    `followed` has the imports that led here, so that `use log::log` ends.
    """
    is_relative, remaining, parent = path[0] == "", path[1:], ()
    while remaining:
        name, module = remaining[0], modules.get(parent)
        if (*parent, name) in modules:
            parent, remaining = (*parent, name), remaining[1:]
            continue
        if module and name in module.definitions:
            return parent
        if module and name in module.imports and (*parent, name) not in followed:
            return resolve(modules, (*module.imports[name], *remaining[1:]), followed | {(*parent, name)})
        for glob in module.globs if module and (*parent, "*", name) not in followed else []:
            found = resolve(modules, (*glob, *remaining), followed | {(*parent, "*", name)})
            if found is not None and name in modules[found].definitions:
                return found
        return None if is_relative else parent
    return parent


def crate_roots(package: Path) -> Iterator[dict[Name, Path]]:
    """The files of each crate of a package by module: the library with the main program, and every other program."""
    source = package / "src"
    programs = source / "bin"
    for folder in [source, *(f for f in programs.glob("*/") if (f / "main.rs").exists())]:
        found = {}
        for file in sorted(folder.rglob("*.rs")):
            parts = list(file.relative_to(folder).with_suffix("").parts)
            if folder == source and parts[0] == "bin" and len(parts) > 1:
                continue
            if parts[-1] == "mod":
                parts.pop()
            elif parts in (["lib"], ["main"]):
                if parts == ["main"] and (folder / "lib.rs").exists():
                    continue
                parts = []
            found[tuple(parts)] = file
        yield found


def dependencies(
    files: dict[Name, Path], sources: dict[Path, LexedFile], is_left_out: Callable[[Path], bool]
) -> dict[Name, dict[Name, int]]:
    """The modules that each module uses, with the first line that does; ancestors and descendants are not listed."""
    modules: dict[Name, Module] = {}
    for name, file in files.items():
        modules[name] = Module(file, sources[file].tokens)
        read_module(modules[name], name)
    graph: dict[Name, dict[Name, int]] = {}
    for name, module in modules.items():
        if is_left_out(module.path):
            continue
        uses = graph.setdefault(name, {})
        for line, path in module.mentions:
            used = resolve(modules, path)
            is_relative = used is None or used == name[: len(used)] or name == used[: len(name)]
            if not is_relative and not is_left_out(modules[used].path):
                uses.setdefault(used, line)
    return graph


def shortest_cycle(graph: dict[Name, dict[Name, int]], start: Name) -> list[Name] | None:
    """A shortest cycle through `start`, which is its first and last module."""
    came_from: dict[Name, Name] = {}
    front = [start]
    while front:
        following = []
        for module in front:
            for used in graph.get(module, {}):
                if used == start:
                    cycle = [start]
                    while module != start:
                        cycle.append(module)
                        module = came_from[module]
                    return [start, *reversed(cycle)]
                if used not in came_from:
                    came_from[used] = module
                    following.append(used)
        front = following
    return None


def cycles(graph: dict[Name, dict[Name, int]]) -> Iterator[list[Name]]:
    """Shortest cycles until every module that is in one has been in one that is given."""
    covered: set[Name] = set()
    for module in sorted(graph):
        if module not in covered and (cycle := shortest_cycle(graph, module)):
            covered |= set(cycle)
            yield cycle
