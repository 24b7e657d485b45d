"""mypy's types as dims and back; of a call the op, the arguments, and the type of the result."""
