"""What is known about expressions beyond their types: their bindings, and how they were built."""
