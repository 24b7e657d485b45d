"""Printing: widths, escapes, colours, and where the output goes."""
