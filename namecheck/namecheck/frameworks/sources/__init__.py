"""Python sources of what parts of libraries do with dims, which the analyzer evaluates."""
