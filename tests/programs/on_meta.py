"""Run drivers on the device `meta`, where nothing is computed; show the sizes that they give.

    python -m namecheck_runtime.as_torch tests/programs/on_meta.py DRIVER ... [--packages FOLDER]

Every kernel of the CPU is replaced by one that raises. Prints for each driver whether the sizes of
its results and gradients are those that PyTorch computed on the CPU, or the error that stopped it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import torch

from digests import measured
from drive import driver_of, file_of, loaded, parameters_of, parts_of, watch_modules
from namecheck_runtime.tensors import backends


def refuse_to_compute() -> None:
    """Let every kernel of the CPU raise AssertionError."""
    find = backends.Cpu.find

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("a kernel was called")

    def find_refusal(backend: Any, op: Any, of: Any) -> Any:
        kernel = find(backend, op, of)
        return None if kernel is None else kernel._replace(function=refuse)

    backends.Cpu.find = find_refusal  # type: ignore[method-assign]


def sizes_of(name: str, packages: Path) -> dict[str, list[int]]:
    """The sizes of a driver's results and gradients, by the names that `drive.py` gives them."""
    driver = driver_of(name, packages)
    modules = watch_modules()
    if hasattr(driver, "setup"):
        driver.setup()
    module = loaded(file_of(driver, packages), getattr(driver, "MODULE", "target_mod"))
    results = list(parts_of(driver.run(module)))
    tensors = [value for _, value in results if isinstance(value, torch.Tensor)]
    wanted = [tensor for tensor in tensors if tensor.requires_grad]
    if wanted:
        sum(tensor.sum() for tensor in wanted).backward()
    sizes = {f"result|{path}": list(getattr(value, "shape", ())) for path, value in results}
    for place, leaf in enumerate(parameters_of(modules)):
        if leaf.grad is not None:
            tensors.append(leaf.grad)
            sizes[f"gradient|{place}"] = list(leaf.grad.shape)
    assert all(tensor.is_meta for tensor in tensors)
    return sizes


def main() -> None:
    """Read the command line, run each driver."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("drivers", nargs="+", metavar="DRIVER")
    parser.add_argument("--packages", type=Path, default=Path())
    options = parser.parse_args()
    torch.set_default_device("meta")
    refuse_to_compute()
    known = measured()
    for name in options.drivers:
        wanted = {key: facts[0] for key, facts in known[name].items()}
        try:
            sizes = sizes_of(name, options.packages)
            if not any(key.startswith("gradient") for key in sizes):
                # Without parameters, the gradients that were measured are those of drawn inputs.
                wanted = {key: size for key, size in wanted.items() if key.startswith("result")}
            same = sizes == wanted
        except Exception as error:
            print(f"{name:24} {type(error).__name__}: {error}")
        else:
            print(f"{name:24} {'the same sizes' if same else 'other sizes'}")


if __name__ == "__main__":
    sys.exit(main())
