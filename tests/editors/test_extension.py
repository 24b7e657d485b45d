"""The extension for VS Code as it lies in the repository: its settings, its copy of namecheck."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename
from workplace import EXTENSION, ROOT

from namecheck import __version__
from namecheck.lsp.client.preferences import Preferences
from namecheck.settings.keys import Settings


def script(name: str) -> ModuleType:
    """A script of the extension, as a module."""
    spec = importlib.util.spec_from_file_location(f"vscode_{name}", EXTENSION / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


configuration, bundle = script("configuration"), script("bundle")

PACKAGE = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))


def properties() -> dict[str, Any]:
    """The settings that the extension declares."""
    groups = PACKAGE["contributes"]["configuration"]
    return {key: value for group in groups for key, value in group["properties"].items()}


def test_the_settings_of_the_extension_are_up_to_date() -> None:
    text = (EXTENSION / "package.json").read_text(encoding="utf-8")
    assert text == configuration.written(), "run editors/vscode/configuration.py"


def test_each_key_of_a_settings_file_is_a_setting_or_left_out_for_a_reason() -> None:
    keys = {field.encode_name for field in msgspec.structs.fields(Settings)}
    declared = {value["tomlKey"] for value in properties().values() if "tomlKey" in value}
    assert declared | configuration.LEFT_OUT.keys() == keys
    assert not declared & configuration.LEFT_OUT.keys()


def test_the_preferences_of_the_server_are_settings_with_the_same_defaults() -> None:
    fields = {field.encode_name: field for field in msgspec.structs.fields(Preferences)}
    assert fields.keys() == configuration.PREFERENCES.keys()
    for name in fields.keys() - {"inlayHints"}:
        assert properties()[f"namecheck.{name}"]["default"] == fields[name].default
    assert properties()["namecheck.inlayHints"]["default"] is True


def test_the_extension_has_the_version_of_the_package() -> None:
    assert PACKAGE["version"] == re.match(r"\d+\.\d+\.\d+", __version__)[0]  # type: ignore[index]


def test_every_command_of_the_palette_is_registered() -> None:
    source = (EXTENSION / "src" / "commands.ts").read_text(encoding="utf-8")
    commands = {command["command"] for command in PACKAGE["contributes"]["commands"]}
    assert commands <= set(re.findall(r'register\("([\w.]+)"', source))


def test_the_copy_has_the_dependencies_of_the_server() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["lsp"]]
    names = {canonicalize_name(Requirement(line).name) for line in needed}
    pinned = {canonicalize_name(name) for name in bundle.pinned()}
    assert names - pinned == {"libcst", "numpy"}  # the server does without
    assert {canonicalize_name(name) for name in bundle.all_packages()} == pinned


SUFFIXES = {
    "linux-x64": ".cpython-314-x86_64-linux-gnu.so",
    "linux-arm64": ".cpython-314-aarch64-linux-gnu.so",
    "alpine-x64": ".cpython-314-x86_64-linux-musl.so",
    "alpine-arm64": ".cpython-314-aarch64-linux-musl.so",
    "darwin-x64": ".cpython-314-darwin.so",
    "darwin-arm64": ".cpython-314-darwin.so",
    "win32-x64": ".cp314-win_amd64.pyd",
    "win32-arm64": ".cp314-win_arm64.pyd",
}
"""What CPython 3.14 on each target appends to the names of compiled modules.

The extension starts its copy with an interpreter only if there is a module with its suffix.
"""

MACHINES = {"x64": ("x86_64", "amd64"), "arm64": ("aarch64", "arm64")}
SYSTEMS = {"linux": "manylinux", "alpine": "musllinux", "darwin": "macosx", "win32": "win"}


@pytest.mark.registry
@pytest.mark.parametrize("target", sorted(bundle.PLATFORMS))
def test_the_compiled_part_of_a_target_is_for_it(target: str, tmp_path: Path) -> None:
    wheel = bundle.compiled_for(target, bundle.SUPPORTED[-1], tmp_path / "wheel")
    system, _, machine = target.partition("-")
    for tag in parse_wheel_filename(wheel.name)[3]:
        assert tag.interpreter == "cp314"
        assert tag.platform.startswith(SYSTEMS[system])
        assert tag.platform.endswith(MACHINES[machine])
    with zipfile.ZipFile(wheel) as archive:
        assert f"msgspec/_core{SUFFIXES[target]}" in archive.namelist()
