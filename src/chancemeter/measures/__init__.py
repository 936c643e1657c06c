"""All measures, one module per family; importing this package declares them."""

from importlib import import_module

FAMILIES = (
    "agreement",
)

for _family in FAMILIES:
    import_module(f"{__name__}.{_family}")
