"""Run model files through their drivers: their results, and the gradients of their parameters.

    python -m namecheck_runtime.as_torch tests/programs/drive.py DRIVER ... --packages FOLDER
    python tests/programs/drive.py DRIVER --packages FOLDER --dtype float32 --save FILE.npz

The first compares what they give with what PyTorch gave (`digests.py`). The second keeps what one
gives; without `-m namecheck_runtime.as_torch`, it needs PyTorch. A driver names a file of a
package, which is in FOLDER as `name-version/`, and calls what the file defines
(`tests/benchmarks/precision/README.md`). The draws are those of `draws.py`, so that both libraries
start with the same parameters and inputs.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import math
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from digests import differences, digests, measured
from draws import Draws, as_double, replace
from driver_files import FOLDERS, ROOT, every_driver


def driver_of(name: str, packages: Path) -> Any:
    """The module of a driver."""
    sys.path.insert(0, str(FOLDERS[0]))
    importlib.import_module("_lib").ROOT = str(packages)
    place = every_driver()[name]
    spec = importlib.util.spec_from_file_location(f"driver_{name}", place)
    assert spec is not None
    assert spec.loader is not None
    driver = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(driver)
    return driver


def file_of(driver: Any, packages: Path) -> Path:
    """The model file that a driver calls."""
    parts = Path(driver.FILE).parts
    if parts[0] == "examples":
        return ROOT.joinpath("docs/examples/correct", *parts[1:])
    return ROOT / driver.FILE if parts[0] == "tests" else packages / driver.FILE


def loaded(path: Path, name: str) -> Any:
    """The module of a file, under a name."""
    module: Any = types.ModuleType(name)
    module.__file__ = str(path)
    is_package = path.name == "__init__.py"
    module.__package__ = name if is_package else name.rpartition(".")[0]
    if is_package:
        module.__path__ = [str(path.parent)]
    sys.modules[name] = module
    exec(compile(path.read_text(encoding="utf-8"), path, "exec"), module.__dict__)
    return module


# -- what is kept ----------------------------------------------------------------------------------


def parts_of(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The tensors, arrays and numbers in a result, with their paths."""
    if isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from parts_of(value[key], f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for place, part in enumerate(value):
            yield from parts_of(part, f"{path}[{place}]")
    elif isinstance(value, (torch.Tensor, np.ndarray, int, float, bool)):
        yield path or "result", value


def elements(value: Any) -> Any:
    """The elements of a tensor, an array or a number, in the most exact dtype of their kind."""
    array = value.detach().numpy() if isinstance(value, torch.Tensor) else np.asarray(value)
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def loss_of(results: list[Any]) -> Any:
    """A number that depends on all elements of all results that require a gradient, or None."""
    total = None
    for place, result in enumerate(results):
        if not isinstance(result, torch.Tensor) or not result.requires_grad:
            continue
        result = torch.view_as_real(result) if result.is_complex() else result
        weights = np.cos(0.7 * np.arange(result.numel()) + place).reshape(tuple(result.shape))
        weighted = (result * torch.from_numpy(weights).to(result.dtype)).sum()
        weighted = weighted.to(torch.get_default_dtype()) / math.sqrt(max(result.numel(), 1))
        total = weighted if total is None else total + weighted
    return total


def watch_modules() -> list[Any]:
    """A list to which every module that is made from now on is added."""
    made: list[Any] = []
    make = torch.nn.Module.__init__

    def make_and_note(module: Any, *arguments: Any, **options: Any) -> None:
        make(module, *arguments, **options)
        made.append(module)

    torch.nn.Module.__init__ = make_and_note
    return made


def parameters_of(modules: list[Any]) -> list[Any]:
    """The parameters of modules and of their children, each once."""
    found = {}
    for module in modules:
        for parameter in module.parameters():
            found.setdefault(id(parameter), parameter)
    return list(found.values())


def driven(driver: Any, path: Path, dtype: str) -> dict[str, Any]:
    """The results and gradients of a driver's run; of its inputs, if it has no parameters."""
    draws = replace(torch)
    if dtype == "float64":
        as_double(torch)
    modules = watch_modules()
    if hasattr(driver, "setup"):
        driver.setup()
    module = loaded(path, getattr(driver, "MODULE", "target_mod"))
    results, leaves = run(driver, module, modules)
    if not any(leaf.grad is not None for leaf in leaves):
        results, leaves = run_with_inputs(driver, module, draws)
    kept = {f"result|{name}": elements(value) for name, value in results}
    for place, leaf in enumerate(leaves):
        if leaf.grad is not None:
            kept[f"gradient|{place}"] = elements(leaf.grad)
    return kept


def run(driver: Any, module: Any, modules: list[Any]) -> tuple[list[Any], list[Any]]:
    """The named results of a run, and the parameters, which have gradients afterwards."""
    results = list(parts_of(driver.run(module)))
    values = [value for _, value in results]
    parameters = parameters_of(modules)
    loss = loss_of(values)
    if loss is None:
        return results, parameters
    try:
        loss.backward()
    except RuntimeError as error:
        if "modified by an inplace operation" not in str(error):
            raise
        results.append(("refused", len(values) - one_by_one(values, parameters)))
    return results, parameters


def one_by_one(values: list[Any], parameters: list[Any]) -> int:
    """Gather the gradients of the results that still have some; returns how many have.

    A program that writes into a cache, say, spoils the way back from the results before.
    """
    for parameter in parameters:
        parameter.grad = None
    count = 0
    for value in values:
        loss = loss_of([value])
        try:
            found = (
                ()
                if loss is None
                else torch.autograd.grad(loss, parameters, retain_graph=True, allow_unused=True)
            )
        except RuntimeError:
            continue
        count += 1
        for parameter, gradient in zip(parameters, found, strict=False):
            if gradient is not None:
                known = parameter.grad
                parameter.grad = gradient if known is None else known + gradient
    return count


def run_with_inputs(driver: Any, module: Any, draws: Draws) -> tuple[list[Any], list[Any]]:
    """The same, with the drawn inputs in the place of parameters."""
    draws.wants_gradients = True
    return run(driver, module, [])[0], draws.leaves


def main() -> None:
    """Read the command line, run the driver, write what it gives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("drivers", nargs="+", metavar="DRIVER")
    parser.add_argument("--packages", type=Path, default=ROOT / "tests/benchmarks/precision/repos")
    parser.add_argument("--dtype", default="float64", choices=("float32", "float64"))
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    known = measured()
    for name in options.drivers:
        driver = driver_of(name, options.packages)
        kept = driven(driver, file_of(driver, options.packages), options.dtype)
        if options.save:
            np.savez(options.save, **kept)
        else:
            found = differences(digests(kept), known.get(name, {}))
            print(f"{name:24} {'; '.join(found[:4]) or 'equal'}")


if __name__ == "__main__":
    main()
