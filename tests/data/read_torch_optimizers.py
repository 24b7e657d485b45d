"""Writes `optimizers_torch.jsonl`: what PyTorch's optimizers and schedulers compute.

`PYTHONPATH=tests python tests/data/read_torch_optimizers.py`, with PyTorch installed.  One line for
each text of `optimizer_calls.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from optimizer_calls import OPTIMIZERS, REFUSED, SCHEDULERS, refusal, scheduled, trained

OUT = Path(__file__).parent / "optimizers_torch.jsonl"


def rounded(value: Any) -> Any:
    """Numbers with the digits that are compared."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return float(f"{value:.10g}") if isinstance(value, float) else value


def main() -> None:
    """Run all texts and write what they show."""
    lines = [json.dumps({"torch": torch.__version__})]
    for text in OPTIMIZERS:
        lines.append(json.dumps({"call": text, **rounded(trained(text, torch))}))
    for text in SCHEDULERS:
        lines.append(json.dumps({"call": text, "rates": rounded(scheduled(text, torch))}))
    for text in REFUSED:
        lines.append(json.dumps({"call": text, "refusal": refusal(text, torch)}))
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
