"""The hooks of hatchling: a long description with absolute links, and compiled modules.

The description is README.md.  Its links lead to files beside it, which a package index does not
have.

mypyc compiles the modules where the time is spent, if `HATCH_BUILD_HOOKS_ENABLE=1` is set.
pyproject.toml lists these modules and the hook's dependencies.  The wheel then holds, beside each
of them, a library that Python prefers to the source, and `namecheck__mypyc` with the code of all.
`MYPYC_OPT_LEVEL=0` builds faster but slower code, for tests.
"""

from __future__ import annotations

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pathspec
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

GROUP = "namecheck"
"""The name of the library with the code, before mypyc's suffix: `namecheck__mypyc`."""

SETTINGS = """\
[mypy]
strict = true
warn_unused_ignores = false
mypy_path = {path}
explicit_package_bases = true
follow_imports = silent
cache_dir = {cache}

[mypy-numpy.*,libcst.*]
follow_imports = skip
ignore_missing_imports = true
"""
"""The settings in pyproject.toml name the plugin, which is not there before it is built.  Calls
into the skipped libraries compile to the same code whether their types are known or not.
"""


class DescriptionHook(MetadataHookInterface):
    """Makes README.md the long description."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = with_absolute_links(text, **metadata["urls"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def with_absolute_links(text: str, *, Documentation: str, Source: str, **_: str) -> str:
    """A Markdown page of the root folder with links that work elsewhere: to the pages of the site,
    and to other files as GitHub shows them.
    """

    def absolute(match: re.Match[str]) -> str:
        page = re.fullmatch(r"docs/([\w/]+)\.md(#.*)?", match[1])
        if page is not None:
            return f"]({Documentation}{page[1]}/{page[2] or ''})"
        return f"]({Source}/blob/HEAD/{match[1]})"

    return re.sub(r"\]\((?!https?:|mailto:|#)([^()\s]+)\)", absolute, text)


class MypycHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts libraries beside the sources of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # Python has to read the edited sources
            return
        self.folder = TemporaryDirectory()
        built = Path(self.folder.name, "built")
        self.compile(self.modules(), built)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        roots = {Path(path).name: Path(path).parent for path in self.build_config.packages}
        for library in filter(Path.is_file, built.rglob("*")):
            place = library.relative_to(built)
            # From the project's folder, because hatchling removes the root again.
            place = roots.get(place.parts[0], Path()) / place
            build_data["force_include"][str(library)] = place.as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self.folder.cleanup()

    def modules(self) -> list[str]:
        """The sources that the patterns of pyproject.toml mean, from the project's folder."""
        wanted = pathspec.GitIgnoreSpec.from_lines(self.config["modules"])
        files = (file.relative_path for file in self.build_config.builder.recurse_included_files())
        return sorted(path for path in files if path.endswith(".py") and wanted.match_file(path))

    def compile(self, modules: list[str], place: Path) -> None:
        """Write the libraries of modules into a folder, laid out as in `site-packages`."""
        from setuptools import Distribution  # before mypyc, which uses it if it is imported
        from setuptools.command.build_ext import build_ext

        from mypyc.build import mypycify  # isort: skip

        class Build(build_ext):
            """Compiles files in parallel within a library, too: most belong to one."""

            def build_extensions(self) -> None:
                compiler: Any = self.compiler
                # Else each thread would initialise MSVC.
                if not getattr(compiler, "initialized", True):
                    compiler.initialize(self.plat_name)
                one_by_one = compiler.compile

                def compile(sources: list[str], *args: Any, **options: Any) -> list[str]:
                    with ThreadPoolExecutor(self.parallel) as pool:
                        made = pool.map(
                            lambda source: one_by_one([source], *args, **options), sources
                        )
                        return list(chain.from_iterable(made))

                compiler.compile = compile
                super().build_extensions()

        folder = place.parent
        roots = [str(Path(self.root, package).parent) for package in self.build_config.packages]
        settings = folder / "mypy.ini"
        settings.write_text(SETTINGS.format(path=os.pathsep.join(roots), cache=folder / "cache"))
        sys.setrecursionlimit(20_000)  # mypy recurses this deeply
        os.chdir(self.root)
        extensions = mypycify(
            ["--config-file", str(settings), *modules],
            opt_level=os.environ.get("MYPYC_OPT_LEVEL", "3"),
            debug_level="0",
            multi_file=True,
            target_dir=str(folder / "c"),
            group_name=GROUP,
        )
        if os.name == "posix":
            for extension in extensions:
                # No other library calls its functions, so that gcc may inline them.
                extension.extra_compile_args.append("-fvisibility=hidden")
        command = Build(Distribution({"name": GROUP, "ext_modules": extensions}))
        command.build_lib, command.build_temp = str(place), str(folder / "objects")
        command.parallel = os.cpu_count() or 1
        command.ensure_finalized()
        command.run()
