"""A stand-in for the Python extension of VS Code, which no registry has: the part of its interface
that namecheck's extension asks. The selected interpreter is what a file says.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

__all__ = ["write_python_extension"]

PACKAGE = {
    "name": "python",
    "publisher": "ms-python",
    "version": "2026.1.0",
    "engines": {"vscode": "^1.91.0"},
    "main": "./main.js",
}

MAIN = """\
const { EventEmitter, Uri } = require("vscode");
const { existsSync, readFileSync } = require("fs");
const selected = () => existsSync(PLACE) ? readFileSync(PLACE, "utf8").trim() : "";
exports.activate = () => ({
  ready: Promise.resolve(),
  environments: {
    onDidChangeActiveEnvironmentPath: new EventEmitter().event,
    getActiveEnvironmentPath: () => ({ id: selected(), path: selected() }),
    resolveEnvironment: async ({ path }) => path && { executable: { uri: Uri.file(path) } },
  },
});
"""


def write_python_extension(vsix: Path, selected: Path) -> None:
    """Write the extension, which reads the path of the selected interpreter from a file."""
    with zipfile.ZipFile(vsix, "w") as archive:
        archive.writestr("extension/package.json", json.dumps(PACKAGE))
        archive.writestr("extension/main.js", MAIN.replace("PLACE", json.dumps(str(selected))))
