"""Tensors that show the memory of other ones."""
