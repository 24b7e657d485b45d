"""Fixes: what edits would remove a finding, whether they do, and writing them.

    findings -> `candidates`, a module per rule -> `proof` -> `rounds` of applying -> `writing`

A fix is only ever proposed for a text that has a finding, and only when analysing the edited text
shows that the finding is gone and nothing else has come. Nothing here is imported by a run that
finds nothing.
"""
