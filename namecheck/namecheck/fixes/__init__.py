"""Fixes: edits that may remove a finding, the proof that they do, and applying them.

    findings -> `candidates`, a module per rule -> `proof` -> `rounds` of applying -> `writing`

A fix is proposed only if the analysis of the edited text shows that the finding is gone and no
other has appeared. A run without findings imports nothing from here.
"""
