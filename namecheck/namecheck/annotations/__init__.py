"""Annotations: what is known of dims, written into the program that it is known of.

    what is known (`Known`) -> `comments` or `signatures` -> `proof` -> `files` -> fixes.delivery

Dims are written only in words that the program has itself (`words`), and only where the edited text
still says the same of them, and nothing is found in it that was not found before. Changes, diffs
and the writing of files are those of `fixes`.
"""
