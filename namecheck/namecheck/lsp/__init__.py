"""The language server: what `check`, `show`, `explain` and fixes know, told to editors.

    client -> `server` -> `session` (texts, timers, answers) -> `pool` -> `worker` -> `desk`

From `worker` on it is another process; `questions` are what goes there, and `answers` what comes
back.

Everything that speaks the protocol's types is here and nowhere else; what is found, selected and
silenced is decided by the steps that `check` takes (`checking`). Needs the extra `lsp` (pygls).
"""
