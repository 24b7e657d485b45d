"""Tensors of several processes: how they are sent, and how processes are started."""
