"""Asking the rulebook: values become a rule's arguments, its answer becomes values again."""
