"""Source text as lines, comments and chunks: nothing here knows what a program means."""
