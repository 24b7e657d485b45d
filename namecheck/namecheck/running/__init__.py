"""A run over files: discovery, processes, cache, suppressions, baselines."""
