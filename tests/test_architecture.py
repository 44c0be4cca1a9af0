"""What the tree promises, beside the direction of imports that import-linter checks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import maxconnect4

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "maxconnect4"


def test_only_the_search_imports_the_compiled_core() -> None:
    importers = [path.name for path in SOURCE.rglob("*.py") if "_core" in path.read_text()]
    assert importers == ["search.py"]


def test_only_the_bindings_know_python() -> None:
    importers = [path.name for path in (ROOT / "core").iterdir() if "nanobind" in path.read_text()]
    assert importers == ["bindings.cpp"]


def test_the_stub_of_the_core_is_the_one_that_nanobind_generates(tmp_path: Path) -> None:
    stub = tmp_path / "_core.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "maxconnect4._core", "-o", stub], check=True)
    assert stub.read_text() == (SOURCE / "_core.pyi").read_text()


def test_the_package_is_typed_and_the_installed_one_is_tested() -> None:
    installed = Path(maxconnect4.__file__).parent
    assert (installed / "py.typed").exists()
    assert (installed / "_core.pyi").exists()
    assert installed != SOURCE
