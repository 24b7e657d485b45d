"""What is known of expressions beyond their types: their bindings, and how they were built."""
