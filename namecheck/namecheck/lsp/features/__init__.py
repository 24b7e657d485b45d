"""What the server shows, in the protocol's types: one module per feature of the language.

Each answers from a desk, in a worker process.
"""
