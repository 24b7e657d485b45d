"""What is printed, and how: widths, escapes, colours, and where the output goes."""
