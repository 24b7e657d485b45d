"""The settings: their keys, where they are written, and which ones a file has."""
