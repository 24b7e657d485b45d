"""Files of tensors: safetensors of our own and others', pickles, and what PyTorch wrote.

`save_and_load` has the functions of the surface; the readers and writers of each format are below
it.
"""
