"""What Python has, made light: named tuples, regular expressions and digests that cost a program
little to import."""
