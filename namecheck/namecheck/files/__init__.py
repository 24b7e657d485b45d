"""Files on the disk: their text, notebooks, git, path patterns, and the files that imports mean."""
