"""Files that are not open: which get findings, and what they show of open ones."""
