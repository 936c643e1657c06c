"""Where predictions are, as the options say it."""

from __future__ import annotations

import argparse
from typing import Any

from chancemeter.errors import Fault, InputError, printable


def source_of(args: argparse.Namespace) -> tuple[Any, dict[str, Any]]:
    """The source, and how it is to be read, as `chancemeter.read` takes both."""
    ids = {"id": args.id, "missing_ids": args.missing_ids}
    if args.engine:
        if args.predictions:
            what, fix = "--predictions are files, not tables", "leave out --engine"
            raise InputError(Fault("CM402", what, fix=fix))
        from chancemeter.frames.engines import connect

        return connect(args.engine, args.table), ids
    delimiter = {} if args.delimiter == "," else {"delimiter": args.delimiter}
    options = {"glob": args.glob, "encoding": args.encoding, **delimiter, **ids}
    options["max_rows"] = args.max_rows
    if args.predictions:
        options["predictions"] = _files_of(args.predictions)
    return args.file, options


def _files_of(given: list[str]) -> dict[str, str]:
    """Files by model."""
    found: dict[str, str] = {}
    for text in given:
        name, _, path = text.partition("=")
        fault = ""
        if not name or not path:
            fault = f"--predictions {printable(text)} is not NAME=FILE"
        elif name in found:
            fault = f"two models are called {printable(name)}"
        if fault:
            fix = "such as --predictions forest=forest.csv"
            raise InputError(Fault("CM402", fault, fix=fix))
        found[name] = path
    return found
