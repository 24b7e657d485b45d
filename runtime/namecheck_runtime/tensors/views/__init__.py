"""Tensors that show the memory of others."""
