"""Light versions of what Python has: named tuples, regular expressions and digests that take little
time to import.
"""
