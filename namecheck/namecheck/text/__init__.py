"""Source text as lines, comments and chunks, without the meaning of a program."""
