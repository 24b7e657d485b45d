"""Write `overrides_torch.jsonl`: which `__torch_function__` torch asks, with which function.

`python tests/data/read_torch_overrides.py` in an environment with torch.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from overriding_calls import CALLS, names_for, outcome

names, asked = names_for(
    torch,
    torch.overrides,
    torch._C._disabled_torch_function_impl,
    torch._C.DisableTorchFunctionSubclass,
)
rows = [outcome(text, names, asked) for text in CALLS]
target = Path(__file__).with_name("overrides_torch.jsonl")
target.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
