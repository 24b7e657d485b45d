"""Shape comments, chains of shapes and messages beside code, held against what stands there."""
