"""Findings and shapes as text: one module per format.

Every format is a pure function from findings to text.  What is printed where, and in which colours,
is decided by the command line and `colour`.
"""
