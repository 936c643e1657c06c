"""Pages as people meet them: from disk, by keyboard, on paper, in the dark, without scripts."""

import http.server
import importlib.util
import json
import threading
from functools import partial
from pathlib import Path

import pytest
from conftest import require

import chancemeter as cm
from browser.pages import many_models
from chancemeter.figures import percent

SETTINGS = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True},
    "forced": {"forced_colors": "active"},
    "no scripts": {"java_script_enabled": False},
}


def axe():
    """The text of axe-core, from an installed package that carries it."""
    found = importlib.util.find_spec("axe_playwright_python")
    require("axe-playwright-python", found is not None)
    return (Path(found.origin).parent / "axe.min.js").read_text("utf-8")


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_first_sentence(visit, pair, setting):
    with visit(pair.to_html(), **SETTINGS[setting]) as page:
        first = page.locator("p.lead").first
        assert first.inner_text().startswith("forest is right in 91.7% of 2,000 cases.")
        assert first.is_visible()
        assert page.locator("h1").inner_text() == "How much of the accuracy is chance?"


@pytest.mark.parametrize("setting", ["light", "dark", "phone"])
@pytest.mark.parametrize("which", ["pair", "several", "crowd"])
def test_nothing_sticks_out(visit, request, which, setting):
    """Only tables scroll, each by itself; the page never does to the side."""
    with visit(request.getfixturevalue(which).to_html(), **SETTINGS[setting]) as page:
        width, room = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
        assert width <= room


@pytest.mark.parametrize("setting", ["light", "dark", "phone"])
@pytest.mark.parametrize("which", ["pair", "several"])
def test_axe_finds_nothing(visit, request, which, setting):
    report = request.getfixturevalue(which)
    with visit(report.to_html(), bypass_csp=True, **SETTINGS[setting]) as page:
        for details in page.locator("details").all():
            details.evaluate("e => e.open = true")
        page.evaluate(axe())
        found = page.evaluate("() => axe.run()")
        shown = [(v["id"], [n["html"][:200] for n in v["nodes"][:3]]) for v in found["violations"]]
        assert not shown, json.dumps(shown, indent=1)
        assert len(found["passes"]) > 20


def test_tabbing_reaches_everything_that_can_be_used(visit, pair):
    with visit(pair.to_html()) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        seen = []
        for _ in range(60):
            focused = page.evaluate(
                "() => { const e = document.activeElement; return e.tagName + (e.type || '')"
                " + (e.getAttribute('aria-label') || e.textContent || '').slice(0, 30); }"
            )
            if seen and focused.startswith("BODY"):
                break
            seen.append(focused)
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", focused
            page.keyboard.press("Tab")
        kinds = "".join(seen)
        for kind in ("INPUTrange", "INPUTradio", "BUTTON", "DIVMeasures", "DIVConfusion matrix"):
            assert kind in kinds, (kind, seen)


def test_scripts_off_is_complete_but_for_the_sliders(visit, pair):
    html = pair.to_html()
    with visit(html, **SETTINGS["no scripts"]) as page:
        off = page.locator("main").inner_text()
    with visit(html) as page:
        page.evaluate("document.getElementById('whatif').hidden = true")
        page.evaluate("document.querySelectorAll('fieldset').forEach(e => e.remove())")
        page.evaluate("document.querySelectorAll('nav').forEach(e => e.remove())")
        on = page.locator("main").inner_text()
    for line in on.splitlines():
        assert line in off
    assert "46%" in off
    assert "rarer" not in off


def test_on_paper(visit, pair, tmp_path):
    with visit(pair.to_html()) as page:
        pdf = page.pdf(format="A4", print_background=True)
        page.emulate_media(media="print")
        assert not page.locator("#whatif").is_visible()
        assert page.locator("p.lead").first.is_visible()
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page/") <= 4


def test_nothing_is_asked_for_when_it_is_served(chromium, pair, tmp_path):
    """Not even an icon: the server sees one request, for the page."""
    (tmp_path / "page.html").write_text(pair.to_html(), "utf-8")
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            asked.append(self.path)

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Handler, directory=str(tmp_path))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = chromium.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/page.html", wait_until="networkidle")
    page.close()
    server.shutdown()
    server.server_close()
    assert set(asked) <= {"/page.html", "/favicon.ico"}
    assert "/page.html" in asked


def test_what_the_policy_forbids(visit, pair):
    """A script, a style, a picture that got in by itself would do nothing."""
    html = pair.to_html().replace(
        "</main>",
        "<script>document.title = 'pwned'</script><img src='data:,' onerror='document.title=1'>"
        "<p id=x style='color: rgb(1, 2, 3)'>x</p></main>",
    )
    path_html = html
    from contextlib import suppress

    with suppress(AssertionError), visit(path_html) as page:
        title, color = (
            page.title(),
            page.evaluate("getComputedStyle(document.getElementById('x')).color"),
        )
    assert title.startswith("forest, logreg")
    assert color != "rgb(1, 2, 3)"


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "=cmd()|' /C calc'!A0",
    "\x1b[31mred\x1b[0m",
    "שלום עולם",
    "\u202egnp.exe",
    "a & b \"c\" 'd' `e` \\f{g} $h$ %i #j _k_",
    "]]><!-- --> {{7*7}}",
]


def hostile():
    k = len(HOSTILE)
    table = cm.table([[9 if i == j else 1 for j in range(k)] for i in range(k)], HOSTILE)
    return cm.report({HOSTILE[0]: table, HOSTILE[1]: table}, notes=HOSTILE, command=HOSTILE[0])


def test_hostile_labels_are_text(visit):
    with visit(hostile().to_html()) as page:
        assert page.locator("img").count() == 0
        for open_ in page.locator("details").all():
            open_.evaluate("e => e.open = true")
        text = page.locator("body").inner_text()
        for label in [*HOSTILE[:3], "\\x1b[31mred", "שלום עולם", "\\u202egnp.exe", *HOSTILE[6:]]:
            assert label in text, label
        assert "\x1b" not in text
        assert "\u202e" not in text
        sliders = page.locator("#sim label span").all_inner_texts()
        assert sliders[0] == f"Share of “{HOSTILE[0]}”"


def test_many_models_are_listed_best_first(visit, crowd):
    with visit(crowd.to_html()) as page:
        lead = page.locator("p.lead").first.inner_text()
        assert lead.startswith("The best of 20 models by kappa is model 19.")
        rows = page.locator("#answer tbody th").all_inner_texts()
        kappas = {m.name: m.luck.kappa for m in crowd.models}
        assert rows == sorted(kappas, key=kappas.get, reverse=True)


def test_very_many_classes(visit):
    report = many_models(2, 200)
    with visit(report.to_html()) as page:
        assert "(176 others)" in page.locator("table.cm").first.inner_text()
        assert page.locator("table.cm").first.locator("tbody tr").count() == 25
        assert page.locator("#whatif").count() == 0


def test_a_hundred_models(visit):
    with visit(many_models(100, 4).to_html()) as page:
        assert page.locator("#answer tbody tr").count() == 100


def test_sizes(pair, crowd):
    assert len(pair.to_html().encode()) <= 40_000
    assert len(crowd.to_html().encode()) <= 150_000


def test_labels_of_500_characters(visit):
    long = ["x" * 500, "y " * 250]
    report = cm.report({"a" * 500: cm.table([[5, 1], [2, 7]], long)})
    for setting in ("light", "phone"):
        with visit(report.to_html(), **SETTINGS[setting]) as page:
            width, room = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
            assert width <= room
            assert percent(12 / 15) in page.locator("p.lead").first.inner_text()
