"""What a call is given: its operands as rules see them, the types of its arguments, which calls are
alike."""
