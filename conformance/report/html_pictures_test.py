"""html_pictures_test.py DIR: report.html in Chromium: its links, pictures, heat maps, and widths. DIR has the sample runs
`hostile` and `large`."""

import unittest
from urllib.parse import quote

from html_browser import COLOURS, IN_SIGHT, Page, contrast
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

HALVES = "rounds half away from zero"


class Linked(Page):
    def open(self, fragment):
        self.browser.get("about:blank")
        self.browser.get(f"{self.path.as_uri()}#{fragment}")
        ready = "return document.documentElement.dataset.ready !== undefined"
        WebDriverWait(self.browser, 60).until(lambda _: self.run_script(ready), "the script has failed")

    def fragment(self):
        return self.run_script("return location.hash")

    def filters(self):
        return self.run_script("return Object.fromEntries(new FormData(document.getElementById('filters')))")

    def chosen(self):
        return {name: value for name, value in self.filters().items() if value != ""}

    def back(self, expected):
        self.browser.back()
        WebDriverWait(self.browser, 10).until(lambda _: self.chosen() == expected, f"{expected} after going back")

    def cause_of(self, words):
        card = next(card for card in self.all("#cause-cards li") if words in card.text)
        return card.find_element(By.TAG_NAME, "a").text


class Links(Linked):
    sample = "large"

    def test_the_selection_is_in_the_url(self):
        self.choose("opset", "21")
        self.choose("verdict", "problems")
        self.assertEqual(self.fragment(), "#opset=21&verdict=problems")
        count = self.count()
        self.open("opset=21&verdict=problems")
        self.assertEqual(self.chosen(), {"opset": "21", "verdict": "problems"})
        self.assertEqual(self.count(), count)
        self.one("#clear").click()
        self.assertEqual(self.fragment(), "")

    def test_cells_and_causes_are_links(self):
        cell = self.one(".matrix .cell.wrong[data-type=int8]")
        cell.click()
        fragment, count = self.fragment(), self.count()
        self.assertRegex(fragment, r"^#operator=QuantizeLinear&opset=\d+&type=int8$")
        self.open(fragment[1:])
        self.assertEqual(self.count(), count)
        self.assertEqual(self.one(".matrix [aria-current]").get_attribute("data-type"), "int8")
        link = self.one("#cause-cards a")
        self.assertEqual(link.get_attribute("href").split("#")[1], "cause=1")
        link.click()
        self.assertEqual(self.chosen(), {"cause": "1"})
        self.assertTrue(self.run_script(IN_SIGHT, self.one("#cases-heading")), "a link shows the cases")

    def test_back_undoes_clicks_but_not_single_letters(self):
        self.choose("operator", "QuantizeLinear")
        length = self.run_script("return history.length")
        self.one("input[name=text]").send_keys("blocked")
        self.assertEqual(self.fragment(), "#operator=QuantizeLinear&text=blocked")
        self.assertEqual(self.run_script("return history.length"), length)
        self.one("#answers [data-answer=wrong]").click()
        everything = {"operator": "QuantizeLinear", "text": "blocked", "answer": "wrong"}
        self.assertEqual(self.chosen(), everything)
        self.back({"operator": "QuantizeLinear", "text": "blocked"})
        self.back({})
        self.assertEqual(self.count(), 45_000)
        self.browser.forward()
        self.browser.forward()
        WebDriverWait(self.browser, 10).until(lambda _: self.chosen() == everything)

    def test_a_case_is_linked(self):
        self.choose("answer", "wrong")
        case = self.all(".case")[3]
        identity = case.find_element(By.CLASS_NAME, "id").text
        case.click()
        self.assertIn("&case=", self.fragment())
        self.open(self.fragment()[1:])
        opened = self.one(".case[aria-expanded=true]")
        self.assertEqual(opened.find_element(By.CLASS_NAME, "id").text, identity)
        self.assertEqual(self.chosen(), {"answer": "wrong"})
        link = self.one(".details:not([hidden]) a[href^='#case=']")
        self.assertEqual(link.text, "Link to this case")
        opened.click()
        self.assertEqual(self.fragment(), "#answer=wrong")
        self.browser.back()
        WebDriverWait(self.browser, 10).until(lambda _: len(self.all(".case[aria-expanded=true]")) == 1)

    def test_a_linked_case_far_down_in_the_list_is_shown_first(self):
        identity = self.run_script("return inOrder.at(-1).id")
        self.open(f"case={quote(identity, safe='')}")
        case = self.one("#list > li:first-child .case")
        self.assertEqual(case.get_attribute("aria-expanded"), "true")
        self.assertEqual(case.find_element(By.CLASS_NAME, "id").text, identity)
        self.assertEqual(len(self.all(".case")), 21)
        self.run_script("document.getElementById('more').click()")
        identities = [one.text for one in self.all(".case .id")]
        self.assertEqual(len(set(identities)), 41, "none twice")

    def test_the_skip_link_keeps_the_state(self):
        self.open("opset=21")
        self.run_script("document.querySelector('.skip').click()")
        self.assertEqual(self.fragment(), "#opset=21")
        self.assertEqual(self.focused().get_attribute("id"), "cases-heading")


class Pictures(Linked):
    sample = "large"

    def numbers(self, selector, *names):
        return [tuple(float(one.get_attribute(name)) for name in names) for one in self.all(selector)]

    def test_a_cause_has_a_staircase(self):
        self.assertEqual(self.all("figure"), [], "no picture of everything")
        self.open(f"cause={self.cause_of(HALVES)}")
        figure, = self.all("figure")
        self.assertIn("Expected and actual int8 over x / scale", figure.text)
        image = figure.find_element(By.CSS_SELECTOR, "svg[role=img]")
        self.assertEqual(image.accessible_name, "Expected and actual int8 over x / scale "
                         + image.find_element(By.TAG_NAME, "desc").get_attribute("textContent"))
        self.assertEqual([label.text for label in self.all("figure .label")], ["x / scale", "y"])
        self.assertEqual([one.text for one in self.all("figure .legend span")], ["● expected", "✕ actual"])
        titles = {title.get_attribute("textContent") for title in self.all(".plot g title")}
        self.assertEqual(titles, {
            *(f"x / scale {n + 0.5}: expected {n}, actual {n + 1}" for n in (0, 2, 4, 6)),
            *(f"x / scale {-n - 0.5}: expected {-n}, actual {-n - 1}" for n in (0, 2, 4, 6))})
        # The line has a tread for each integer, and the expected values lie on the ends of treads.
        line = self.one(".plot path.expected.steps").get_attribute("d")
        self.assertGreaterEqual(line.count("H"), 15)
        errors = self.numbers(".plot .error", "y1", "y2")
        self.assertEqual(len(errors), 8)
        heights = {round(abs(top - bottom), 6) for top, bottom in errors}
        self.assertEqual(len(heights), 1, "all are off by one")

    def test_float_outputs_have_a_histogram(self):
        cause = self.cause_of("rounds half upwards")
        self.open(f"cause={cause}")
        self.assertEqual([one.text for one in self.all("figcaption")][1], "Error of floating-point outputs")
        self.assertIn("units in the last place", self.all("figure")[1].text)
        bars = {title.get_attribute("textContent").split(": ")[0]: int(title.get_attribute("textContent").split(": ")[1].replace(",", ""))
                for title in self.all(".plot .bar title")}
        elements = self.run_script("return wrongRows(listed).map(({ row }) => row[9])")
        finite = [error for error in elements if error is not None]
        self.assertEqual(bars["1"] + bars["−1"] + bars["0"] + bars.get("∞, NaN", 0), len(finite))
        self.assertGreater(min(bars["1"], bars["−1"]), 100, "the sample flips the last bit")
        self.choose("operator", "DequantizeLinear")
        self.assertEqual([one.text for one in self.all("figcaption")], ["Error of floating-point outputs"])

    def test_the_card_of_a_cause_shows_its_picture(self):
        card = next(card for card in self.all("#cause-cards li") if HALVES in card.text)
        card.find_element(By.TAG_NAME, "summary").click()
        WebDriverWait(self.browser, 10).until(lambda _: len(card.find_elements(By.TAG_NAME, "figure")) == 1)
        self.assertIn("touchstone replay ", card.find_element(By.CSS_SELECTOR, ".command code").text)

    def test_pictures_have_few_points(self):
        for row in self.run_script("return report.causes.map((_, index) => String(index + 1))"):
            self.choose("cause", row)
            self.assertLessEqual(len(self.all(".plot circle")), 300)
            self.assertLessEqual(len(self.all(".plot .bar")), 66)
            geometry = self.run_script("return [...document.querySelectorAll('figure svg *')]"
                                       ".flatMap((one) => [...one.attributes]).map(({ value }) => value).join(' ')")
            self.assertNotRegex(geometry, r"NaN(?!:)|Infinity|undefined")

    def test_pictures_are_seen_in_light_and_dark(self):
        self.open(f"cause={self.cause_of(HALVES)}")
        for _ in range(2):
            self.one("#theme").click()
            colours = set()
            for selector in (".legend .expected", ".legend .actual"):
                text, ground = self.run_script(COLOURS, self.one(f"figure {selector}"))
                self.assertGreaterEqual(contrast([text, ground]), 4.5, selector)
                colours.add(tuple(text))
            self.assertEqual(len(colours), 2)
            fill = self.run_script("return getComputedStyle(arguments[0]).fill", self.one(".plot circle"))
            legend = self.run_script("return getComputedStyle(arguments[0]).color", self.one("figure .legend .expected"))
            self.assertEqual(fill, legend)


class HeatMaps(Linked):
    sample = "large"

    def test_forms_and_granularities(self):
        headings = [head.text for head in self.all("#forms thead th")]
        self.assertEqual(sorted(headings[1:4]), ["blocked", "per_axis", "per_tensor"])
        self.assertEqual([headings[0], *headings[4:]], ["form", "right", "wrong", "refused", "illegal models rejected", "in words"])
        fields = self.one("#forms tbody tr").find_elements(By.TAG_NAME, "td")
        self.assertEqual(fields[-1].text, "all operands are graph inputs, as in ONNX's own tests")
        for heading, mark in (("wrong", "✗"), ("refused", "–")):
            button = fields[headings.index(heading)].find_element(By.TAG_NAME, "button")
            expected = int(button.text.replace(",", ""))
            self.run_script("arguments[0].scrollIntoView()", button)
            button.click()
            self.assertEqual(self.count(), expected)
            self.assertTrue(all(case.text.startswith(mark) for case in self.all(".case .verdict")))

    def test_a_cell_leads_to_its_cases(self):
        cell = self.one("#forms .cell[data-form=initializers][data-granularity=blocked]")
        self.assertIn("wrong", cell.get_attribute("class"))
        self.assertEqual(cell.value_of_css_property("background-color"),
                         self.one(".matrix .cell.wrong").value_of_css_property("background-color"))
        total = int(cell.get_attribute("title").split(" of ")[-1].replace(",", ""))
        cell.click()
        self.assertEqual(self.count(), total)
        self.assertEqual(self.chosen(), {"form": "initializers", "granularity": "blocked"})
        self.assertEqual(self.one("#forms [aria-current]").get_attribute("data-form"), "initializers")

    def test_each_follows_the_filters_of_the_other(self):
        before = self.one("#forms .cell").get_attribute("title")
        self.choose("opset", "21")
        self.assertIn("Only cases of opset 21.", self.one("#forms .note").text)
        self.assertNotEqual(self.one("#forms .cell").get_attribute("title"), before)
        self.choose("form", "inputs")
        self.assertIn("Only cases of form inputs.", self.one("#matrix-note").text)

    def test_a_cell_does_not_count_by_cause(self):
        self.choose("cause", "1")
        cell = self.one(".matrix .cell.wrong[data-type=int8]")
        total = int(cell.get_attribute("title").split(" of ")[-1])
        cell.click()
        self.assertEqual(self.count(), total)


class Widths(Linked):
    sample = "large"

    def resize(self, width):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False})

    def tearDown(self):
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        super().tearDown()

    def test_no_column_hides_another(self):
        self.resize(1280)
        too_wide = "return [...document.querySelectorAll('.scroller')].filter((one) => one.scrollWidth > one.clientWidth).length"
        self.assertEqual(self.run_script(too_wide), 0)
        # As if every case were wrong.
        self.run_script("""
            for (const cell of document.querySelectorAll('.matrix .cell')) {
                cell.className = 'cell wrong';
                cell.children[0].textContent = '✗356';
                cell.children[1].textContent = '356/356';
            }""")
        self.assertEqual(self.run_script(too_wide), 0)

    def test_the_first_and_the_last_column_are_always_visible(self):
        for width in (1440, 800):
            self.resize(width)
            for table in self.all(".matrix"):
                self.run_script("arguments[0].scrollIntoView({ block: 'center' })", table)
                for column in ("first", "last"):
                    for cell in table.find_elements(By.CSS_SELECTOR, f"th:{column}-child, td:{column}-child"):
                        self.assertTrue(self.run_script(IN_SIGHT, cell), (width, column, cell.text))
            self.assertTrue(self.run_script("return document.documentElement.scrollWidth <= innerWidth"), width)

    def test_cards_fit_into_narrow_windows(self):
        self.resize(400)
        for card in self.all("#cause-cards li"):
            self.assertLessEqual(card.rect["x"] + card.rect["width"], 400)
            self.assertFalse(self.run_script("return arguments[0].scrollWidth > arguments[0].clientWidth", card))

    def test_tables_show_that_they_scroll(self):
        self.resize(400)
        self.open(f"cause={self.cause_of(HALVES)}")
        self.assertTrue(self.run_script("return document.documentElement.scrollWidth <= innerWidth"))
        self.assertGreaterEqual(self.one("figure svg").size["width"], 300)
        self.one(".case").click()
        shadows = "return ['::before', '::after'].map((edge) => getComputedStyle(arguments[0], edge).opacity)"
        for selector in ("#matrices", "#forms", ".details:not([hidden])"):
            scroll = self.one(f"{selector} .scroll")
            scroller = scroll.find_element(By.CLASS_NAME, "scroller")
            for place, expected in (("0", ["0", "1"]), ("40", ["1", "1"]), ("scrollWidth", ["1", "0"])):
                place = place.replace("scrollWidth", "arguments[0].scrollWidth")
                self.run_script(f"arguments[0].scrollLeft = {place}", scroller)
                WebDriverWait(self.browser, 10).until(
                    lambda _, scroll=scroll, expected=expected: self.run_script(shadows, scroll) == expected,
                    f"{selector} at {place}: {expected}")


class Hostile(Linked):
    sample = "hostile"

    def test_unknown_and_hostile_fragments_are_ignored(self):
        for fragment in ("opset=999", "opset=%3Cscript%3E", "case=%3Cimg%20src%3Dx%20onerror%3D%22hostileTextRan%3D7%22%3E",
                         "__proto__=1&constructor=2&filters=3", "%", "%E0%A4%A", "cause=-1", "cause=1.5&cause=1", "list",
                         "cause=toString", "verdict=__proto__", "=", "&&&", "javascript:hostileTextRan=8"):
            self.open(fragment)
            self.assertEqual(self.chosen(), {}, fragment)
            self.assertEqual(self.count(), 25, fragment)
            self.assertEqual(self.all("figure, .case[aria-expanded=true]"), [], fragment)
        self.assertIsNone(self.run_script("return window.hostileTextRan ?? null"))

    def test_a_search_text_is_not_interpreted(self):
        text = "<script>window.hostileTextRan = 1</script>"
        self.open(f"text={quote(text)}&unknown=1")
        self.assertEqual(self.chosen(), {"text": text})
        self.assertIn(text, self.one("#count").text)
        self.assertEqual(len(self.all("script")), 2)
        self.assertIsNone(self.run_script("return window.hostileTextRan ?? null"))

    def test_hostile_names_are_linked(self):
        for index, form in enumerate(self.run_script("return CHOICES.form()"), 1):
            Select(self.one("select[name=form]")).select_by_index(index)
            count = self.count()
            self.open(self.fragment()[1:])
            self.assertEqual(self.chosen(), {"form": form})
            self.assertEqual(self.count(), count)
        self.one("#clear").click()
        self.one("#more").click()
        shown = [one.text for one in self.all(".case .id")]
        links = self.run_script("return listed.map(({ id }) => fragmentOf({ case: id }))")
        for identity, link in zip(shown, links, strict=True):
            self.open(link[1:])
            self.assertEqual(self.one(".case[aria-expanded=true] .id").text, identity)


del Linked, Page  # base classes, not tests
unittest.main(verbosity=2)
