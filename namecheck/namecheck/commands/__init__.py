"""The subcommands, one module each, imported when their name is typed (`main.COMMANDS`).

A command reads its options, asks the modules that know, and prints; what it needs for that is
imported inside its function, so that `--help` and a warm run stay light.
"""
