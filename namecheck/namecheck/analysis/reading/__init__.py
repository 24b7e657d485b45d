"""From text to records, the analyzer's own form of Python, and their places in the text."""
