"""The client of the Hugging Face hub: a mixin that loads and saves models."""

from __future__ import annotations

from typing import Final

HARMLESS: Final = frozenset(
    f"huggingface_hub.{name}" for name in ("ModelHubMixin", "PyTorchModelHubMixin")
)
"""Base classes without an attribute that tensor code computes with."""
