"""What the code itself shows of dims by how it uses them: patterns, letters, orders, roles."""
