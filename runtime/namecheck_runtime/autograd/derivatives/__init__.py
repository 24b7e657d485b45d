"""The derivative of each op, in terms of ops: one module per subject, see `table`."""
