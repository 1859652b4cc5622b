"""For the tests of HTML pages: opens a page in Chromium. The last argument of the test is the directory of the samples:
the runs `hostile` and `large`, and the page of `comparison`."""

import os
import sys
import time
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

SAMPLES = Path(sys.argv.pop()).resolve()


def open_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    options.add_argument("--headless=new")
    options.add_argument("--window-size=1440,1000")
    options.add_argument("--disable-dev-shm-usage")  # containers have little of it
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # Chromium does not start as root with it
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Page(unittest.TestCase):
    browser = None
    sample = None
    page = "report.html"

    @classmethod
    def setUpClass(cls):
        cls.browser = open_browser()
        cls.path = SAMPLES / cls.sample / cls.page

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def setUp(self):
        started = time.monotonic()
        self.browser.get(self.path.as_uri())
        ready = "return document.documentElement.dataset.ready !== undefined"
        WebDriverWait(self.browser, 60).until(lambda _: self.run_script(ready), "the script has failed")
        self.opening_seconds = time.monotonic() - started

    def tearDown(self):
        messages = [row["message"] for row in self.browser.get_log("browser")]
        self.assertEqual(messages, [], "nothing to complain about, for script and policy")

    def run_script(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def count(self):
        return int(self.one("#count").text.split(" of ")[0].replace(",", ""))

    def choose(self, name, value):
        Select(self.one(f"select[name={name}]")).select_by_value(value)

    def focused(self):
        return self.browser.switch_to.active_element

    def press(self, *keys):
        for key in keys:
            self.focused().send_keys(key)


# tools/setup installs it.
AXE = ".venv-test/lib/python3*/site-packages/axe_playwright_python/axe.min.js"


def accessibility_violations(page):
    """What axe-core has to say about the page: the rules that it violates, and where."""
    script = next(Path(__file__).parents[2].glob(AXE), None)
    if script is None:
        raise FileNotFoundError(f"{AXE} is missing: run tools/setup")
    page.browser.execute_script(script.read_text(encoding="utf-8"))
    found = page.browser.execute_async_script(
        "axe.run({ rules: { 'label-content-name-mismatch': { enabled: true } } })"
        ".then(arguments[0], (error) => arguments[0]({ error: String(error) }))")
    return [(rule["id"], rule["nodes"][0]["html"][:200], rule["nodes"][0]["failureSummary"]) for rule in found["violations"]]


# Whether the middle of an element is what is seen there.
IN_SIGHT = """
    const { left, right, top, bottom } = arguments[0].getBoundingClientRect();
    return arguments[0].contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));"""

# The text's colour, and that of the nearest ground behind it, as 8-bit sRGB.
COLOURS = """
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgb = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
                              return [...canvas.getImageData(0, 0, 1, 1).data]; };
    let behind = arguments[0];
    while (rgb(getComputedStyle(behind).backgroundColor)[3] < 255) behind = behind.parentElement;
    return [rgb(getComputedStyle(arguments[0]).color), rgb(getComputedStyle(behind).backgroundColor)];"""


def contrast(colours):
    """The contrast ratio of WCAG 2; 4.5 is what it asks of text."""
    def luminance(colour):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in colour[:3])]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    dark, light = sorted(map(luminance, colours))
    return (light + 0.05) / (dark + 0.05)
