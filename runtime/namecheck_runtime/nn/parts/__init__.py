"""What modules and layers are made of: hooks, state dicts, texts, declared layers."""
