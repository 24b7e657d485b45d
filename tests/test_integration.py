"""namecheck in other programs: pre-commit, CI services, and TAB completion in a shell.

The services' own parsers and schemas read the configurations, and the tests run the same lines as
the services would.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import jsonschema
import junitparser
import pytest
import yaml

from namecheck.settings import toml_settings
from namecheck_runtime import __version__
from notebooks import code_cell, notebook
from published import schema
from repositories import git

ROOT = Path(__file__).parent.parent
ACTION_FOLDER = ROOT / "namecheck-action"
ACTION = yaml.safe_load((ACTION_FOLDER / "action.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
DEFAULTS = {name: given["default"] for name, given in ACTION["inputs"].items()}

WRONG = "import torch\n\nx = torch.zeros(3, 4) + torch.zeros(3, 5)\n"
RIGHT = WRONG.replace("5", "4")


CI_PAGE = ROOT / "docs/ci.md"


def configuration(page: Path, title: str) -> str:
    """The block of a page that is titled with the name of its file."""
    text = page.read_text()
    (block,) = re.findall(rf'^```\w+ title="{re.escape(title)}"\n(.*?)^```$', text, re.M | re.S)
    assert isinstance(block, str)
    return block


@pytest.fixture
def command(tmp_path: Path) -> Path:
    """This checkout's `namecheck`, in a folder whose name has a blank."""
    roots = os.pathsep.join(str(ROOT / root) for root in ("runtime", "namecheck", "plugin"))
    script = tmp_path / "bin folder" / "namecheck"
    script.parent.mkdir()
    start = "from namecheck.main import main; main(prog_name='namecheck')"
    script.write_text(
        f'#!/bin/sh\nPYTHONPATH="{roots}" exec "{sys.executable}" -P -c "{start}" "$@"\n'
    )
    script.chmod(0o755)
    return script


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src/wrong.py").write_text(WRONG)
    (folder / "right.py").write_text(RIGHT)
    (folder / "*.py").write_text(WRONG)  # a name with a pattern, in case the script does not quote
    return folder


def environment(**changes: str) -> dict[str, str]:
    ours = ("NAMECHECK_", "GITHUB_", "FORCE_COLOR", "CI_PROJECT")
    return {key: value for key, value in os.environ.items() if not key.startswith(ours)} | changes


def run(*line: str | Path, cwd: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in line],
        cwd=cwd,
        env=environment(**changes),
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


# pre-commit


def test_pre_commit_can_read_the_hook(tmp_path: Path) -> None:
    done = run(
        sys.executable,
        *("-m", "pre_commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["id"] == "namecheck"
    assert hook["entry"] == "namecheck check --force-exclude"
    assert set(hook["types_or"]) == {"python", "pyi", "jupyter"}
    assert hook["require_serial"] is True


def test_the_page_shows_a_configuration_of_pre_commit(tmp_path: Path) -> None:
    file = tmp_path / ".pre-commit-config.yaml"
    file.write_text(configuration(CI_PAGE, file.name))
    done = run(sys.executable, "-m", "pre_commit", "validate-config", file, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    (repository,) = yaml.safe_load(file.read_text())["repos"]
    assert [hook["id"] for hook in repository["hooks"]] == ["namecheck"]


def repository_of(folder: Path) -> Path:
    """A repository with the files of this checkout, committed or not."""
    listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        if name.startswith("tests/") or not (ROOT / name).is_file():
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    git("init", "-q", cwd=folder)
    git("add", "-A", cwd=folder)
    git("commit", "-q", "-m", "as it is", cwd=folder)
    return folder


@pytest.mark.registry
def test_pre_commit_prevents_committing_a_mistake(tmp_path: Path, project: Path) -> None:
    clone = tmp_path / "namecheck"
    clone.mkdir()
    revision = git("rev-parse", "HEAD", cwd=repository_of(clone)).strip()
    git("init", "-q", cwd=project)
    settings = configuration(CI_PAGE, ".pre-commit-config.yaml")
    settings = settings.replace("https://git.example.com/namecheck", str(clone))
    (project / ".pre-commit-config.yaml").write_text(settings.replace("v0.1.0", revision))
    (project / "generated.py").write_text(WRONG)
    (project / "pyproject.toml").write_text("[tool.namecheck]\nextend-exclude = ['generated.py']\n")
    (project / "book.ipynb").write_bytes(notebook(code_cell(WRONG)))
    git("add", "-A", cwd=project)

    home = {"PRE_COMMIT_HOME": str(tmp_path / "home")}
    every = (sys.executable, "-m", "pre_commit", "run", "--all-files")
    done = run(*every, cwd=project, **home)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "src/wrong.py:3:5" in done.stdout
    assert "book.ipynb:cell 1:3:5" in done.stdout
    assert "generated.py" not in done.stdout

    for name in ("src/wrong.py", "*.py"):
        (project / name).write_text(RIGHT)
    (project / "book.ipynb").write_bytes(notebook(code_cell(RIGHT)))
    git("add", "-A", cwd=project)
    done = run(*every, cwd=project, **home)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed" in done.stdout


# The GitHub Action


def test_github_can_read_the_action() -> None:
    jsonschema.validate(ACTION, schema("https://json.schemastore.org/github-action.json"))
    uses = [step["uses"] for step in STEPS.values() if "uses" in step]
    assert [action.partition("@")[0] for action in uses] == [
        "actions/setup-python",
        "actions/cache/restore",
        "github/codeql-action/upload-sarif",
        "actions/cache/save",
    ]


def test_no_input_becomes_part_of_a_script() -> None:
    """The user's text reaches the shell as a variable, never as a part of the script."""
    for step in STEPS.values():
        assert "${{" not in step.get("run", "")


def substituted(text: str, values: Mapping[str, str]) -> str:
    """A text with its expressions replaced: names, and `one || another` if one is empty."""

    def value(match: re.Match[str]) -> str:
        return next(filter(None, (values[name] for name in match[1].split(" || "))), "")

    return re.sub(r"\$\{\{ ([\w.-]+(?: \|\| [\w.-]+)*) \}\}", value, text)


def step(
    name: str,
    project: Path,
    tmp_path: Path,
    steps: Mapping[str, str],
    job: Mapping[str, str] = MappingProxyType({}),
    **inputs: str,
) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """Run a step as GitHub does, in its shell and folder with its variables and those of the `job`.

    Returns the finished process and the outputs of the step.
    """
    values = {f"inputs.{key}": value for key, value in {**DEFAULTS, **inputs}.items()}
    values |= {f"env.{key}": job.get(key, "") for key in ("NAMECHECK_CACHE_KEY",)}
    values |= {"steps.install.outputs.key": "key of the run"}
    values |= {"steps.install.outputs.cache": str(tmp_path / "namecheck-cache")}
    values |= {f"steps.{key}": value for key, value in steps.items()}
    (tmp_path / "script").write_text(STEPS[name]["run"])
    (tmp_path / "output").write_text("")
    variables = {key: substituted(value, values) for key, value in STEPS[name]["env"].items()}
    done = run(
        *("bash", "--noprofile", "--norc", "-eo", "pipefail", tmp_path / "script"),
        cwd=project / substituted(STEPS[name].get("working-directory", "."), values),
        **{**job, **variables},
        GITHUB_WORKSPACE=str(project),
        GITHUB_OUTPUT=str(tmp_path / "output"),
        RUNNER_TEMP=str(tmp_path),
    )
    pairs = (line.partition("=") for line in (tmp_path / "output").read_text().splitlines())
    return done, {key: value for key, _, value in pairs}


def test_the_action_annotates_and_fails(command: Path, project: Path, tmp_path: Path) -> None:
    steps = {"install.outputs.command": str(command)}
    done, _ = step("Check", project, tmp_path, steps)
    assert done.returncode == 1
    assert "::error title=namecheck NC201 size-mismatch,file=src/wrong.py,line=3," in done.stdout
    done, _ = step("Check", project, tmp_path, steps, paths="right.py", args="--select NC2 -q")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done, _ = step("Check", project, tmp_path, steps, format="concise", paths="right.py src")
    assert done.stdout.startswith("src/wrong.py:3:5: NC201")


def test_the_action_in_a_subfolder_annotates_paths_of_the_repository(
    command: Path, project: Path, tmp_path: Path
) -> None:
    steps = {"install.outputs.command": str(command)}
    done, _ = step("Check", project, tmp_path, steps, **{"working-directory": "src"})
    assert "file=src/wrong.py," in done.stdout


@pytest.mark.parametrize("paths", ["*.py", "$(touch broken)", "--exit-zero", "x; touch broken"])
def test_the_shell_takes_paths_as_they_are(
    command: Path, project: Path, tmp_path: Path, paths: str
) -> None:
    done, _ = step(
        "Check", project, tmp_path, {"install.outputs.command": str(command)}, paths=paths
    )
    assert done.returncode == (1 if paths == "*.py" else 2)
    assert not (project / "broken").exists()


def test_the_action_writes_sarif_for_the_upload(
    command: Path, project: Path, tmp_path: Path
) -> None:
    steps = {"install.outputs.command": str(command)}
    done, outputs = step("Write SARIF", project, tmp_path, steps, sarif="true")
    assert done.returncode == 0, done.stderr
    log = json.loads(Path(outputs["file"]).read_text())
    places = [result["locations"][0]["physicalLocation"] for result in log["runs"][0]["results"]]
    assert [place["artifactLocation"]["uri"] for place in places] == ["%2A.py", "src/wrong.py"]
    assert STEPS["Upload SARIF"]["with"]["sarif_file"] == "${{ steps.sarif.outputs.file }}"


def test_sarif_is_uploaded_after_the_annotations_even_if_they_fail() -> None:
    order = list(STEPS)
    assert order.index("Check") < order.index("Write SARIF") < order.index("Upload SARIF")
    assert STEPS["Write SARIF"]["if"].startswith("always() && inputs.sarif == 'true'")
    assert STEPS["Upload SARIF"]["if"] == "always() && steps.sarif.outcome == 'success'"


def test_the_second_format_is_read_from_the_cache(
    command: Path, project: Path, tmp_path: Path
) -> None:
    steps = {"install.outputs.command": str(command)}
    job = {"XDG_CACHE_HOME": str(tmp_path / "home")}
    before = sorted(project.rglob("*"))
    for path in before:  # the cache rereads files that are as recent as its index
        os.utime(path, (10**9, 10**9))
    step("Check", project, tmp_path, steps, job)
    cache = tmp_path / "namecheck-cache"
    (index,) = cache.glob("*.index")
    written = index.stat().st_mtime_ns
    done, _ = step("Write SARIF", project, tmp_path, steps, job, sarif="true")
    assert done.returncode == 0, done.stderr
    assert [*cache.glob("*.index")] == [index], "one key has one index"
    assert index.stat().st_mtime_ns == written, "everything was remembered"
    assert sorted(project.rglob("*")) == before, "nothing is left in the checkout"
    assert not (tmp_path / "home").exists(), "the key belongs to the run"


def test_a_cache_of_another_job_counts_if_both_have_the_secret(
    command: Path, project: Path, tmp_path: Path
) -> None:
    steps = {"install.outputs.command": str(command)}
    secret = {"NAMECHECK_CACHE_KEY": "a secret of the repository, as long as it is"}
    step("Check", project, tmp_path, steps, secret)
    (index,) = (tmp_path / "namecheck-cache").glob("*.index")
    for path in project.rglob("*.py"):  # as after a checkout
        os.utime(path, (1_000_000_000, 1_000_000_000))
    step("Check", project, tmp_path, steps | {"install.outputs.key": "of another run"}, secret)
    assert [*(tmp_path / "namecheck-cache").glob("*.index")] == [index]
    step("Check", project, tmp_path, steps | {"install.outputs.key": "of another run"})
    assert len([*(tmp_path / "namecheck-cache").glob("*.index")]) == 2, "the cache was not trusted"


def test_the_cache_is_restored_and_saved_only_where_there_is_a_secret() -> None:
    restore, save = STEPS["Restore the cache"], STEPS["Save the cache"]
    assert restore["if"] == "env.NAMECHECK_CACHE_KEY != ''"
    assert "env.NAMECHECK_CACHE_KEY != ''" in save["if"]
    assert save["if"].startswith("always()"), "the cache is saved in spite of findings"
    assert restore["with"]["path"] == save["with"]["path"] == "${{ steps.install.outputs.cache }}"
    assert save["with"]["key"] == "${{ steps.restore.outputs.cache-primary-key }}"
    key = restore["with"]["key"]
    for part in ("runner.os", "steps.install.outputs.version", "hashFiles(", "github.sha"):
        assert part in key
    assert all(key.startswith(prefix) for prefix in restore["with"]["restore-keys"].split("\n"))
    for name in toml_settings.NAMES:
        assert f"'{name}'" in key


def test_our_scripts_isolate_python_in_a_checkout() -> None:
    """`python -m` imports from the current folder before any code of ours runs."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert [hook["entry"].split()[0] for hook in hooks] == ["namecheck"]
    for action_step in STEPS.values():
        for line in action_step.get("run", "").splitlines():
            if not line.lstrip().startswith("#"):
                assert "-m " not in line.replace("-I -m ", ""), line
    for page in (*ROOT.glob("docs/*.md"), ROOT / "README.md"):
        if page.name != "decisions.md":
            for line in page.read_text().splitlines():
                # `-m namecheck_runtime.as_torch` runs a program, which may import its neighbours.
                if re.search(r"-m namecheck\b", line):
                    assert "-P -m namecheck" in line or "`python -m namecheck`" in line, page


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel of this checkout, for pip to find."""
    folder = tmp_path_factory.mktemp("wheels")
    build = (sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT)
    done = run(*build, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.registry
@pytest.mark.parametrize("version", [__version__, f"=={__version__}", f">={__version__},<99"])
def test_the_action_installs_a_release(
    wheels: Path, project: Path, tmp_path: Path, version: str
) -> None:
    steps = {"python.outputs.python-path": sys.executable}
    job = {"PIP_FIND_LINKS": str(wheels)}
    done, outputs = step("Install namecheck", project, tmp_path, steps, job, version=version)
    assert done.returncode == 0, done.stderr
    assert f"namecheck, version {__version__} " in done.stdout
    assert outputs["version"] == __version__
    assert outputs["cache"] == str(tmp_path / "namecheck-cache")
    assert len(outputs["key"]) == 64
    assert f"::add-mask::{outputs['key']}\n" in done.stdout
    assert run(outputs["command"], "check", "right.py", cwd=project).returncode == 0


@pytest.mark.parametrize("version", ["1; touch x", "$(touch x)", "1 --index-url x", "@ x"])
def test_the_action_refuses_an_invalid_version(project: Path, tmp_path: Path, version: str) -> None:
    steps = {"python.outputs.python-path": sys.executable}
    job = {"PIP_NO_INDEX": "1", "PIP_NO_INPUT": "1"}
    done, outputs = step("Install namecheck", project, tmp_path, steps, job, version=version)
    assert done.returncode != 0
    assert "The input 'version' is not a release." in done.stdout
    assert not outputs
    assert not [*tmp_path.rglob("x")]


def test_the_programs_of_the_action_have_the_findings_that_its_own_test_states(
    command: Path,
) -> None:
    workflow = yaml.safe_load((ACTION_FOLDER / ".github/workflows/test.yml").read_text())
    uses = [
        step["with"]["paths"]
        for step in workflow["jobs"]["test"]["steps"]
        if "uses" in step and "paths" in step.get("with", {})
    ]
    ended = [
        run(command, "check", "--no-cache", path, cwd=ACTION_FOLDER).returncode for path in uses
    ]
    assert ended == [1, 0]


def table(page: Path) -> dict[str, str]:
    """The inputs that a page lists, with their defaults."""
    return dict(re.findall(r"^\| `([\w-]+)` \|.*\| (.*?) ?\|$", page.read_text(), re.M))


def test_the_workflows_of_the_pages_use_inputs_that_exist() -> None:
    example = (ACTION_FOLDER / "examples/namecheck.yml").read_text()
    title = ".github/workflows/namecheck.yml"
    assert configuration(CI_PAGE, title) == example
    assert configuration(ACTION_FOLDER / "README.md", title) == example
    use = yaml.safe_load(example)["jobs"]["namecheck"]["steps"][-1]
    # GitHub allows no underscore in a user's name, so this address belongs to no user.
    assert re.match(r"your_organisation/namecheck-action@", use["uses"])
    assert set(use["with"]) <= set(ACTION["inputs"])
    inputs = table(ACTION_FOLDER / "README.md")
    assert inputs == table(CI_PAGE)
    assert set(inputs) == set(ACTION["inputs"])
    for name, default in DEFAULTS.items():
        assert inputs[name].strip("`") == (default or {"version": "the newest"}.get(name, ""))


# GitLab CI


def test_the_job_of_gitlab(command: Path, project: Path) -> None:
    jobs = yaml.safe_load(configuration(CI_PAGE, ".gitlab-ci.yml"))
    address = "https://gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json"
    jsonschema.Draft7Validator(schema(address)).validate(jobs)
    install, check = jobs["namecheck"]["script"]
    assert install == "python3 -m pip install namecheck-tensors"
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    done = run("sh", "-c", check, cwd=project, PATH=path, CI_PROJECT_DIR=str(project))
    assert (done.returncode, done.stderr) == (1, "")
    report = project / jobs["namecheck"]["artifacts"]["reports"]["codequality"]
    entries = json.loads(report.read_text())
    assert [entry["location"]["path"] for entry in entries] == ["*.py", "src/wrong.py"]


# Azure Pipelines


def environment_with(command: Path) -> dict[str, str]:
    return {"PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"}


def test_the_pipeline_of_azure(command: Path, project: Path) -> None:
    pipeline = yaml.safe_load(configuration(CI_PAGE, "azure-pipelines.yml"))
    address = "https://raw.githubusercontent.com/microsoft/azure-pipelines-vscode/master/service-schema.json"
    jsonschema.Draft7Validator(schema(address)).validate(pipeline)
    _, install, check, publish = pipeline["steps"]
    assert install["script"] == "python3 -m pip install namecheck-tensors"
    done = run("bash", "-c", check["script"], cwd=project, **environment_with(command))
    assert (done.returncode, done.stderr) == (1, "")
    assert publish["condition"] == "succeededOrFailed()", "the example shows a check that fails"
    report = project / publish["inputs"]["testResultsFiles"]
    suites = junitparser.JUnitXml.fromfile(str(report))
    failed = [case for suite in suites for case in suite if not case.is_passed]
    assert len(failed) == 2


# Jenkins


def test_the_pipeline_of_jenkins(command: Path, project: Path, tmp_path: Path) -> None:
    """Its three shell lines run with a pip that finds our command instead of using the index."""
    text = configuration(CI_PAGE, "Jenkinsfile")
    make, install, check = re.findall(r"^ *sh '(.*)'$", text, re.M)
    where = {"WORKSPACE_TMP": str(tmp_path / "workspace tmp")}
    assert run("sh", "-c", make, cwd=project, **where).returncode == 0
    assert install == '"$WORKSPACE_TMP/namecheck/bin/pip" install namecheck-tensors'
    scripts = tmp_path / "workspace tmp/namecheck/bin"
    assert (scripts / "pip").exists()
    (scripts / "namecheck").symlink_to(command)
    done = run("sh", "-c", check, cwd=project, **where)
    assert (done.returncode, done.stderr) == (0, "")
    (pattern,) = re.findall(r"sarif\(pattern: '(.*?)'", text)
    log = json.loads((project / pattern).read_text())
    assert len(log["runs"][0]["results"]) == 2
    assert all(
        text.count(opening) == text.count(closing) for opening, closing in ("{}", "[]", "()")
    )


# Completion


def completed(command: Path, shell: str, *words: str) -> list[str]:
    """The completions that are offered for the last word."""
    typed = ["namecheck", *words]
    last = {"fish": words[-1]}.get(shell, str(len(typed) - 1))
    done = run(
        command,
        cwd=ROOT,
        _NAMECHECK_COMPLETE=f"{shell}_complete",
        COMP_WORDS=" ".join(typed),
        COMP_CWORD=last,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def values(command: Path, *words: str) -> list[str]:
    offered = completed(command, "bash", *words)
    return [line.partition(",")[2] for line in offered if line]


def test_codes_are_completed(command: Path) -> None:
    offered = values(command, "explain", "NC2")
    assert {"NC201", "NC202"} <= set(offered)
    assert all(value.startswith("NC2") for value in offered)
    assert values(command, "explain", "nc202") == ["NC202"]
    assert values(command, "explain", "misaligned-b") == ["misaligned-broadcast"]
    assert values(command, "explain", "flake") == []


@pytest.mark.parametrize("option", ["--select", "--extend-select", "--ignore"])
def test_lists_of_codes_are_completed(command: Path, option: str) -> None:
    assert values(command, "check", option, "NC201,NC202") == ["NC201,NC202"]
    assert values(command, "check", option, "NC201,layer") == ["NC201,layer-size"]
    assert values(command, "check", option, "AL") == ["ALL"]


def test_options_and_choices_and_paths_are_completed(command: Path) -> None:
    assert values(command, "check", "--output-format", "sa") == ["sarif"]
    assert values(command, "check", "--watc") == ["--watch"]
    assert values(command, "expl") == ["explain"]
    assert completed(command, "bash", "check", "src/") == ["file,src/"]


def test_each_shell_shows_the_name_beside_the_code(command: Path) -> None:
    assert completed(command, "zsh", "explain", "NC202") == [
        "plain",
        "NC202",
        "misaligned-broadcast",
    ]
    assert completed(command, "fish", "explain", "NC202")[-1].endswith("misaligned-broadcast")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell(command: Path, shell: str, tmp_path: Path) -> None:
    done = run(command, cwd=tmp_path, _NAMECHECK_COMPLETE=f"{shell}_source")
    assert done.returncode == 0, done.stderr
    assert "namecheck" in done.stdout
    page = CI_PAGE.read_text()
    assert f"_NAMECHECK_COMPLETE={shell}_source namecheck" in page
    executable = shutil.which(shell)
    if executable is not None:
        (tmp_path / "script").write_text(done.stdout)
        assert run(executable, "-n", tmp_path / "script", cwd=tmp_path).returncode == 0


def test_tab_in_bash(command: Path, tmp_path: Path) -> None:
    """The line of the page makes bash complete the command when TAB is typed."""
    page = CI_PAGE.read_text()
    (line,) = re.findall(r"`(eval .*?bash_source namecheck\)\")`", page)
    script = f"""{line}
COMP_WORDS=(namecheck explain NC20); COMP_CWORD=2
_namecheck_completion namecheck
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    done = run("bash", "-c", script, cwd=tmp_path, PATH=path)
    assert "NC202" in done.stdout.split(), done.stderr
