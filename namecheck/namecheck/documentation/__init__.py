"""The published documentation: its addresses, and the page of every code."""
