"""The arguments of a call: what rules see of them, their types, and which calls are alike."""
