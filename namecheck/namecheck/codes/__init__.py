"""The codes of findings: which are selected and at which level, and the tool's own."""
