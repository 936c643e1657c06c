"""The formula of a measure in TeX: as its docstring has it, else read from the code itself.

The code is short and divides with `ratio` alone, so most of it reads as a formula. What does not
(loops, arrays of arrays) needs one in its docstring: a test checks that no measure is without.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Mapping

from chancemeter.catalogue import formula_of
from chancemeter.registry import Measure

#: How tightly a piece of TeX holds together: a sum, a product, a power, one thing.
SUM, PRODUCT, POWER, ATOM = range(4)
#: Signs of TeX that are too many for one line of a page.
LONG = 100
#: What the parts of a table are called.
PARTS = {
    **{name: (rf"\mathrm{{{name.upper()}}}", ATOM) for name in ("tp", "tn", "fp", "fn")},
    "truth": ("n_{i+}", ATOM),
    "predicted": ("n_{+i}", ATOM),
    "negative": ("n - n_{i+}", SUM),
    "predicted_negative": ("n - n_{+i}", SUM),
    "n": ("n", ATOM),
    "total": ("n", ATOM),
    "k": ("k", ATOM),
    "cells": ("n_{ij}", ATOM),
    "hits": ("n_{ii}", ATOM),
    "right": (r"\sum_i n_{ii}", PRODUCT),
    "wrong": (r"\sum_{i \ne j} n_{ij}", PRODUCT),
    "leverage": (r"n\,n_{ii} - n_{i+} n_{+i}", SUM),
}
#: What each part means, for readers.
LEGEND = {
    r"\mathrm{TP}": "cases of the class that were predicted as it",
    r"\mathrm{FP}": "cases predicted as the class that are not of it",
    r"\mathrm{FN}": "cases of the class that were predicted as another",
    r"\mathrm{TN}": "cases that neither are of the class nor were predicted as it",
    "n_{ij}": "cases of class $i$ predicted as class $j$",
    "n_{ii}": "cases of class $i$ that are right",
    "n_{i+}": "cases of class $i$",
    "n_{+i}": "cases predicted as class $i$",
    "p_{ij}": "share of cases that are of class $i$ and predicted as class $j$",
    "p_{i+}": "share of class $i$ in the truth",
    "p_{+i}": "share of class $i$ in the predictions",
    "p_o": "share of cases that are right",
    "p_e": "share that would be right by chance",
    "a_{ij}": "how good it is to take class $i$ for class $j$, from 0 to 1",
    "w_{ij}": "how bad it is to take class $i$ for class $j$",
    r"\Phi^{-1}": "quantile of the standard normal distribution",
    r"\Phi_2": r"distribution of two such variables with correlation $\rho$",
}
_FUNCTIONS = {"np.log1p": r"\ln(1 + {})", "np.log": r"\ln({})", "np.exp": r"\exp({})"}
_LISTED = {"np.maximum": r"\max({})", "np.minimum": r"\min({})"}


class Unreadable(Exception):  # noqa: N818  (it ends a search, it is no error)
    """Code that no formula is made of."""


def tex_of(m: Measure[...]) -> str:
    """The formula, or nothing."""
    written = formula_of(m)
    if written:
        return written.replace(r"\Big", "").replace(r"\big", "")
    function = ast.parse(textwrap.dedent(inspect.getsource(m.formula))).body[0]
    assert isinstance(function, ast.FunctionDef)
    try:
        return symbol(m) + _body(function)
    except Unreadable:
        return ""


def symbol(m: Measure[...]) -> str:
    """The symbol of a measure and an equals sign, unless the symbol is a formula itself."""
    name = m.card.symbol
    return "" if re.search(r"[^\w]", name) else rf"\mathrm{{{name.replace('_', ' ')}}} = "


def _body(function: ast.FunctionDef) -> str:
    known: dict[str, ast.expr] = {}
    for line in function.body:
        match line:
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                known[name] = value
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                known |= {
                    n.id: v for n, v in zip(names, values, strict=True) if isinstance(n, ast.Name)
                }
            case ast.Return(value=ast.expr() as value):
                return Reader(known).read(value)[0]
            case _:
                break
    raise Unreadable


class Reader:
    """Reads an expression; names that were assigned stand for what they are."""

    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def read(self, node: ast.expr) -> tuple[str, int]:
        """TeX, and how tightly it holds together."""
        match node:
            case ast.Constant(value=int() | float() as value):
                return f"{value:g}", ATOM
            case ast.Name(id=name) if name in self.known:
                return self.read(self.known[name])
            case ast.Name(id=name):
                return rf"\mathrm{{{name.replace('_', chr(92) + ' ')}}}", ATOM
            case ast.Attribute(value=ast.Name(id="c"), attr=part) if part in PARTS:
                return PARTS[part]
            case ast.Attribute(value=ast.Name(id="math"), attr="e"):
                return r"\mathrm{e}", ATOM
            case ast.Attribute(value=ast.Call(func=ast.Attribute() as of), attr="share"):
                if (model := ast.unparse(of.value)) in EXPECTED:
                    return EXPECTED[model], SUM
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return f"-{self.held(inner, PRODUCT)}", SUM
            case ast.BinOp():
                return self.two(node)
            case ast.Call():
                return self.call(node)
        raise Unreadable

    def held(self, node: ast.expr, least: int) -> str:
        """In brackets, if it would fall apart."""
        found, tight = self.read(node)
        return found if tight >= least else rf"\left({found}\right)"

    def two(self, node: ast.BinOp) -> tuple[str, int]:
        """A sum, a product, a quotient, a power."""
        left, right = node.left, node.right
        match node.op:
            case ast.Add():
                return f"{self.read(left)[0]} + {self.held(right, SUM)}", SUM
            case ast.Sub():
                return f"{self.read(left)[0]} - {self.held(right, PRODUCT)}", SUM
            case ast.Mult():
                return rf"{self.held(left, PRODUCT)} \, {self.held(right, PRODUCT)}", PRODUCT
            case ast.Div():
                return rf"\frac{{{self.read(left)[0]}}}{{{self.read(right)[0]}}}", ATOM
            case ast.Pow():
                return f"{self.held(left, ATOM)}^{{{self.read(right)[0]}}}", POWER
        raise Unreadable

    def call(self, node: ast.Call) -> tuple[str, int]:
        """The few functions that formulas are made of."""
        name, given = ast.unparse(node.func), node.args
        if name in {"ratio", "limit_ratio"}:
            return rf"\frac{{{self.read(given[0])[0]}}}{{{self.read(given[1])[0]}}}", ATOM
        if name == "log_ratio":
            return rf"\ln \frac{{{self.read(given[1])[0]}}}{{{self.read(given[2])[0]}}}", PRODUCT
        if name in {"np.asarray", "like"}:
            return self.read(given[0])
        if name in {"np.sqrt", "math.sqrt"}:
            return rf"\sqrt{{{self.read(given[0])[0]}}}", ATOM
        if name in _FUNCTIONS:
            return _FUNCTIONS[name].replace("{}", self.read(given[0])[0]), ATOM
        if name in _LISTED:
            inner = ", ".join(self.read(x)[0] for x in given)
            return _LISTED[name].replace("{}", inner), ATOM
        if name == "chance.beyond":
            return _beyond(ast.unparse(given[0])), ATOM
        if isinstance(node.func, ast.Attribute) and node.func.attr == "sum":
            return self.over_classes(node.func.value)
        if isinstance(node.func, ast.Attribute) and node.func.attr in {"max", "min"}:
            inner = self.held(node.func.value, POWER)
            return rf"\{node.func.attr}_i {inner}", PRODUCT
        raise Unreadable

    def over_classes(self, node: ast.expr) -> tuple[str, int]:
        """The sum of something over all classes."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="formula")):
                return rf"\sum_i \mathrm{{{name.replace('_', chr(92) + ' ')}}}_i", PRODUCT
            case ast.Attribute(attr="cells"):
                raise Unreadable
        return rf"\sum_i {self.held(node, PRODUCT)}", PRODUCT


#: What chance gives, by the name of its model.
EXPECTED = {
    "chance.cohen": r"\sum_i \frac{n_{i+} n_{+i}}{n^2}",
    "chance.majority": r"\max_i \frac{n_{i+}}{n}",
    "chance.scott": r"\sum_i \left(\frac{n_{i+} + n_{+i}}{2n}\right)^2",
    "chance.prevalence": r"\sum_i \left(\frac{n_{i+}}{n}\right)^2",
    "chance.uniform": r"\frac{1}{k}",
    "chance.gwet": r"\frac{1}{k - 1} \sum_i q_i (1 - q_i), \quad q_i = \frac{n_{i+} + n_{+i}}{2n}",
}


def _beyond(model: str) -> str:
    level = EXPECTED.get(model)
    more = rf", \quad p_e = {level}" if level else ""
    return rf"\frac{{p_o - p_e}}{{1 - p_e}}{more}"


def laid_out(tex: str) -> str:
    """What the letters of a long formula stand for, on lines of their own."""
    return re.sub(r",\s*\\quad\b", r", \\\\", tex) if len(tex) > LONG else tex


def legend(tex: str) -> dict[str, str]:
    """What the letters of a formula mean."""
    return {sign: says for sign, says in LEGEND.items() if sign in tex}
