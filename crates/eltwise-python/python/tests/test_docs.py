"""Every block of Python code in the pages of docs/python runs. The blocks of a page are one program."""

import re
from pathlib import Path

import eltwise
import pytest

FOLDER = next((p / "docs/python" for p in Path(__file__).resolve().parents if (p / "docs/python").is_dir()), None)
PAGES = sorted(FOLDER.glob("*.md")) if FOLDER else []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_code_blocks_run(page):
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert blocks
    threads = eltwise.get_num_threads()
    try:
        exec(compile("\n".join(blocks), str(page), "exec"), {"__name__": page.stem})
    finally:
        eltwise.set_num_threads(threads)
