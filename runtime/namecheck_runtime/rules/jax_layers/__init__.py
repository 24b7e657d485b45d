"""Layers of JAX's libraries, one module per library; imported when a program names one.

`channels_last` has the functions that flax's layers share, and flax's ops; `rules.nn` has those
that they share with torch's layers.
"""
