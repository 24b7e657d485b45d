"""What is known of expressions beyond their types: what they are bound to, and was built of."""
