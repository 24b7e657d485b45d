"""What people already write down about dims, one kind of evidence per module.

Each turns something written (an unpacking, an assert, a comment, an annotation) into facts on the
path or into the shape of a value, and reports a finding if the two contradict each other. `moments`
lists when each is asked.
"""
