"""argparse: its parsers, and what they make of the options of a program."""

from __future__ import annotations

from typing import Final

PARSER: Final = "argparse.ArgumentParser"
PARSERS: Final = frozenset({PARSER})
"""Classes whose objects read the command line."""

ADDS: Final = "add_argument"
GROUPS: Final = frozenset({"add_argument_group", "add_mutually_exclusive_group"})
"""Methods that give an object whose options are those of the parser."""

COMMANDS: Final = "add_subparsers"
COMMAND: Final = "add_parser"
"""The method of what `add_subparsers` gives that makes the parser of a command."""

OTHER_NAMES: Final = "aliases"
DESTINATION: Final = "dest"
PARENTS: Final = "parents"
"""Keywords of parsers, commands and options."""

SETS: Final = "set_defaults"
PARSES: Final = frozenset({"parse_args", "parse_intermixed_args"})
PARSES_SOME: Final = frozenset({"parse_known_args", "parse_known_intermixed_args"})
"""Methods that also give the words that they do not know."""

METHODS: Final = GROUPS | PARSES | PARSES_SOME | {ADDS, COMMAND, COMMANDS, SETS}
"""The methods of parsers, and of groups of options."""

NAMESPACE: Final = "argparse.Namespace"
LEFT_OUT: Final = "argparse.SUPPRESS"
"""The default of an option that is an attribute only if it is given."""

WITHOUT_VALUE: Final = {"store_true": (False, True), "store_false": (True, False)}
"""Actions of options without a value: the default, and what the option gives."""

NO_ATTRIBUTES: Final = frozenset({"help", "version"})
"""Actions of options that end the program."""

REPEATED: Final = "*"
OPTIONAL: Final = "?"
"""How many words an argument takes, if it need not be there."""
