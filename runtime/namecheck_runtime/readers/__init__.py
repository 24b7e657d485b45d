"""What readers of programs (the linter, the mypy plugin) ask of the rulebook beside the rules."""
