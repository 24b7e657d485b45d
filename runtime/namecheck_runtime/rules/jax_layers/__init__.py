"""Layers of JAX's libraries, one module per library; read when a program names one.

`channels_last` has what the layers of flax share, and its functions; what a layer of torch computes
as well is computed by one function in `rules.nn`.
"""
