"""What the tests of pages share."""

from browser.pages import chromium, crowd, pair, several, visit
