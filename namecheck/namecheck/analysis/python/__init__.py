"""What Python does: expressions, statements, calls, classes, imports; the interpreter on top."""
