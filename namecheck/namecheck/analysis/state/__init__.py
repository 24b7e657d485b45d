"""The state of one walk over a program: values, paths, what is held and remembered of them."""
