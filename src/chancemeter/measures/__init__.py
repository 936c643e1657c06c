"""All measures, one module per family; importing this package declares them."""

from importlib import import_module

FAMILIES = (
    "basic",
    "rates",
    "ratios",
    "overlap",
    "balance",
    "chance_levels",
    "agreement",
    "association",
    "contingency",
    "information",
    "ordinal",
    "latent",
    "similarity",
    "dissimilarity",
    "dependence",
    "standard_errors",
)

for _family in FAMILIES:
    import_module(f"{__name__}.{_family}")
