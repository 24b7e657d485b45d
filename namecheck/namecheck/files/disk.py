"""The disk as a stranger may have arranged it: only files are read, and no link is written through.

A repository may contain links, an archive pipes as well. So a file is opened without blocking, and
read only if it is a regular one of a size that fits into memory. A file that we write, replace or
remove inside a project is reached from the project's folder name by name, and a name that is a link
is refused. Each folder is held open meanwhile (`Folder`), so that no link can take its place
between the check and the action. Where the system cannot do that (Windows), the folder is checked
again before each action. Outside the project the user's own links are followed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from types import TracebackType
from typing import Final, TypeAlias

from namecheck.files.import_lookups import is_inside
from namecheck_runtime.light.digests import blake2b

__all__ = [
    "LARGEST",
    "Changed",
    "Folder",
    "Stamp",
    "digest_of",
    "enter",
    "is_link",
    "linked",
    "place_of",
    "project_of",
    "put",
    "read_file",
    "stamp_of",
]

Stamp: TypeAlias = tuple[int, int]
"""The time and size of a file, as `stamp_of` returns them."""

LARGEST: Final = 1 << 28
"""Bytes of the largest file that is read: 256 MiB."""

_HELD: Final = (
    hasattr(os, "O_DIRECTORY")
    and hasattr(os, "O_NOFOLLOW")
    and hasattr(os, "link")  # not in a browser
    and {os.link, os.mkdir, os.open, os.rename, os.rmdir, os.stat, os.unlink} <= os.supports_dir_fd
    and os.listdir in os.supports_fd
)
"""Whether the system can hold a folder open, and look names up in it."""

_FLAGS: Final = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # opening a pipe does not wait
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class Changed(OSError):
    """A file does not hold the expected bytes; it was left as it is."""


def read_file(path: str) -> bytes:
    """The bytes of a file. Raises `OSError`, also if it is not a regular file or is too large."""
    return _read(os.open(path, os.O_RDONLY | _FLAGS & ~getattr(os, "O_NOFOLLOW", 0)))


def _read(handle: int, most: int = LARGEST, first: int = -1) -> bytes:
    """The bytes of an open file, which is closed; only the `first` ones, if that is given.

    Raises `OSError`.
    """
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if first < 0 and status.st_size > most:
            raise OSError(errno.EFBIG, f"larger than {most >> 20:,} MiB")
        return file.read(first)


def is_link(status: os.stat_result) -> bool:
    """Whether an `lstat` result is that of a link, or of its counterpart on Windows."""
    # 0xA0000003 is a mount point, made by `mklink /J`, and 0xA000000C a symbolic link.
    reparsed = getattr(status, "st_reparse_tag", 0) in (0xA0000003, 0xA000000C)
    return stat.S_ISLNK(status.st_mode) or reparsed


def _refused() -> OSError:
    return OSError(errno.ELOOP, "it is a link")


class Folder:
    """A folder held open. Names are looked up in this very folder, and links are not followed.

    Every method raises `OSError`.
    """

    def __init__(self, path: str, handle: int | None) -> None:
        """Use `at` and `inner`. `handle` is None where the system cannot hold a folder."""
        self.path = path
        self._handle = handle

    @classmethod
    def at(cls, path: str) -> Folder:
        """The folder at a path; links on the way are followed."""
        if _HELD:
            return cls(path, os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
        if not os.path.isdir(path):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        return cls(path, None)

    def inner(self, name: str, make: bool = False, mode: int = 0o777) -> Folder:
        """A folder in this one, made if there is none; a link is refused."""
        path = os.path.join(self.path, name)
        if make:
            with contextlib.suppress(FileExistsError):
                os.mkdir(self._at(name), mode, dir_fd=self._handle)
        if is_link(self.status(name)):
            raise _refused()
        if self._handle is None:
            return Folder.at(path)
        flags = os.O_RDONLY | os.O_DIRECTORY | _FLAGS
        return Folder(path, os.open(name, flags, dir_fd=self._handle))

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _at(self, name: str) -> str:
        return name if self._handle is not None else os.path.join(self.path, name)

    def own(self) -> os.stat_result:
        """The status of the folder itself."""
        return os.stat(self.path) if self._handle is None else os.fstat(self._handle)

    def names(self) -> list[str]:
        """The names in it."""
        return os.listdir(self.path if self._handle is None else self._handle)

    def status(self, name: str) -> os.stat_result:
        """The status of an entry; of a link, that of the link itself."""
        return os.stat(self._at(name), dir_fd=self._handle, follow_symlinks=False)

    def open(self, name: str, flags: int, mode: int = 0o666) -> int:
        """Open a file as `os.open` does; a link is refused."""
        if self._handle is None and not flags & os.O_EXCL and is_link(self.status(name)):
            raise _refused()
        try:
            return os.open(self._at(name), flags | _FLAGS, mode, dir_fd=self._handle)
        except OSError as refusal:
            if refusal.errno in (errno.ELOOP, errno.EMLINK):  # the latter on FreeBSD
                raise _refused() from None
            raise

    def read(self, name: str, most: int = LARGEST) -> bytes:
        """The bytes of a regular file."""
        return _read(self.open(name, os.O_RDONLY), most)

    def head(self, name: str, size: int) -> bytes:
        """The first `size` bytes of a regular file, however large it is."""
        return _read(self.open(name, os.O_RDONLY), first=size)

    def create(self, name: str, content: bytes, mode: int = 0o666, lasting: bool = True) -> None:
        """Make a new file, whole or not at all. With `lasting` it is on the disk on return."""
        handle = self.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with open(handle, "wb") as file:
                file.write(content)
                if lasting:
                    file.flush()
                    os.fsync(handle)
        except BaseException:
            with contextlib.suppress(OSError):
                self.remove(name)
            raise

    def rename(self, old: str, new: str) -> None:
        """Give a file another name, replacing a file that has it."""
        os.replace(self._at(old), self._at(new), src_dir_fd=self._handle, dst_dir_fd=self._handle)

    def link(self, old: str, new: str) -> None:
        """Give a file a second name, which must be new."""
        os.link(self._at(old), self._at(new), src_dir_fd=self._handle, dst_dir_fd=self._handle)

    def remove(self, name: str) -> None:
        """Remove a file, or a link."""
        os.unlink(self._at(name), dir_fd=self._handle)

    def remove_folder(self, name: str) -> None:
        """Remove an empty folder."""
        os.rmdir(self._at(name), dir_fd=self._handle)


def digest_of(source: bytes) -> bytes:
    """A digest of the bytes of a file, 16 bytes long."""
    return blake2b(source, digest_size=16).digest()


def stamp_of(path: str) -> Stamp | None:
    """The time of a file in nanoseconds and its size in bytes, which change when it is written;
    None if it has no status.
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def project_of(folder: str, home: str | None = None) -> str:
    """The folder at which a folder's project begins: a stranger may have written what is in it.

    It is the top of the repository, or `home` (where the settings are) if that is further up.
    """
    inner = top = folder
    while True:
        if os.path.lexists(os.path.join(inner, ".git")):
            top = inner
            break
        outer = os.path.dirname(inner)
        if outer == inner:
            break
        inner = outer
    return home if home is not None and is_inside(top, home) else top


def enter(path: str, project: str, make: bool = False) -> Folder:
    """The folder at an absolute path; inside the project a link on the way is refused.

    With `make`, missing folders on the way are made. Raises `OSError`.
    """
    if not is_inside(path, project):
        if make:
            os.makedirs(path, exist_ok=True)
        return Folder.at(path)
    folder = Folder.at(project)
    for name in filter(None, os.path.relpath(path, project).split(os.sep)):
        if name != os.curdir:
            with folder:
                inner = folder.inner(name, make)
            folder = inner
    return folder


def linked(path: str, project: str) -> str | None:
    """The first link inside a project on the way to an absolute path; None if there is none."""
    if not is_inside(path, project):
        return None
    way = project
    for name in os.path.relpath(path, project).split(os.sep):
        way = os.path.join(way, name)
        try:
            if is_link(os.lstat(way)):
                return way
        except OSError:
            return None
    return None


def place_of(path: str, project: str) -> tuple[Folder, str]:
    """The folder of a file, and its name there; outside the project links are followed.

    Raises `OSError`.
    """
    if not is_inside(path, project):
        path = os.path.realpath(path)
    return enter(os.path.dirname(path), project), os.path.basename(path)


def put(folder: Folder, name: str, content: bytes, old: bytes | None = None) -> None:
    """Replace the content of a file, or make the file: whole, or not at all.

    The new bytes go to a file beside it, which takes its place with its mode, owner and attributes.
    A file with several hard links, or an owner that we cannot set, is overwritten instead: a new
    file would break the links, or have another owner. Meanwhile its old bytes are in a file beside
    it.

    With `old`, the file must hold these bytes, or `Changed` is raised. Raises `OSError`, and then
    the file is unchanged.
    """
    try:
        handle = folder.open(name, os.O_RDWR)  # a file that we may not write, we may not replace
    except FileNotFoundError:
        if old is not None:
            raise
        beside = _beside()
        folder.create(beside, content)
        with _removed_if_failing(folder, beside):
            folder.rename(beside, name)
        return
    with open(handle, "r+b", buffering=0) as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        before = b"".join(iter(lambda: file.read(1 << 20), b""))
        if old is not None and before != old:
            raise Changed
        beside = _beside()
        if status.st_nlink == 1:
            folder.create(beside, content, 0o600)
            with _removed_if_failing(folder, beside):
                if _pass_on(handle, folder, beside, status):
                    file.close()  # Windows does not replace an open file
                    folder.rename(beside, name)
                    return
                folder.remove(beside)
        folder.create(beside, before, 0o600)
        try:
            _overwrite(handle, content)
        except BaseException:
            _overwrite(handle, before)  # if that fails, too, the bytes are in the file beside it
            folder.remove(beside)
            raise
        with contextlib.suppress(OSError, AttributeError):
            os.fchmod(handle, stat.S_IMODE(status.st_mode))  # writing has cleared its setuid bit
        folder.remove(beside)


@contextlib.contextmanager
def _removed_if_failing(folder: Folder, name: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            folder.remove(name)
        raise


def _beside() -> str:
    return f".namecheck-{os.urandom(6).hex()}"


def _pass_on(handle: int, folder: Folder, name: str, status: os.stat_result) -> bool:
    """Give a new file the owner, attributes and mode of an open one; False if we may not."""
    if not hasattr(os, "fchown"):
        return True  # Windows: the folder decides who may do what
    new = folder.open(name, os.O_RDWR)
    try:
        new_status = os.fstat(new)
        if (new_status.st_uid, new_status.st_gid) != (status.st_uid, status.st_gid):
            try:
                os.fchown(new, status.st_uid, status.st_gid)
            except OSError:
                return False
        if hasattr(os, "listxattr"):
            with contextlib.suppress(OSError):
                for key in os.listxattr(handle):
                    with contextlib.suppress(OSError):
                        os.setxattr(new, key, os.getxattr(handle, key))
        os.fchmod(
            new, stat.S_IMODE(status.st_mode)
        )  # last: a change of the owner clears the setuid bit
    finally:
        os.close(new)
    return True


def _overwrite(handle: int, content: bytes) -> None:
    os.lseek(handle, 0, os.SEEK_SET)
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(handle, rest) :]
    os.ftruncate(handle, len(content))
    os.fsync(handle)
