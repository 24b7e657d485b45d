"""Results in new memory; tensors that are written to, in place, by `out=` or by an assignment."""
