"""All modules that declare scalars: importing this one enters them in `curve.SCALARS`."""

from __future__ import annotations

from importlib import import_module

for _module in ("areas", "costs", "probabilities", "retrieval"):
    import_module(f"chancemeter.curves.{_module}")
