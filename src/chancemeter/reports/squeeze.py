"""A page without what only the readers of its source need: blanks, long names, unused rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import count, groupby, product
from operator import itemgetter
from string import ascii_letters

#: Words that are no names.
_WORDS = set(
    re.findall(
        r"\w+",
        "await async break case catch const continue delete do else finally for function if in "
        "instanceof let new null of return switch this throw true false try typeof void while",
    )
)
#: Text, templates and patterns of a script, in which a blank is a blank.
_QUOTED = (
    r'"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
    r"|(?<=[(=:,!&|?>])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+/\w*"
)
_TOKEN = re.compile(_QUOTED + r"|[A-Za-z_$][\w$]*|\.?\d[\w.]*|=>|[=!<>]=+|\.\.\.|\s+|.", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_OPEN, _CLOSED = set("([{"), set(")]}")
#: A brace after one of these opens an object, not a block.
_BEFORE_OBJECTS = {"(", "[", ",", "=", ":", "?", "...", "const", "let", "return", "||", "&&"}


def shortened(script: str) -> str:
    r"""A script without blanks and ends of lines that mean nothing.

    >>> shortened('if (a == "x = y") {\nb = c + +d;\n}')
    'if(a=="x = y"){b=c+ +d}'
    """
    parts, end = [], 0
    for quoted in re.finditer(_QUOTED, script):
        parts += [_tight(script[end : quoted.start()]), quoted[0].strip()]
        end = quoted.end()
    return "".join([*parts, _tight(script[end:])])


def _tight(code: str) -> str:
    code = re.sub(r"([+-]) (?=[+-])", "\\1\0", code)  # a sum of signs is no increment
    code = re.sub(r" *([{}()\[\];,:=+\-*/<>?&|!%]) *", r"\1", code)
    code = re.sub(r"(?<=[{(\[;,:?&|=+*<>])\n|\n(?=[})\]?:.,&|=*])", "", code)
    return re.sub(r"[;,]}", "}", code).replace("\0", " ")


def renamed(script: str) -> str:
    r"""A script whose own names are as short as can be: names of one statement may be those of another.

    Names of properties and of what the browser has stay.

    >>> renamed("const total = (list, {size}) => list.size + size + `${total} of total`;")
    'let a=(b,{size:c})=>b.size+c+`${a} of total`;'
    """
    tokens = list(_tokens(shortened(script)))
    kinds = list(_kinds(tokens))
    declared = dict(_declared(tokens, kinds))
    places = [i for i, kind in enumerate(kinds) if kind]
    taken = {tokens[i] for i in places if tokens[i] not in declared} | _WORDS
    shared = Counter(tokens[i] for i in places if declared.get(tokens[i]))
    everywhere = dict(zip((x for x, _ in shared.most_common()), _short(taken), strict=False))
    made = [""] * len(tokens)
    for _, statement in groupby(enumerate(_statements(tokens)), itemgetter(1)):
        inside = [i for i, _ in statement]
        names = Counter(tokens[i] for i in inside if kinds[i] and tokens[i] in declared)
        there = {everywhere[x] for x in names if x in everywhere}
        own = [x for x, _ in names.most_common() if x not in everywhere]
        short = everywhere | dict(zip(own, _short(taken | there), strict=False))
        for i in inside:
            part = tokens[i]
            new = short.get(part, part) if kinds[i] else part
            made[i] = f"{part}:{new}" if kinds[i] == "both" and new != part else new
    return _merged("".join(made))


def _statements(tokens: list[str]) -> Iterator[int]:
    """Which statement of the whole script each part belongs to."""
    depth = number = 0
    for part in tokens:
        depth += (part in _OPEN or part.endswith("${")) - (part in _CLOSED or part[0] == "}")
        number += not depth and part in {";", "\n"}
        yield number


def _merged(script: str) -> str:
    """Declarations that follow each other in one.

    >>> _merged("const a=[1];const b=()=>{let c=2;return c};a.sort();const d=b();")
    'let a=[1],b=()=>{let c=2;return c};a.sort();let d=b();'
    """
    made: list[str] = []
    declares, begins = [False], True  # the statement at each depth; whether another one begins
    for part in _tokens(re.sub(r"\bconst\b", "let", script)):
        if part in _CLOSED or part[0] == "}":
            declares.pop()
        if begins and part == "let" and made and made[-1] == ";" and declares[-1]:
            made[-1], begins = ",", False
            continue
        if begins and not part.isspace():
            declares[-1] = part == "let"
        if made and made[-1] == "," and part == " ":
            continue
        if part != "\n" or made[-1] != "}":  # the end of a block ends its statement
            made.append(part)
        begins = part in {";", "{", "\n"}
        if part in _OPEN or part.endswith("${"):
            declares.append(False)
    return "".join(made)


def _tokens(script: str) -> Iterator[str]:
    """What stands in a template is code as well; it holds no template and no brace itself."""
    for found in _TOKEN.finditer(script):
        if found[0][0] != "`":
            yield found[0]
            continue
        parts = re.split(r"(?<=\$\{)([^`{}]*)(?=\})", found[0])
        for i, part in enumerate(parts):
            yield from _tokens(shortened(part)) if i % 2 else [part]


def _kinds(tokens: list[str]) -> Iterator[str]:
    """Of each part: whether it is a name, and whether it names a property as well ("both")."""
    objects: list[bool] = []
    for before, part, after in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        if part in _CLOSED or part[0] == "}":
            objects.pop()
        if part in _OPEN or part.endswith("${"):
            objects.append(part == "{" and before in _BEFORE_OBJECTS)
        kind = "name" if _NAME.fullmatch(part) and part not in _WORDS and before != "." else ""
        if kind and objects and objects[-1] and before in {"{", ","}:
            kind = "both" if after in {",", "}", "="} else ""
        yield kind


def _declared(tokens: list[str], kinds: list[str]) -> Iterator[tuple[str, bool]]:
    """Names that the script brings, and last of each whether they belong to all of it."""
    found = list(_brought(tokens, kinds))
    yield from ((name, False) for name, _ in found)
    yield from ((name, True) for name, shared in found if shared)


def _brought(tokens: list[str], kinds: list[str]) -> Iterator[tuple[str, bool]]:
    """Names after `const`, `let`, `function`; those that are set; those of arguments."""
    ends, depth = _ends(tokens), 0
    code = [i for i, part in enumerate(tokens) if not part.isspace()]
    for before, i, after in zip([None, *code], code, [*code[1:], None], strict=False):
        last = tokens[before] if before is not None else ""
        then = tokens[after] if after is not None else ""
        depth -= tokens[i] in _CLOSED or tokens[i][0] == "}"
        if kinds[i]:
            set_ = last in {"const", "let", "function"} or (last == "," and then in {"=", ";"})
            if set_ or then == "=>":
                yield tokens[i], set_ and not depth
        elif i in ends:
            then = tokens[ends[i] + 1] if ends[i] + 1 < len(tokens) else ""
            called = bool(_NAME.fullmatch(last)) and (last not in _WORDS or last == "catch")
            if tokens[i] == "(":
                brings = then == "=>" or (called and then == "{")
            else:
                brings = then == "=" or last in {"const", "let"}
            if brings:
                inside = (j for j in range(i, ends[i]) if kinds[j] and tokens[j - 1] != "=")
                yield from ((tokens[j], tokens[i] != "(" and not depth) for j in inside)
        depth += tokens[i] in _OPEN or tokens[i].endswith("${")


def _ends(tokens: list[str]) -> dict[int, int]:
    """Where what is opened is closed."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for i, part in enumerate(tokens):
        if part in _CLOSED or part[0] == "}":
            found[opened.pop()] = i
        if part in _OPEN or part.endswith("${"):
            opened.append(i)
    return found


def _short(taken: set[str]) -> Iterator[str]:
    """Names of one letter, then of two."""
    for size in count(1):
        for letters in product(ascii_letters + "$_", repeat=size):
            if (name := "".join(letters)) not in taken:
                yield name


def markup(page: str) -> str:
    """Markup without the quotes and ends of elements that HTML can do without.

    >>> markup('<p class="lead" title="a b">one</p><p>two</p></section>')
    '<p class=lead title="a b">one<p>two</section>'
    """
    page = re.sub(r"<[a-z][^<>]*>", lambda tag: _unquoted(tag[0]), page)
    page = re.sub(r"</thead>(?=<tbody>)|</tbody>(?=</table>)", "", page)
    return re.sub(
        r"</p>(?=<(?:/?(?:section|div|figure|main|header)|[ph]\d?|ul|dl|pre|nav)\b)", "", page
    )


def _unquoted(tag: str) -> str:
    tag = re.sub(r"""="([^\s"'=<>`]*[^\s"'=<>`/])"(/?)""", r"=\1 \2", tag)
    return re.sub(r" +(?=>| )", "", tag)


def words(page: str, script: str) -> set[str]:
    """Every name that may stand in a tag of a page, or be put there by its script."""
    named = re.findall(r"<[^<>]*>|^[^<]*", page) + re.findall(_QUOTED, script)
    return set(re.findall(r"[A-Za-z][\w-]*(?!=|[\w-])", " ".join(named)))


def style(rules: str, words: set[str]) -> str:
    """Rules for what is on the page: every name that they ask for is among its words.

    >>> style("a{color:var(--act)}.b,.c{margin:0}@media print{.b{x:y}}", {"a", "c"})
    'a{color:var(--a)}.c{margin:0}'
    """
    kept = re.sub(r"([^{}@;]+)\{([^{}]*)\}", lambda rule: _rule(rule[1], rule[2], words), rules)
    kept = re.sub(r"@media[^{}]*\{\}", "", kept)
    names = Counter(re.findall(r"--[\w-]+", kept))
    short = dict(zip((x for x, _ in names.most_common()), _short(set()), strict=False))
    return re.sub(r"--[\w-]+", lambda name: f"--{short[name[0]]}", kept)


def _rule(selectors: str, body: str, words: set[str]) -> str:
    wanted = [s for s in selectors.split(",") if _asked(s) <= words]
    return f"{','.join(wanted)}{{{body.rstrip(';')}}}" if wanted else ""


def _asked(selector: str) -> set[str]:
    bare = re.sub(r":[\w:-]+|\[[\w-]+", " ", selector)
    return set(re.findall(r"[A-Za-z][\w-]*", bare))
