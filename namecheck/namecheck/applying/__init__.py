"""Applying edits to the files of a run, round after round: written, or shown as a diff."""
