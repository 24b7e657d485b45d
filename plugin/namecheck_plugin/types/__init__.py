"""mypy's types as dims and back; the op, the arguments and the result type of a call."""
