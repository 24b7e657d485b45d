"""Which lines of a run's files have changed since a commit of git: `check --diff-base REF`.

Git says which files differ and what their content was; the lines are compared here, so that the
lines of a notebook are those of its cells. Nothing that a repository configures is run: no hooks,
filters, diff drivers or file system monitors.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from namecheck.exit_codes import Trouble
from namecheck.files.documents import Document, read_document
from namecheck.printing.screen import split_lines
from namecheck_runtime.light.records import NamedTuple

if TYPE_CHECKING:
    from namecheck.findings import Finding, Span

__all__ = ["DiffBase"]

Place = tuple["int | None", int]
"""A notebook's cell and a line in it; in other files None and the line."""

SAFELY: Final = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
ENVIRONMENT: Final = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class DiffBase:
    """The commit that the work tree is compared with: where its branch left the given one."""

    def __init__(self, reference: str, folder: str) -> None:
        """`folder` is in the repository. Raises `Trouble` if git does not know the reference."""
        self._git = _Git(folder)
        top = self._git.run("rev-parse", "--show-toplevel")
        self._top = os.path.realpath(os.fsdecode(top.rstrip(b"\n")))
        commit = self._git.try_run("rev-parse", "--verify", "--quiet", f"{reference}^{{commit}}")
        if commit is None or reference.startswith("-"):
            raise Trouble(f"--diff-base: git does not know the commit {reference!r} in {self._top}")
        fork = self._git.try_run("merge-base", commit.decode().strip(), "HEAD")
        # A commit without a common ancestor (in a shallow clone) is compared with itself.
        self._commit = (fork or commit).split()[0].decode()
        self._olds = dict(self._differing())
        tracked = self._git.run("ls-files", "-z", "--full-name", "--", ":/")
        self._tracked = frozenset(tracked.split(b"\0"))
        self._changed: dict[tuple[str, bytes], frozenset[Place] | None] = {}

    def concerns(self, finding: Finding, document: Callable[[str], Document]) -> bool:
        """Whether a finding, or a line that led to it, is on a changed line.

        `document` gives the files as they are now.
        """
        return any(
            self._is_changed(document(path), cell, span) for path, cell, span in _places(finding)
        )

    def _is_changed(self, document: Document, cell: int | None, span: Span) -> bool:
        key = document.path, document.source
        if key not in self._changed:
            self._changed[key] = self._changed_in(document)
        changed = self._changed[key]
        if changed is None:
            return True
        return any((cell, line) in changed for line in range(span.line, span.end_line + 1))

    def _changed_in(self, document: Document) -> frozenset[Place] | None:
        """The changed lines of a file; None if all of it is new."""
        inside = os.path.relpath(os.path.realpath(document.path), self._top)
        name = os.fsencode(inside.replace(os.sep, "/"))
        blob: str | None = f"{self._commit}:{os.fsdecode(name)}"
        if name in self._olds:
            blob = self._olds[name]
        elif name not in self._tracked:
            # Of a submodule git tracks only the folder; its changes are its own.
            above = name.split(b"/")
            outer = (b"/".join(above[:number]) for number in range(1, len(above)))
            return frozenset() if any(folder in self._tracked for folder in outer) else None
        elif document.source == read_document(document.path).source:
            return frozenset()  # the bytes on the disk, not standard input or a fix
        if blob is None:
            return None
        source = self._git.try_run("cat-file", "blob", blob)
        if source is None:
            raise Trouble(f"--diff-base: git does not have the old {inside}: `git fetch` it")
        old = read_document(document.path, source)
        if old.trouble is not None:
            return None
        return frozenset(_changed_lines(list(_lines(old.parts)), list(_lines(document.parts))))

    def _differing(self) -> Iterator[tuple[bytes, str | None]]:
        """The files that have changed, each with the digest of its old content; None: it is new."""
        output = self._git.run(
            "diff-index", "--raw", "-z", "-M", "--abbrev=64", "--no-ext-diff", "--no-textconv",
            "--ignore-submodules=all", self._commit, "--",
        )  # fmt: skip
        parts = iter(output.split(b"\0"))
        for part in parts:
            if not part:
                break
            _, _, digest, _, status = part.decode().lstrip(":").split(" ")
            name = next(parts)
            if status[0] in "RC":
                name = next(parts)
            yield name, digest if digest.strip("0") else None


class _Git:
    """Git in a folder, running nothing that the repository configures."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._environment = {**os.environ, **ENVIRONMENT}
        empty = self.try_run("hash-object", "-t", "tree", "--stdin")
        if empty is not None:  # attributes from an empty tree: no file has a filter
            self._environment["GIT_ATTR_SOURCE"] = empty.decode().strip()

    def try_run(self, *arguments: str) -> bytes | None:
        """The output of git; None if it fails. Raises `Trouble` if there is no git."""
        import subprocess

        try:
            ended = subprocess.run(
                ["git", *SAFELY, *arguments],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
        except OSError as refusal:
            raise Trouble(f"--diff-base needs git: {refusal.strerror}") from None
        self._complaint = ended.stderr.decode("utf-8", "backslashreplace").strip()
        return ended.stdout if ended.returncode == 0 else None

    def run(self, *arguments: str) -> bytes:
        """The output of git. Raises `Trouble` with git's message if it fails."""
        output = self.try_run(*arguments)
        if output is None:
            reason = self._complaint.removeprefix("fatal: ").splitlines()
            raise Trouble(f"--diff-base: git says: {reason[0] if reason else 'nothing'}")
        return output


def _places(finding: Finding) -> Iterator[tuple[str, int | None, Span]]:
    """The place of a finding, and the places that led to it."""
    yield finding.path, finding.cell, finding.span
    for label in finding.labels:
        yield finding.path, finding.cell, label.span
    for note in finding.notes:
        if note.span is not None:
            yield note.path or finding.path, note.cell, note.span


class _Line(NamedTuple):
    """A line of a file, without the blanks at its end."""

    place: Place
    text: str


def _lines(parts: Mapping[int | None, str]) -> Iterator[_Line]:
    for cell, text in parts.items():
        for number, line in enumerate(split_lines(text), 1):
            yield _Line((cell, number), line.rstrip())


def _changed_lines(old: list[_Line], new: list[_Line]) -> Iterator[Place]:
    """The places of new and changed lines, and of the lines before which some were deleted."""
    before, after = ([line.text for line in lines] for lines in (old, new))
    for kind, _, _, start, end in SequenceMatcher(None, before, after).get_opcodes():
        if kind == "delete":
            end = start + 1
        if kind != "equal":
            for line in new[start:end]:
                yield line.place
