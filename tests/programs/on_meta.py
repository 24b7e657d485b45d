"""Run drivers on the device `meta`, where nothing is computed; show the sizes that they give.

    python -m namecheck_runtime.as_torch tests/programs/on_meta.py DRIVER ... [--packages FOLDER]

Every kernel of the CPU is replaced by one that raises. Prints a line of JSON for each driver: the
sizes of its results, by their paths, and those of its gradients.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import torch

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


def sizes_of(name: str, packages: Path) -> dict[str, Any]:
    """The sizes of a driver's results and gradients."""
    driver = driver_of(name, packages)
    modules = watch_modules()
    if hasattr(driver, "setup"):
        driver.setup()
    module = loaded(file_of(driver, packages), getattr(driver, "MODULE", "target_mod"))
    results = list(parts_of(driver.run(module)))
    wanted = [value for _, value in results if getattr(value, "requires_grad", False)]
    if wanted:
        sum(value.sum() for value in wanted).backward()
    gradients = [leaf.grad for leaf in parameters_of(modules)]
    return {
        "driver": name,
        "meta": all(value.is_meta for _, value in results if isinstance(value, torch.Tensor)),
        "results": {path: list(getattr(value, "shape", ())) for path, value in results},
        "gradients": [list(gradient.shape) for gradient in gradients if gradient is not None],
    }


def main() -> None:
    """Read the command line, run each driver."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("drivers", nargs="+", metavar="DRIVER")
    parser.add_argument("--packages", type=Path, default=Path())
    options = parser.parse_args()
    torch.set_default_device("meta")
    refuse_to_compute()
    for name in options.drivers:
        print(json.dumps(sizes_of(name, options.packages)))


if __name__ == "__main__":
    sys.exit(main())
