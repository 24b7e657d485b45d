"""The disk: which files are Python, what they hold, what git ignores, which one an import means."""
