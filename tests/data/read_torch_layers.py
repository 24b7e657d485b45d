"""Writes `layers_torch.jsonl`: what PyTorch's layers compute, for the calls of `layer_calls.py`.

`PYTHONPATH=tests python tests/data/read_torch_layers.py`, with PyTorch installed.  One line for
each call: the text of the layer, the keys of its state dict, its results and gradients, and its
state after two steps of training.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import torch

from layer_calls import calls, observed

OUT = Path(__file__).parent / "layers_torch.jsonl"


def rounded(value: Any) -> Any:
    """Numbers with the digits that are compared."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return float(f"{value:.10g}") if isinstance(value, float) else value


def main() -> None:
    """Run all calls and write what they show."""
    lines = [json.dumps({"torch": torch.__version__})]
    for call in calls():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                facts = observed(call, torch)
            except Exception as error:
                raise RuntimeError(f"{call}: {error}") from error
        lines.append(json.dumps({"call": str(call), **rounded(facts)}, separators=(",", ":")))
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
