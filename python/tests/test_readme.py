"""The examples of the README run as they are written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
#: What an example asks for besides the package.
OTHERS = ["chess", "stockfish", "ray", "dask", "numpy"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: " ".join(re.findall(r"(?<=import )\w+", text)))
def test_examples_run(example):
    for name in OTHERS:
        if re.search(rf"\b(import|from) {name}\b", example) or (name == "numpy" and "evaluate" in example):
            pytest.importorskip(name)
    if "mapInArrow" in example:
        pytest.skip("no Spark without Java: test_clusters.py calls what it would")
    # Comments say what the line before them gives.
    checks = re.sub(r"^(\S.*?)\s+# ('.*'|\d+|\(.*\))$", r"assert \1 == \2", example, flags=re.MULTILINE)
    subprocess.run([sys.executable, "-c", checks], check=True, timeout=300)


def test_there_are_examples():
    assert len(EXAMPLES) >= 6
