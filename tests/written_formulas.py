"""Reads the TeX of formulas and works them out, sum by sum: slow, and apart from the code."""

import math
import re
from collections.abc import Callable
from functools import cache
from itertools import product
from statistics import NormalDist

from scipy.stats import multivariate_normal

Value = float
Scope = dict[str, int]
Expression = Callable[[Scope], Value]
_TOKEN = re.compile(r"\\mathrm\{\w+\}|\\[A-Za-z]+/?|[A-Z]{2,}|\d+|[^\s\\]")
_COMPARE = {
    "=": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    r"\le": lambda a, b: a <= b,
    r"\ne": lambda a, b: a != b,
}
_FUNCTIONS = {r"\ln": math.log, r"\log": math.log, r"\sqrt": math.sqrt}
_OVER = {r"\sum": sum, r"\prod": math.prod, r"\max": max, r"\min": min}
#: What a factor can not begin with.
_ENDS = {"+", "-", ")", "]", "}", "|", ",", ";", "/", r"\Big/", *_COMPARE, None}


def below_both(x: Value, y: Value, correlation: Value) -> Value:
    """Share of two normal variables that are below `x` and below `y`."""
    spread = [[1, correlation], [correlation, 1]]
    return float(multivariate_normal([0, 0], spread).cdf([x, y]))


def sides(tex: str) -> tuple[str, str]:
    """What stands before the first equals sign that is in no bracket, and after it."""
    depth = 0
    for i, sign in enumerate(tex):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "=" and not depth:
            return tex[:i].strip(), tex[i + 1 :].strip()
    return "", tex


class Formula:
    """The formula first, then what its letters stand for; `known` are those that it leaves open.

    A known letter is a number, or a function of indices from 1 to k.
    """

    def __init__(
        self, tex: str, k: int, known: dict[str, object], scope: Scope | None = None
    ) -> None:
        tex = re.sub(r"\\left|\\right|\\,|\\big(?!/)", " ", tex).replace(r"\Big /", r"\Big/")
        first, *rest = (part.strip().rstrip(",") for part in re.split(r"\\quad", tex))
        self.k, self.known, self.scope = k, dict(known), scope or {}
        self.name, self.says = sides(first)
        #: What is no definition of a letter has to hold.
        self.equations = []
        for words in rest:
            part = words.split(r", \text")[0]
            name, says = sides(part)
            letter = re.fullmatch(r"(\\bar )?(\\?[A-Za-z]+)(\^2|_e)?(_([a-z]|\{[a-z]+\}))?", name)
            if r"\text" in part:
                continue
            if letter:
                base = (letter[1] or "") + letter[2] + (letter[3] or "")
                self.known[base] = self._defined(says, (letter[5] or "").strip("{}"))
            elif name == "A_{-1}":
                before = self.known["A"]
                self.known["A"] = lambda b, before=before: before(b) if b >= 0 else 0
            else:
                self.equations.append((name, says))

    def _defined(self, says: str, indices: str) -> object:
        @cache
        def value(*at: int) -> Value:
            return self.of(says, dict(zip(indices, at, strict=True)))

        return value

    def value(self) -> Value:
        """What the formula gives."""
        choice = re.fullmatch(r"(.+?)\\text\{ if \}(.+?),\s*\\text\{ else \}(.+)", self.says)
        if choice:
            return self.of(choice[1] if self.of(f"[{choice[2]}]") else choice[3])
        return self.of(self.says)

    def of(self, tex: str, scope: Scope | None = None) -> Value:
        """What a piece of TeX gives, with the letters of this formula."""
        return self.read(tex)(self.scope | (scope or {}))

    def read(self, tex: str) -> Expression:
        """All of it."""
        self.tokens: list[str | None] = [*_TOKEN.findall(tex), None]
        found = self._sum()
        assert self.tokens == [None], (tex, self.tokens)
        return found

    def _take(self, *wanted: str) -> str:
        token = self.tokens.pop(0)
        assert token is not None
        assert not wanted or token in wanted, (token, wanted, self.tokens)
        return token

    def _next(self, *wanted: str) -> bool:
        return self.tokens[0] in wanted

    def _sum(self) -> Expression:
        signs, parts = [1], []
        if self._next("-"):
            signs = [-1]
            self._take()
        parts.append(self._quotient())
        while self._next("+", "-"):
            signs.append(1 if self._take() == "+" else -1)
            parts.append(self._quotient())
        return lambda s: sum(sign * part(s) for sign, part in zip(signs, parts, strict=True))

    def _quotient(self) -> Expression:
        """A product; a big slash divides all of it by all of the next."""
        above = self._product()
        if not self._next(r"\Big/"):
            return above
        self._take()
        below = self._product()
        return lambda s: above(s) / below(s)

    def _product(self) -> Expression:
        """Factors side by side; a slash divides by one."""
        found = self._power()
        while self._next("/", r"\cdot") or self.tokens[0] not in _ENDS:
            divides = self._next("/")
            if self._next("/", r"\cdot"):
                self._take()
            found = _times(found, self._power(), divides)
        return found

    def _power(self) -> Expression:
        base = self._factor()
        if not self._next("^"):
            return base
        self._take()
        power = self._group()
        return lambda s: base(s) ** power(s)

    def _group(self) -> Expression:
        """In braces, or one sign."""
        if self._next("{"):
            return self._closed("{", "}")
        return self._factor()

    def _closed(self, begin: str, end: str) -> Expression:
        self._take(begin)
        found = self._sum()
        self._take(end)
        return found

    def _factor(self) -> Expression:
        token = self.tokens[0]
        if token == "(":
            return self._closed("(", ")")
        if token == "|":
            inner = self._closed("|", "|")
            return lambda s: abs(inner(s))
        if token == "[":
            return self._condition()
        self._take()
        if token.isdigit():
            return lambda _: int(token)
        if token in {r"\frac", r"\tfrac"}:
            above, below = self._group(), self._group()
            return lambda s: above(s) / below(s)
        if token in _OVER:
            return self._over(_OVER[token])
        if token == r"\Phi":
            return self._normal()
        if token in _FUNCTIONS:
            if self._next("_"):
                self._take("_")
                self._take("2")
            inner = self._group() if token == r"\sqrt" else self._power()
            base = [self.known.get("base", 2)] if token == r"\log" else []
            return lambda s: _FUNCTIONS[token](inner(s), *base)
        return self._letter(token)

    def _normal(self) -> Expression:
        """The quantile of the normal distribution, or the distribution of two variables."""
        if self._next("^"):
            for sign in "^{-1}":
                self._take(sign)
            inner = self._closed("(", ")")
            return lambda s: NormalDist().inv_cdf(min(max(inner(s), 1e-300), 1 - 1e-16))
        given = []
        for sign in ("_", "2"):
            self._take(sign)
        for sign in ("(", ",", ";"):
            self._take(sign)
            given.append(self._sum())
        self._take(")")
        return lambda s: below_both(*(x(s) for x in given))

    def _condition(self) -> Expression:
        """1 if what stands in square brackets holds, else 0."""
        self._take("[")
        found = self._compared()
        self._take("]")
        return lambda s: int(found(s))

    def _compared(self) -> Expression:
        left = self._sum()
        compare = _COMPARE[self._take(*_COMPARE)]
        right = self._sum()
        return lambda s: compare(left(s), right(s))

    def _over(self, together: Callable[..., Value]) -> Expression:
        """A sum over classes, or the largest of some numbers in brackets."""
        if self._next("("):
            self._take()
            items = [self._sum()]
            while self._next(","):
                self._take()
                items.append(self._sum())
            self._take(")")
            return lambda s: together(item(s) for item in items)
        indices, holds = self._below()
        first, last = 1, None
        if self._next("^"):  # from 0 on, as its lower end says
            self._take()
            first, last, holds = 0, self._group(), []
        body = self._product()

        def value(s: Scope) -> Value:
            free = [x for x in indices if x not in s] if holds else indices
            every = range(first, int(last(s) if last else self.k) + 1)
            scopes = [
                {**s, **dict(zip(free, at, strict=True))} for at in product(every, repeat=len(free))
            ]
            return together(body(x) for x in scopes if all(hold(x) for hold in holds))

        return value

    def _below(self) -> tuple[list[str], list[Expression]]:
        """The indices that are written below, and what has to hold of them."""
        self._take("_")
        if not self._next("{"):
            return [self._take()], []
        end = self.tokens.index("}")
        inside = self.tokens[1:end]
        if all(x.isalpha() for x in inside):
            del self.tokens[: end + 1]
            return inside, []
        self._take("{")
        holds = [self._compared()]
        while self._next(","):
            self._take()
            holds.append(self._compared())
        self._take("}")
        return [x for x in inside if x.isalpha() and len(x) == 1], holds

    def _letter(self, token: str) -> Expression:
        """An index, a number or a function of indices."""
        name = token if token in self.known else re.sub(r"\\mathrm\{(\w+)\}", r"\1", token)
        if token == r"\bar":
            name = rf"\bar {self._take()}"
        at: list[Expression] = []
        if self._next("_"):
            self._take()
            inside = [self._take()]
            while inside[0] == "{" and inside[-1] != "}":
                inside.append(self._take())
            inside = inside[1:-1] if inside[0] == "{" else inside
            if rf"{name}_{''.join(inside)}" in self.known:
                name = rf"{name}_{''.join(inside)}"
            elif "-" in inside:
                at = [self._shifted(inside)]
            else:
                at = [self._index(x) for x in inside]
        if self.tokens[:2] == ["^", "2"] and f"{name}^2" in self.known:
            del self.tokens[:2]
            name += "^2"

        def value(s: Scope) -> Value:
            if name in s and not at:
                return s[name]
            meant = self.known[name]
            return meant(*(x(s) for x in at)) if callable(meant) else meant

        return value

    def _index(self, sign: str) -> Expression:
        return lambda s: 0 if sign == "+" else s[sign]

    def _shifted(self, inside: list[str]) -> Expression:
        """An index less one."""
        letter, minus, one = inside
        assert (minus, one) == ("-", "1")
        return lambda s: s[letter] - 1


def _times(a: Expression, b: Expression, divides: bool) -> Expression:
    return (lambda s: a(s) / b(s)) if divides else (lambda s: a(s) * b(s))
