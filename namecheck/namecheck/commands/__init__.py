"""The subcommands, one module each, imported when their name is typed (`main.COMMANDS`).

A command reads its options, calls the modules that do the work, and prints. It imports them inside
its function, so that `--help` and a warm run stay light.
"""
