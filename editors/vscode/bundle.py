"""Puts the copy of namecheck that comes with the extension into `bundled/libs`.

The copy runs on any CPython that SUPPORTED names, with nothing else installed: our wheel, and the
packages of `bundled.txt` from the registry, at the versions and hashes that stand there. They are
plain Python, except msgspec: its compiled parts for several versions of Python lie side by side,
and each Python takes its own. They differ from platform to platform, and so do the .vsix files
that `vsce package --target` makes.

`python bundle.py TARGET` needs pip and the registry. `--lock` writes `bundled.txt` anew, with the
newest versions.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBS = HERE / "bundled" / "libs"
LOCK = HERE / "bundled.txt"

SUPPORTED = ("3.11", "3.12", "3.13", "3.14")

PLATFORMS: dict[str, tuple[str, ...]] = {
    "linux-x64": ("manylinux2014_x86_64", "manylinux_2_28_x86_64"),
    "linux-arm64": ("manylinux2014_aarch64", "manylinux_2_28_aarch64"),
    "alpine-x64": ("musllinux_1_1_x86_64", "musllinux_1_2_x86_64"),
    "alpine-arm64": ("musllinux_1_1_aarch64", "musllinux_1_2_aarch64"),
    "darwin-x64": ("macosx_11_0_x86_64",),
    "darwin-arm64": ("macosx_11_0_arm64",),
    "win32-x64": ("win_amd64",),
    "win32-arm64": ("win_arm64",),
}
"""The targets of `vsce`, each with the tags of the wheels that run there."""

COMPILED = "msgspec"

WITHOUT_COMPILED = "pyyaml"
"""It runs without its compiled part, which is left out: the same files serve every platform."""

PLAIN = (
    "attrs",
    "cattrs",
    "click",
    "lsprotocol",
    "markdown-it-py",
    "mdurl",
    "packaging",
    "pathspec",
    "pygls",
    "pygments",
    "rich",
    "typing_extensions",
)
"""What the server imports, directly or through others. libcst and NumPy are not among it."""


def main() -> None:
    """Fill `bundled/libs` for a target, or write `bundled.txt`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", nargs="?", choices=sorted(PLATFORMS))
    parser.add_argument("--lock", action="store_true", help="write bundled.txt anew")
    parser.add_argument("--wheel", type=Path, help="our wheel, if there is one already")
    options = parser.parse_args()
    if options.lock:
        lock()
    if options.target:
        bundle(options.target, options.wheel)


def bundle(target: str, ours: Path | None = None) -> None:
    """Fill `bundled/libs` for a target."""
    shutil.rmtree(LIBS, ignore_errors=True)
    LIBS.mkdir(parents=True)
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        unpack([ours or built(folder / "ours")])
        requirements = pinned()
        plain = [line for name, line in requirements.items() if name in PLAIN]
        unpack(downloaded(plain, folder / "plain", "3.11", "any"))
        for python in SUPPORTED:
            unpack([compiled_for(target, python, folder / python)])
        yaml = [requirements[WITHOUT_COMPILED]]
        unpack(downloaded(yaml, folder / "yaml", "3.11", *PLATFORMS["linux-x64"]), plain=True)


def compiled_for(target: str, python: str, folder: Path) -> Path:
    """The wheel with compiled parts for a target and a version of Python, got into a new folder."""
    (wheel,) = downloaded([pinned()[COMPILED]], folder, python, *PLATFORMS[target])
    return wheel


def built(folder: Path) -> Path:
    """Our wheel, plain Python, built from this repository."""
    pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT))
    (wheel,) = folder.glob("namecheck_tensors-*-none-any.whl")
    return wheel


def pinned() -> dict[str, str]:
    """The lines of `bundled.txt`, by package."""
    text = re.sub(r"\\\n\s*", "", LOCK.read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {line.partition("==")[0]: line for line in lines}


def downloaded(
    requirements: Iterable[str], folder: Path, python: str, *platforms: str, locked: bool = True
) -> list[Path]:
    """Wheels of some requirements for a version of Python and some platforms."""
    folder.mkdir()
    listed = folder / "requirements.txt"
    listed.write_text("\n".join(requirements))
    options = [option for platform in platforms for option in ("--platform", platform)]
    pip(
        *("download", "--quiet", "--no-deps", "--only-binary=:all:"),
        *("--implementation", "cp", "--python-version", python, *options),
        *(("--require-hashes",) if locked else ()),
        *("--dest", str(folder), "--requirement", str(listed)),
    )
    return sorted(folder.glob("*.whl"))


def unpack(wheels: Iterable[Path], plain: bool = False) -> None:
    """Unpack wheels into `bundled/libs`; with `plain`, without their compiled parts.

    A file that is there already has to be the same: wheels of one package for several versions of
    Python share their sources.
    """
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                place, content = LIBS / name, archive.read(name)
                is_compiled = name.endswith((".so", ".pyd", ".dylib"))
                if name.endswith("/") or (plain and (is_compiled or name.startswith("_yaml/"))):
                    continue
                is_about_the_wheel = ".dist-info/" in name
                if place.exists() and not is_about_the_wheel and place.read_bytes() != content:
                    sys.exit(f"{wheel.name}: {name} differs from that of another wheel")
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)


def lock() -> None:
    """Write `bundled.txt`: the newest versions, with the hashes of the wheels for every target."""
    hashes: dict[str, set[str]] = {}
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        wheels = downloaded(PLAIN, folder / "plain", "3.11", "any", locked=False)
        linux = PLATFORMS["linux-x64"]
        wheels += downloaded([WITHOUT_COMPILED], folder / "yaml", "3.11", *linux, locked=False)
        for target, platforms in PLATFORMS.items():
            for python in SUPPORTED:
                place = folder / f"{target}-{python}"
                wheels += downloaded([COMPILED], place, python, *platforms, locked=False)
        for wheel in wheels:
            name, version = wheel.name.split("-")[:2]
            known = {re.sub(r"[-_.]+", "-", each).lower(): each for each in all_packages()}
            requirement = f"{known[re.sub(r'[-_.]+', '-', name).lower()]}=={version}"
            digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
            hashes.setdefault(requirement, set()).add(digest)
    lines = ["# What the extension's own copy of namecheck runs on. Written by bundle.py --lock."]
    for requirement in sorted(hashes):
        pins = [f"    --hash=sha256:{digest}" for digest in sorted(hashes[requirement])]
        lines.append(" \\\n".join([requirement, *pins]))
    LOCK.write_text("\n".join(lines) + "\n", encoding="utf-8")


def all_packages() -> tuple[str, ...]:
    """The names of all packages of the registry that are bundled."""
    return (*PLAIN, COMPILED, WITHOUT_COMPILED)


def pip(*arguments: str) -> None:
    """Run pip, and end if it fails."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    if subprocess.run(command, check=False).returncode:
        sys.exit(f"failed: pip {' '.join(arguments)}")


if __name__ == "__main__":
    main()
