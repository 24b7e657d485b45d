from __future__ import annotations

from data import batches, first
from model import Model
from shapes import weight

model = Model()
for batch in batches(2):
    batch + weight
    loss = model(batch.size("N"))
reveal_type(first @ weight)
reveal_type(model.layer.weight)
reveal_type(first.mean("N") + first)
