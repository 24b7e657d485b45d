"""Gradients: who requires one, what the graph keeps, and what writes and `backward` do to it."""
