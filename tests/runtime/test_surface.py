"""The names of the package and of its tensors: all of them exist, without the rules."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import write_surface

import namecheck_runtime as nt
from namecheck_runtime._surface import METHODS
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.tensors.dispatch import function_of

ROOT = Path(__file__).parents[2]


def test_the_generated_files_are_up_to_date() -> None:
    written = write_surface.files()
    for path, text in written.items():
        fresh = path.read_text(encoding="utf-8") == text
        assert fresh, f"{path} is stale: run `python tests/data/write_surface.py`"
    stubs = set((ROOT / "runtime").rglob("*.pyi"))
    assert stubs == {path for path in written if path.suffix == ".pyi"}


def test_every_method_is_an_attribute() -> None:
    assert len(METHODS) > 500
    for name in METHODS:
        assert getattr(nt.Tensor, name) is not None, name


def test_every_public_name_is_an_attribute() -> None:
    names = dir(nt)
    assert len(names) > 500
    for name in names:
        getattr(nt, name)
    assert nt.nn.functional.relu(nt.tensor([-1.0])).tolist() == [0.0]
    assert callable(function_of("torch.linalg.norm"))
    assert "torch.nn.functional.relu" in REGISTRY


def test_functions_can_be_pickled() -> None:
    for function in (nt.nn.functional.relu, nt.sum, nt.linalg.norm, nt.fft.fft):
        assert pickle.loads(pickle.dumps(function)) is function


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = nt.nothing
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = nt.nn.functional.nothing
    with pytest.raises(AttributeError):
        _ = nt.ones(2).nothing


def test_the_package_alone_imports_neither_numpy_nor_rules() -> None:
    code = (
        "import sys, namecheck_runtime; "
        "assert not {'numpy', 'namecheck_runtime.rules'} & sys.modules.keys(); "
        "namecheck_runtime.Tensor; "
        "assert 'namecheck_runtime.rules' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT / "runtime")
