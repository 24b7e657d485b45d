"""From source text to findings: the linter's abstract interpreter.

Import the modules themselves; this one stays empty so that a part (the records, the splitting of a
file into chunks) can be had without LibCST.
"""
