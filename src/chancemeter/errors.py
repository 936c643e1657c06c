"""What a person is told when something is wrong: where, what was seen, how to fix it."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any
from unicodedata import combining, east_asian_width

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

#: Every code this library prints, with what it means. The documentation lists this table.
CODES = {
    "CM001": "the file cannot be read",
    "CM002": "the file holds no rows",
    "CM003": "the file is of a kind that is never opened",
    "CM004": "the file is not well-formed text",
    "CM005": "a component is not installed",
    "CM006": "scores are not finite numbers",
    "CM007": "cases do not match by id",
    "CM008": "a reader did not count every row",
    "CM009": "the output cannot be written",
    "CM101": "a column is missing",
    "CM102": "truth and prediction are not equally long",
    "CM103": "labels are missing",
    "CM104": "the labels of truth and prediction do not match",
    "CM105": "there are too many classes",
    "CM106": "weights do not fit the cases",
    "CM107": "a label is not among the declared ones",
    "CM201": "this is not a confusion matrix",
    "CM202": "a count is not a finite number from 0 up",
    "CM203": "the labels do not fit the table",
    "CM204": "no such axis, or no such entry on it",
    "CM205": "the orientation of a matrix was not given",
    "CM301": "no measure has that name",
    "CM302": "a measure was given a parameter it does not take",
    "CM303": "the name of a measure cannot be read",
    "CM304": "the measure is undefined here",
    "CM305": "the measure has no exact rational value",
    "CM306": "a measure was declared twice",
    "CM401": "no such interpretation scale or chance model",
    "CM402": "options do not go together",
    "CM403": "shares do not fit the classes",
    "CM501": "a number of draws is out of range",
    "CM502": "a prior has no pseudo-cases",
    "CM503": "cases cannot be left out or shuffled",
    "CM504": "there are too few groups, folds or models to compare",
    "CM505": "no number of cases is enough",
    "CM511": "a comparison needs two models or more",
    "CM512": "there are too few folds or data sets",
    "CM513": "what is compared does not match in shape, size or names",
    "CM514": "a number is outside its range",
    "CM515": "no such test, way, adjustment or model",
    "CM516": "a test does not fit the design, or the measure",
    "CM517": "values are missing in a grid of models and data sets",
    "CM600": "a curve needs cases of two classes",
    "CM601": "no case has the positive label",
    "CM602": "which label is positive was not said",
    "CM603": "scores are no probabilities",
    "CM604": "no such direction of scores",
    "CM605": "probabilities of a case do not add up to 1",
    "CM606": "columns of probabilities do not fit the classes",
    "CM607": "no threshold meets the condition",
    "CM608": "no such scalar of a curve, or no such parameter of it",
    "CM609": "a file of a chosen threshold cannot be used",
    "CM610": "curves are not of the same cases",
    "CM612": "curves that mean different things cannot be put together",
    "CM650": "no such space for a curve",
    "CM651": "a prevalence is out of range",
    "CM652": "no such kind of band",
    "CM653": "there are too few cases or groups for a band",
    "CM700": "the plan of an experiment cannot be read",
    "CM701": "a key of a plan is unknown, missing or of the wrong kind",
    "CM702": "no such classifier",
    "CM703": "a classifier was given a parameter it does not take",
    "CM704": "a data set cannot be made",
    "CM705": "a target is not one of classes",
    "CM706": "a design does not fit the data",
    "CM707": "a column has no values",
    "CM708": "OpenML cannot be reached, or its answer is not whole",
    "CM709": "a folder holds no experiment that can be read",
    "CM710": "something changed under the same name",
    "CM711": "another run works in this folder",
    "CM712": "an experiment cannot be written",
    "CM713": "experiments cannot be merged",
    "CM714": "no such backend, or a cluster cannot be reached",
    "CM750": "Java is missing, which WEKA needs",
    "CM751": "WEKA was not found, or cannot be run",
    "CM752": "WEKA cannot do what was asked of it",
    "CM753": "what WEKA printed is not understood",
    "CM754": "folds cannot be made",
    "CM755": "a value is not among the declared ones",
    "CM756": "the rows of a study's data set cannot be read",
    "CM757": "these are not the rows of the study's data set",
    "CM758": "no study, engine or data set has that name",
    "CM760": "this is no result file of WEKA's Experimenter",
    "CM761": "results do not fill a grid of data sets, classifiers and folds",
    "CM762": "no such table, form or test of an experiment",
    "CM770": "variable importance cannot be worked out",
}


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong."""

    code: str
    what: str
    where: str = ""
    saw: str = ""
    fix: str = ""

    def __str__(self) -> str:
        """Print as ``error[CM101]: …`` with the lines that are known, safe for any terminal."""
        lines = [f"error[{self.code}]: {self.what}"]
        lines += [f"  --> {self.where}"] if self.where else []
        lines += [f"  saw: {self.saw}"] if self.saw else []
        lines += [f"  fix: {self.fix}"] if self.fix else []
        return "\n".join(map(_visible, lines))


class ChancemeterError(ValueError):
    """Every error raised on purpose; `faults` has them all, not only the first."""

    def __init__(self, *faults: Fault) -> None:
        """Keep the faults; the message is their text."""
        self.faults = faults
        super().__init__("\n".join(map(str, faults)))


class InputError(ChancemeterError):
    """The data cannot be read as asked."""


class UnknownNameError(ChancemeterError):
    """No measure, scale, parameter or axis has that name."""


class UndefinedError(ChancemeterError):
    """A value is undefined and the caller asked for an error."""


def component(module: str, purpose: str) -> Any:
    """`module`, which is imported only now; or how to install it.

    >>> component("no_such_module", "a frame")
    Traceback (most recent call last):
    chancemeter.errors.InputError: error[CM005]: a frame needs no_such_module, which is missing
      fix: pip install no_such_module
    """
    try:
        return import_module(module)
    except ImportError:
        what, fix = f"{purpose} needs {module}, which is missing", f"pip install {module}"
        raise InputError(Fault("CM005", what, fix=fix)) from None


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "", alike: float = 0.6) -> str:
    """The nearest known names as a question, or `otherwise`.

    >>> did_you_mean("kapa", ["kappa", "mcc"])
    'did you mean kappa?'
    >>> did_you_mean("heidke", ["hellden", "heidke_skill_score"])
    'did you mean heidke_skill_score?'
    """
    known = list(known)
    near = [name for name in known if name.lower() == word.lower()]
    near = near or [name for name in known if word and word.lower() in name.lower().split("_")][:3]
    near = near or _nearest(word, known, alike)
    near = near or [name for name in sorted(known) if len(word) > 2 and word.lower() in name][:3]
    return f"did you mean {' or '.join(near)}?" if near else otherwise


def _nearest(word: str, known: list[str], alike: float) -> list[str]:
    """The names most like `word`: the best and those hardly worse."""
    found = get_close_matches(word, known, n=3, cutoff=alike)
    like = [SequenceMatcher(None, word, name).ratio() for name in found]
    return [name for name, x in zip(found, like, strict=True) if x > like[0] - 0.15]


def shorten(items: Iterable[object], most: int = 8) -> str:
    """The first few items, and how many more there are.

    >>> shorten(range(20), most=3)
    '0, 1, 2, … (17 more)'
    """
    listed = [printable(item) for item in items]
    more = len(listed) - most
    return ", ".join(listed[:most]) + (f", … ({more} more)" if more > 0 else "")


def printable(text: object, most: int = 60) -> str:
    r"""`text` with everything that a terminal could obey or reorder made visible.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    raw = str(text)
    return _visible(raw if len(raw) <= most else raw[: most - 1] + "…")


def quoted(text: object, most: int = 60) -> str:
    r"""`text` between quotes, made visible once and not twice.

    >>> print(quoted("two\nlines"))
    'two\nlines'
    """
    return f"'{printable(text, most)}'"


def plural(n: int, thing: str, things: str = "") -> str:
    """A number with its noun.

    >>> plural(1, "case"), plural(2000, "case"), plural(2, "class", "classes")
    ('1 case', '2,000 cases', '2 classes')
    """
    return f"{n:,} {thing if n == 1 else things or thing + 's'}"


def aligned(rows: Iterable[Sequence[str]], left: Container[int] = (0,)) -> list[str]:
    r"""Lines of columns, those of `left` to the left and all others to the right.

    >>> print(*aligned([["class", "n"], ["a", "10"]]), sep="\n")
    class   n
    a      10
    """
    rows = list(rows)
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        gaps = [" " * (w - _width(cell)) for cell, w in zip(row, widths, strict=True)]
        cells = [
            cell + gap if i in left else gap + cell
            for i, (cell, gap) in enumerate(zip(row, gaps, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _width(text: str) -> int:
    """How many places a text takes: wide signs, as of Chinese, take two, accents none."""
    if text.isascii():
        return len(text)
    wide = sum(east_asian_width(c) in {"W", "F"} for c in text)
    return len(text) + wide - sum(combining(c) > 0 for c in text)


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
