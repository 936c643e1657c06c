"""The site: a page for each measure, formulas without a script, no dead link, nothing fetched."""

import importlib.util
import re

import formula_tex
import make_site
import measure_pages
import pytest
from conftest import require

import chancemeter as cm


@pytest.fixture(scope="module")
def pages():
    return measure_pages.pages()


def test_every_measure_has_a_page(pages):
    for m in cm.every():
        page = pages[f"measures/{m.key}.md"]
        assert page.startswith(f"# {m.key}\n")
        for part in (m.summary[:20], "| Values |", f"pictures/{m.key}.png"):
            if "png" not in part or measure_pages.pictured(m):
                assert part in page, (m.key, part)
        assert "```{math}" in page, m.key
        for key in m.card.references:
            assert measure_pages.citation(key) in page


FORMULAS = {
    "recall": r"\mathrm{TPR} = \frac{\mathrm{TP}}{n_{i+}}",
    "hamming_distance": r"\mathrm{FP} + \mathrm{FN}",
    "npv": r"\mathrm{NPV} = \frac{\mathrm{TN}}{n - n_{+i}}",
    "expected_uniform": r"\frac{1}{k}",
    "distance_index": r"\sqrt{\frac{\mathrm{FN}}{n_{i+}} \, \frac{\mathrm{FN}}{n_{i+}} + "
    r"\frac{\mathrm{FP}}{n - n_{i+}} \, \frac{\mathrm{FP}}{n - n_{i+}}}",
}


@pytest.mark.parametrize("key", FORMULAS)
def test_formulas_are_read_from_the_code(key):
    assert formula_tex.tex_of(cm.get(key)).endswith(FORMULAS[key])


def test_all_formulas_become_mathml():
    require("docutils", importlib.util.find_spec("docutils") is not None)
    from docutils.utils.math.latex2mathml import tex2mathml

    for m in cm.every():
        tex = formula_tex.laid_out(formula_tex.tex_of(m))
        assert tex2mathml(tex, as_block=True).startswith("<math"), m.key


def test_long_formulas_are_on_several_lines():
    se_kappa, kappa = (formula_tex.laid_out(formula_tex.tex_of(m)) for m in (cm.se_kappa, cm.kappa))
    assert se_kappa.count(r", \\") == 3
    assert r"\\" not in kappa


def test_pictures_show_the_values():
    require("matplotlib", importlib.util.find_spec("matplotlib") is not None)
    import roc_pictures

    axis, values = roc_pictures.over_roc_space(cm.kappa, 0.1)
    i, j = 45, 6
    hits, alarms = axis[i], axis[j]
    table = [[100 * hits, 100 * (1 - hits)], [900 * alarms, 900 * (1 - alarms)]]
    assert values[i, j] == pytest.approx(cm.kappa(table))
    _, values = roc_pictures.over_roc_space(cm.recall, 0.1)
    assert values[i, j] == pytest.approx(hits)


def test_the_site_is_whole(tmp_path, monkeypatch):
    """Sphinx without a warning, no dead link, nothing loaded from elsewhere, MathML in place."""
    require("sphinx", importlib.util.find_spec("sphinx") is not None)
    require("furo", importlib.util.find_spec("furo") is not None)
    require("myst_parser", importlib.util.find_spec("myst_parser") is not None)
    few = {m.key: m for m in cm.every() if m.family in {"agreement", "rates"}}
    kept = {f"families/{family}" for family in ("agreement", "rates")}
    make = measure_pages.pages

    def fewer():
        """Two families stand for all, whose pages are made alike."""
        names = {f"measures/{name}.md" for name in (*few, *kept, "index")}
        return {name: _without(text, few) for name, text in make().items() if name in names}

    def _without(text, few):
        text = re.sub(r"^families/(?!agreement$|rates$)\w+\n", "", text, flags=re.MULTILINE)
        return re.sub(r"\[(\w+)\]\((\w+)\.md\)", lambda x: x[0] if x[2] in few else x[1], text)

    monkeypatch.setattr(make_site.measure_pages, "pages", fewer)
    source, target = tmp_path / "build" / "docs", tmp_path / "site"
    make_site.gather(source)
    (source / "measures" / "pictures").mkdir()
    for key in few:
        (source / "measures" / "pictures" / f"{key}.png").write_bytes(b"")
    assert make_site.build(source, target) == 0
    assert list(make_site.faults(target)) == []
    page = (target / "measures" / "kappa.html").read_text("utf-8")
    assert "<math" in page
    assert "MathJax" not in page


def test_dead_links_are_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">x</a><a href="b.html#no">x</a><a href="c.html">x</a>'
        '<a href="https://example.org">x</a><script src="https://example.org/x.js"></script>'
    )
    (tmp_path / "b.html").write_text('<p id="there">x</p><img src="gone.png">')
    assert list(make_site.faults(tmp_path)) == [
        "a.html loads https://example.org/x.js",
        "a.html links to b.html#no: no such place in it",
        "a.html links to c.html: no such page",
        "b.html loads gone.png, which is not there",
    ]
