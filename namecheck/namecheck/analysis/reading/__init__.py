"""From text to records: the analyzer's own form of Python, and where its parts stand."""
