"""What readers of programs (the linter, the mypy plugin) need to know beside the rules."""
