"""Every block of Python code in the pages of docs/python and in the package's README runs. The blocks of a page are one program."""

import importlib.util
import re
from pathlib import Path

import eltwise
import pytest

FOLDER = next((p / "docs/python" for p in Path(__file__).resolve().parents if (p / "docs/python").is_dir()), None)
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
FILES = [*sorted(FOLDER.glob("*.md")), FOLDER.parents[1] / "crates/eltwise-python/README.md"] if FOLDER else []
PAGES = {page.stem: page.read_text() for page in FILES}


def sections(page):
    """The code of each section of a page, under its title."""
    parts = re.split(r"^## (.*)$", page, flags=re.MULTILINE)
    code = ["\n".join(BLOCK.findall(text)) for text in parts[::2]]
    return dict(zip(["", *parts[1::2]], code, strict=True))


def is_runnable(code):
    """Whether the libraries that a section imports are installed."""
    return all(map(importlib.util.find_spec, re.findall(r"^import (\w+)", code, re.MULTILINE)))


@pytest.mark.parametrize("page", [name for name, text in PAGES.items() if BLOCK.search(text)])
def test_code_blocks_run(page):
    threads, variables, missing = eltwise.get_num_threads(), {"__name__": page}, []
    try:
        for title, code in sections(PAGES[page]).items():
            if is_runnable(code):
                exec(compile(code, f"{page}, {title!r}", "exec"), variables)
            else:
                missing.append(title)
    finally:
        eltwise.set_num_threads(threads)
    if missing:
        pytest.skip(f"a library of these sections is missing: {missing}")
