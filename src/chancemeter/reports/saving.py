"""Writing files: whole or not at all, and never over another one unasked."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from chancemeter.errors import Fault, InputError, printable


def check(path: str | Path, *, force: bool = False, read: Iterable[str] = ()) -> Path:
    """Refuse a path that cannot be written, or is `read` from, before any work is done."""
    path = Path(path)
    shown = printable(path, 200)
    try:
        if path.exists() and any(Path(x).exists() and path.samefile(x) for x in read):
            what, fix = "this file is read from", "give another name to what is written"
            raise InputError(Fault("CM009", what, shown, fix=fix))
        if path.is_dir():
            raise InputError(Fault("CM009", "this is a folder", shown, fix="name a file in it"))
        if path.exists() and not force:
            fix = "--force (force=True) writes over it, or give another name"
            raise InputError(Fault("CM009", "the file exists already", shown, fix=fix))
        if not path.parent.is_dir():
            fix = f"make the folder {printable(path.parent, 200)} first"
            raise InputError(Fault("CM009", "there is no such folder", shown, fix=fix))
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise _unwritable(shown, error) from None
    return path


def save(path: str | Path, content: str | bytes, *, force: bool = False) -> Path:
    """Write beside it, then put it in place: what stood there stays whole if anything fails."""
    path = check(path, force=force)
    raw = content.encode("utf-8") if isinstance(content, str) else content
    beside: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=".chancemeter-", dir=path.parent)
        beside = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(_mode(path))
        _put(beside, path, force=force)
    except FileExistsError:
        _remove(beside)
        return check(path, force=force)
    except BaseException as error:
        _remove(beside)
        if isinstance(error, (OSError, ValueError)):
            raise _unwritable(printable(path, 200), error) from None
        raise
    return path


def _put(beside: Path, path: Path, *, force: bool) -> None:
    """In place of what is there, or only where nothing is."""
    if not force:
        try:
            os.link(beside, path)  # fails if somebody has made it meanwhile
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
        else:
            beside.unlink()
            return
    beside.replace(path)


#: What file systems without links say.
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}


def _mode(path: Path) -> int:
    """Of the file that is replaced, or what a new file would have."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _remove(path: Path | None) -> None:
    if path is not None:
        path.unlink(missing_ok=True)


def _unwritable(shown: str, error: Exception) -> InputError:
    what = f"the file cannot be written: {getattr(error, 'strerror', None) or error}"
    fix = "look whether there is room, and whether you may write there"
    return InputError(Fault("CM009", what, shown, fix=fix))
