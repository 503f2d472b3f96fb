"""Every block of Python code in the pages of docs/python runs. The blocks of a page are one program."""

import re
from pathlib import Path

import eltwise
import pytest

FOLDER = next((p / "docs/python" for p in Path(__file__).resolve().parents if (p / "docs/python").is_dir()), None)
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
PAGES = {page.stem: BLOCK.findall(page.read_text()) for page in sorted(FOLDER.glob("*.md"))} if FOLDER else {}


@pytest.mark.parametrize("page", [page for page, blocks in PAGES.items() if blocks])
def test_code_blocks_run(page):
    code = "\n".join(PAGES[page])
    for library in set(re.findall(r"^import (\w+)", code, re.MULTILINE)):
        pytest.importorskip(library)
    threads = eltwise.get_num_threads()
    try:
        exec(compile(code, page, "exec"), {"__name__": page})
    finally:
        eltwise.set_num_threads(threads)
