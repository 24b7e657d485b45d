"""Tensors of what is no tensor: Python's values, NumPy's arrays, other libraries' named arrays."""
