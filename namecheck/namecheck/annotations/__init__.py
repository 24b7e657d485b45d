"""Annotations: inferred dims, written into the program.

    dims (`Known`) -> `comment_style` or `signatures` -> `annotation_proof` -> `files` -> `delivery`

Dims are written only in words of the program (`words`), and only if the edited text has the same
dims and no new findings. Changes, diffs and writing are those of `fixes` and `applying`.
"""
