"""The language server: `check`, `show`, `explain` and fixes for editors.

    client -> `server` -> `session` (texts, timers, answers) -> `pool` -> `worker` -> `desk`

From `worker` on it is another process: `questions` go there, and `answers` come back.

Only this package uses the protocol's types. Which findings are reported is decided by the steps
that `check` takes (`checking`). Needs the extra `lsp` (pygls).
"""
