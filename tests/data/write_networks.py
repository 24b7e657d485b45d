"""Measures networks with torch: what `namecheck summary` has to say of them.

    python tests/data/write_networks.py          # needs torch, and the packages that are named

`networks.jsonl` has a network per line: `target` and `inputs` as the command takes them, and the
package it comes from (`pip install --no-deps`), None for the programs in `networks/`. This fills in
what torch says: elements and bytes of parameters and buffers, the multiply-adds (half of what
`torch.utils.flop_counter` counts, without oneDNN and fused attention, whose ops it does not count),
and the dims of what each module gives in each of its calls, by the module's name. `aliases` are
further names of modules.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
import sys
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

DATA = Path(__file__).with_name("networks.jsonl")
UNNEEDED = (
    *("torchvision", "torchvision.models", "torchvision.datasets", "torchvision.transforms"),
    *("matplotlib", "matplotlib.pyplot", "seaborn"),
)
"""Imports of packages that the networks do not use."""


def tensors_in(value: Any) -> list[torch.Tensor]:
    """The tensors in a value."""
    if isinstance(value, torch.Tensor):
        return [value]
    inside: Any = ()
    if isinstance(value, (list, tuple)):
        inside = value
    elif isinstance(value, dict):
        inside = value.values()
    elif hasattr(value, "__dict__") and not isinstance(value, torch.nn.Module):
        inside = vars(value).values()
    return [tensor for one in inside for tensor in tensors_in(one)]


def argument(text: str) -> tuple[str, Any]:
    """The name of an argument of a call, "" by position, and the argument."""
    name, equals, rest = text.partition("=")
    if not equals:
        name, rest = "", text
    tensor = re.fullmatch(r"(\w*)(\[.*\])", rest)
    if tensor is None:
        return name, ast.literal_eval(rest)
    dtype = getattr(torch, tensor[1] or "float32")
    make = torch.randn if dtype.is_floating_point else torch.zeros
    return name, make(json.loads(tensor[2]), dtype=dtype)


def measured(target: str, inputs: list[str]) -> dict[str, Any]:
    """What torch says of a network."""
    place, _, expression = target.partition(":")
    if place.endswith(".py"):
        sys.path.insert(0, str(DATA.with_suffix("")))
        sys.modules.pop(Path(place).stem, None)
        module = importlib.import_module(Path(place).stem)
        del sys.path[0]
    else:
        module = importlib.import_module(place)
    torch.manual_seed(0)
    network = eval(expression, {"torch": torch, **vars(module)}).eval()
    names: dict[int, list[str]] = {}
    for name, part in network.named_modules(remove_duplicate=False):
        names.setdefault(id(part), []).append(name)
    outputs: dict[str, list[Any]] = {}

    def note(part: Any, _: Any, result: Any) -> None:
        dims = [list(tensor.shape) for tensor in tensors_in(result)]
        outputs.setdefault(names[id(part)][0], []).append(dims)

    for part in network.modules():
        part.register_forward_hook(note)
    given = list(map(argument, inputs))
    counter = FlopCounterMode(display=False)
    with torch.backends.mkldnn.flags(enabled=False), sdpa_kernel(SDPBackend.MATH), counter:
        network(*[one for name, one in given if not name], **{n: one for n, one in given if n})
    parameters, buffers = list(network.parameters()), list(network.buffers())
    return {
        "parameters": sum(one.numel() for one in parameters),
        "parameter_bytes": sum(one.numel() * one.element_size() for one in parameters),
        "trainable": sum(one.numel() for one in parameters if one.requires_grad),
        "buffers": sum(one.numel() for one in buffers),
        "buffer_bytes": sum(one.numel() * one.element_size() for one in buffers),
        "multiply_adds": counter.get_total_flops() // 2,
        "aliases": {alias: first for first, *rest in names.values() for alias in rest},
        "outputs": outputs,
    }


def main() -> None:
    for name in UNNEEDED:
        sys.modules.setdefault(name, MagicMock())
    lines = []
    for text in DATA.read_text().splitlines():
        line = json.loads(text)
        kept = {key: line[key] for key in ("target", "inputs", "package")}
        lines.append(json.dumps({**kept, **measured(line["target"], line["inputs"])}))
        print(line["target"], lines[-1][:200])
    DATA.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
