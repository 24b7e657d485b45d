"""Light versions of what Python has, which take little time to import.

They are named tuples, regular expressions and digests.
"""
