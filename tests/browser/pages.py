"""A browser for the tests of pages: Debian's Chromium, driven by Playwright."""

import importlib.util
import shutil
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from conftest import require

import chancemeter as cm

EXAMPLES = Path(__file__).parents[2] / "examples"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
#: It must not talk to anybody by itself either.
SILENT = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium():
    require("playwright", importlib.util.find_spec("playwright") is not None)
    require("chromium", CHROMIUM is not None)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SILENT)
        yield browser
        browser.close()


class Opened:
    """A page, and all that must not happen on it."""

    def __init__(self, page):
        self.page, self.asked, self.said, self.dialogs = page, [], [], []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", self._dismiss)

    def _dismiss(self, dialog):
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def check(self):
        outside = [url for url in self.asked if not url.startswith(("file://", "blob:"))]
        assert not outside, outside
        assert not self.said, self.said
        assert not self.dialogs, self.dialogs


@pytest.fixture
def visit(chromium, tmp_path):
    """Open HTML from disk; whatever it asks for, says or breaks is told."""

    @contextmanager
    def visit(html, **options):
        path = tmp_path / "page.html"
        path.write_text(html, "utf-8")
        context = chromium.new_context(**options)
        page = context.new_page()
        opened = Opened(page)
        page.goto(path.as_uri())
        yield page
        opened.check()
        context.close()

    return visit


def two_models():
    """Two models on the same cases."""
    return cm.report(
        {name: cm.read(EXAMPLES / f"{name}.csv").table for name in ("forest", "logreg")},
        command="chancemeter report forest.csv logreg.csv",
    )


def many_models(models=20, k=10, n=3000, seed=3):
    """Models from bad to good, on unequal classes."""
    rng = np.random.default_rng(seed)
    shares = np.arange(1, k + 1) / sum(range(1, k + 1))
    truth = rng.choice(k, n, p=shares)
    found = {}
    for i in range(models):
        guesses = rng.choice(k, n, p=shares)
        known = rng.random(n) < i / models
        table = np.zeros((k, k), int)
        np.add.at(table, (truth, np.where(known, truth, guesses)), 1)
        found[f"model {i:02}"] = cm.table(table, [f"class {j}" for j in range(k)])
    return cm.report(found)


@pytest.fixture(scope="session")
def several():
    """So many that the best is told, and few enough for axe, which looks at every cell."""
    rng = np.random.default_rng(4)
    truth = rng.choice(["cat", "dog", "owl"], 400, p=[0.7, 0.2, 0.1])
    models = {}
    for i in range(4):
        guess = rng.choice(["cat", "dog", "owl"], 400, p=[0.7, 0.2, 0.1])
        models[f"m{i}"] = np.where(rng.random(400) < i / 4, truth, guess)
    return cm.report(cm.same_rows(truth, models | {"always cat": np.full(400, "cat")}))


@pytest.fixture(scope="session")
def pair():
    return two_models()


@pytest.fixture(scope="session")
def crowd():
    return many_models()
