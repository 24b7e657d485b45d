"""Tensors from other objects: Python's values, NumPy's arrays, other libraries' named arrays."""
