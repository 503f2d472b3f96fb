#!/usr/bin/env python3
"""Checks the structure of the sources: import cycles, lengths, parameters, and the words of the prose.

usage: tools/check-structure.py [--except PART,PART...] [--self-test]

* no import cycle between the modules of a crate;
* no Rust or Python file above 450 lines, no function above 80 lines, none with more than seven parameters;
* at most 5 in 1,000 lines of prose (comments, docstrings, Markdown) with one of the words in tools/structure/prose.py, counted
  for each language.

Reads the checkout and builds nothing. Prints one line for each offender, `FILE:LINE: MESSAGE`, and exits with 1 if
there is one.

A module depends on the module that defines the name it uses, also if it uses the name through a re-export. A module and
its ancestors may use each other. Code under `#[cfg(test)]`, in `tests` folders and in `tests.rs` is checked for its
prose only. --except leaves out files whose path has one of the parts (a folder, or the name of a file without its
suffix), but not from the check of the prose. --self-test plants an offender of each kind in a temporary checkout and
checks that it is reported.
"""

import argparse
import ast
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

from structure import imports, prose, self_test
from structure.rust import Function, LexedFile, lex, rust_functions

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ["crates", "benches", "fuzz", "tools", "examples", "tests", "docs"]
SKIPPED_FOLDERS = {"target", "corpus", "node_modules", "__pycache__"}
# A log of measurements, in the words of the time.
SKIPPED_PROSE = {"tuning-log.md"}

MAX_FILE_LINES = 450
MAX_FUNCTION_LINES = 80
MAX_PARAMETERS = 7
MAX_PER_1000 = 5
LANGUAGES = {".rs": "Rust", ".py": "Python", ".md": "Markdown"}


@dataclass(order=True)
class Problem:
    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class Checkout:
    """The sources below a root, read once."""

    def __init__(self, root: Path, left_out: set[str]):
        self.root, self.left_out = root, left_out
        self.notes: list[str] = []
        self.texts = {path: path.read_text(errors="replace") for path in sorted(self.sources())}
        self.rust: dict[Path, LexedFile] = {
            path: lex(text) for path, text in self.texts.items() if path.suffix == ".rs"
        }

    def sources(self) -> Iterator[Path]:
        """Rust, Python and Markdown files in FOLDERS, and the README."""
        for name in FOLDERS:
            for folder, folders, files in os.walk(self.root / name):
                folders[:] = [f for f in folders if f not in SKIPPED_FOLDERS]
                yield from (Path(folder, file) for file in files if Path(file).suffix in LANGUAGES)
        if (self.root / "README.md").exists():
            yield self.root / "README.md"

    def name(self, path: Path) -> str:
        return str(path.relative_to(self.root))

    def is_left_out(self, path: Path) -> bool:
        """Whether --except names a part of the path."""
        relative = path.relative_to(self.root)
        return not self.left_out.isdisjoint({*relative.parts[:-1], relative.stem})

    def is_test(self, path: Path) -> bool:
        """Whether a file has tests only: by its path, or because its parent declares it under `#[cfg(test)]`."""
        relative = path.relative_to(self.root)
        if "tests" in relative.parts[:-1] or relative.stem == "tests":
            return True
        folder = path.parent
        name = folder.name if path.stem == "mod" else path.stem
        folder = folder.parent if path.stem == "mod" else folder
        parents = [folder / "mod.rs", folder / "lib.rs", folder / "main.rs", folder.with_suffix(".rs")]
        return any(parent in self.rust and name in self.rust[parent].test_modules for parent in parents)

    def lengths(self) -> Iterator[Problem]:
        """Files and functions that are too long, and functions with too many parameters."""
        for path, text in self.texts.items():
            if path.suffix == ".md" or self.is_left_out(path) or self.is_test(path):
                continue
            name, lines = self.name(path), len(text.splitlines())
            if lines > MAX_FILE_LINES:
                yield Problem(name, 1, f"the file has {lines} lines, at most {MAX_FILE_LINES} allowed: split it by topic")
            functions = rust_functions(self.rust[path].tokens) if path in self.rust else python_functions(text)
            for f in functions:
                if f.lines > MAX_FUNCTION_LINES:
                    message = f"function {f.name} has {f.lines} lines, at most {MAX_FUNCTION_LINES} allowed"
                    yield Problem(name, f.line, message)
                if f.parameters > MAX_PARAMETERS:
                    message = f"function {f.name} has {f.parameters} parameters, at most {MAX_PARAMETERS} allowed: use a struct"
                    yield Problem(name, f.line, message)

    def import_cycles(self) -> Iterator[Problem]:
        """The imports that close a cycle, one problem for each."""
        for manifest in sorted(self.root.rglob("Cargo.toml")):
            if SKIPPED_FOLDERS.isdisjoint(manifest.relative_to(self.root).parts):
                for files in imports.crate_roots(manifest.parent):
                    yield from self.cycles_of(files)

    def cycles_of(self, files: dict[imports.Name, Path]) -> Iterator[Problem]:
        files = {name: path for name, path in files.items() if not self.is_test(path)}
        graph = imports.dependencies(files, self.rust, self.is_left_out)
        for cycle in imports.cycles(graph):
            text = " -> ".join("::".join(module) for module in cycle)
            for module, used in zip(cycle, cycle[1:]):
                message = f"import cycle of {len(cycle) - 1} modules: {text}; this line uses {'::'.join(used)}"
                yield Problem(self.name(files[module]), graph[module][used], message)

    def words(self) -> Iterator[Problem]:
        """The unwanted words of every language that has too many of them."""
        for suffix, language in LANGUAGES.items():
            lines, found = 0, []
            for path, text in self.texts.items():
                if path.suffix != suffix or path.name in SKIPPED_PROSE:
                    continue
                of_file = self.rust[path].comment_lines if suffix == ".rs" else getattr(prose, language.lower())(text)
                lines += len(of_file)
                complaints = ((line, prose.complaint(words)) for line, words in of_file)
                found += [Problem(self.name(path), line, complaint) for line, complaint in complaints if complaint]
            note = f"{language}: {len(found)} of {lines} lines of prose have a word to replace"
            self.notes.append(f"{note}, at most {MAX_PER_1000} in 1,000 allowed")
            if 1000 * len(found) > MAX_PER_1000 * lines:
                yield from found

    def problems(self) -> list[Problem]:
        return sorted([*self.lengths(), *self.import_cycles(), *self.words()])


def python_functions(text: str) -> Iterator[Function]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            a = node.args
            parameters = [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, [a.vararg, a.kwarg])]
            yield Function(node.lineno, node.name, node.end_lineno - node.lineno + 1, len(parameters))


def main() -> int:
    usage = __doc__.split("usage: ")[1].split("\n")[0]
    parser = argparse.ArgumentParser(usage=usage, description=__doc__.split("\n")[0])
    help_except = "leave out files with these path parts"
    parser.add_argument("--except", default="", dest="left_out", metavar="PART,PART...", help=help_except)
    parser.add_argument("--self-test", action="store_true", help="check the check itself")
    options = parser.parse_args()
    if options.self_test:
        return self_test.run(lambda root, left_out: [str(p) for p in Checkout(root, left_out).problems()])
    checkout = Checkout(ROOT, set(options.left_out.split(",")) - {""})
    problems = checkout.problems()
    for problem in problems:
        print(problem, file=sys.stderr)
    print(*checkout.notes, sep="\n")
    print(f"structure: {len(checkout.texts)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
