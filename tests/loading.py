"""Python files outside the packages, loaded as modules."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType


def load_file(path: Path) -> ModuleType:
    """The module of a Python file: a script, or a hook of the docs or of a build."""
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[path.stem] = module  # a NamedTuple looks its module up
    spec.loader.exec_module(module)
    return module
