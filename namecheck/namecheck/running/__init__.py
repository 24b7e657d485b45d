"""A run over files: found, checked in processes, remembered, silenced, known before."""
