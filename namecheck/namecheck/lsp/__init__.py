"""The language server: `check`, `show`, `explain` and fixes for editors.

    client -> `server` -> `session` (texts, timers, answers) -> `pool` -> `worker` -> `desk`

From `worker` on it is another process: `questions` go there, and `answers` come back. `client` is
what the client can do and wants, `features` what it is shown, `closed_files` what files that are
not open say about open ones.

Only this package uses the protocol's types. Which findings are reported is decided by the steps
that `check` takes (`checking`). Needs the extra `lsp` (pygls).
"""
