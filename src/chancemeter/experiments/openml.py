"""Data sets of OpenML by number: fetched once, kept, and checked against the digest it gives."""

from __future__ import annotations

import hashlib
import json
import os
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chancemeter.errors import Fault, InputError, printable

#: Another address, such as a mirror, can be given in CHANCEMETER_OPENML.
ADDRESS = "https://www.openml.org"
#: Seconds to wait for an answer, and between two tries.
_TIMEOUT = 30.0
_PAUSES = (0.5, 2.0)
_LARGEST = 2**31


@dataclass(frozen=True)
class Fetched:
    """A file on this machine, and what OpenML says of it."""

    path: Path
    target: str | None
    ignored: tuple[str, ...]
    """Identifiers of rows, and what it says is not to be learnt from."""


def default_cache() -> Path:
    """Where fetched files are kept unless the plan names a folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "chancemeter" / "openml"


def fetch(number: int, name: str, cache: Path | None = None) -> Fetched:
    """The data set of that number: from the cache, else from OpenML."""
    folder = (cache or default_cache()) / str(number)
    about = _cached(folder)
    if about is None:
        about = _download(number, name, folder)
    ignored = [about.get("row_id_attribute"), about.get("ignore_attribute")]
    listed = [x for y in ignored if y for x in (y if isinstance(y, list) else [y])]
    target = str(about.get("default_target_attribute") or "").partition(",")[0] or None
    return Fetched(folder / "data.arff", target, tuple(listed))


def _cached(folder: Path) -> dict[str, Any] | None:
    """What was fetched before; None if it is not there in full."""
    try:
        about = json.loads((folder / "about.json").read_text("utf-8"))
        return about if (folder / "data.arff").is_file() else None
    except (OSError, ValueError):
        return None


def _download(number: int, name: str, folder: Path) -> dict[str, Any]:
    base = os.environ.get("CHANCEMETER_OPENML", ADDRESS).rstrip("/")
    if not base.startswith(("https://", "http://")):
        fix = "give an address that begins with https://"
        raise InputError(Fault("CM708", "CHANCEMETER_OPENML is no address", name, base, fix))
    where = f"{name}: {base}, data set {number}"
    raw = _get(f"{base}/api/v1/json/data/{number}", where, folder)
    try:
        about: dict[str, Any] = json.loads(raw)["data_set_description"]
        url, digest = str(about["url"]), str(about.get("md5_checksum") or "")
    except (ValueError, KeyError, TypeError):
        raise _fault("the answer is no description of a data set", where, "", folder) from None
    if not url.startswith(("https://", "http://")):
        raise _fault("the description names no address of a file", where, url, folder)
    data = _get(url, where, folder)
    if digest and hashlib.md5(data, usedforsecurity=False).hexdigest() != digest:
        saw = f"{len(data):,} bytes, whose digest is not the one that OpenML gives"
        raise _fault("the file that was fetched is not whole", where, saw, folder)
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in (("data.arff", data), ("about.json", json.dumps(about).encode())):
        aside = folder / f"{file}.{os.getpid()}.tmp"
        aside.write_bytes(content)
        aside.replace(folder / file)
    return about


def _get(url: str, where: str, folder: Path) -> bytes:
    """The bytes at an address; three tries."""
    for pause in (*_PAUSES, None):
        try:
            with urllib.request.urlopen(url, timeout=_TIMEOUT) as answer:  # noqa: S310  http(s) only
                raw: bytes = answer.read(_LARGEST)
                wanted = answer.headers.get("Content-Length")
            if wanted is None or len(raw) == int(wanted):
                return raw
            saw = f"{len(raw):,} of {int(wanted):,} bytes"
            failed, again = _fault("the answer is not whole", where, saw, folder), True
        except urllib.error.HTTPError as error:
            error.close()
            again = error.code >= 500 or error.code == 429
            what = "OpenML has no such data set" if error.code in {404, 412} else "OpenML refuses"
            failed = _fault(what, where, f"HTTP {error.code}", folder)
        except (OSError, ValueError) as error:  # http.client's errors among them
            failed, again = _fault("OpenML cannot be reached", where, str(error), folder), True
        except Exception as error:  # noqa: BLE001  http.client.IncompleteRead and its kin
            saw = f"{type(error).__name__}: {error}"
            failed, again = _fault("the answer is not whole", where, saw, folder), True
        if pause is None or not again:
            break
        time.sleep(pause)
    raise failed


def _fault(what: str, where: str, saw: str, folder: Path) -> InputError:
    fix = (
        f"offline: put the file in ARFF at {folder / 'data.arff'} and {{}} at "
        f"{folder / 'about.json'}, or save it anywhere and say file = '…' in the plan"
    )
    return InputError(Fault("CM708", what, where, printable(saw, 120), printable(fix, 400)))
