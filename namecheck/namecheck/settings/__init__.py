"""The settings: their keys, the files that they are written in, and which ones apply to a file."""
