"""comparison_page_test.py DIR: clicks and types through comparison.html in Chromium. DIR has the page of the results in
comparison_sample.json."""

import json
import tempfile
import unittest
from pathlib import Path

from html_browser import COLOURS, SAMPLES, Page, accessibility_violations, contrast
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

RESULTS = json.loads((Path(__file__).parent / "comparison_sample.json").read_text(encoding="utf-8"))
BLOCKED = "operator=DequantizeLinear&opset=21&type=int4%2Cuint4&granularity=blocked"
# The first table begins with them.
ALPHA, BETA, GAMMA = 0, 1, 2


class Comparison(Page):
    sample = "comparison"
    page = "comparison.html"

    def open(self, fragment):
        self.browser.get("about:blank")
        self.browser.get(f"{self.path.as_uri()}#{fragment}")

    def until(self, condition):
        """Links take effect in an event of their own."""
        WebDriverWait(self.browser, 10).until(lambda _: condition())

    def until_focused(self, identity):
        self.until(lambda: self.run_script("return document.activeElement.id") == identity)

    def fragment(self):
        return self.run_script("return location.hash")

    def open_sides(self, *keys):
        """Shows results next to each other, with all rows."""
        self.run_script("change({ with: arguments[0].join('~'), same: '1' })", keys)

    def rows(self, selector):
        return [row.text.split("\n") for row in self.all(f"{selector} tbody tr")]

    def cell(self, row, column):
        headings = [heading.text for heading in self.all("#board thead th")]
        rows = self.all("#board tbody tr")
        return rows[row].find_elements(By.CSS_SELECTOR, "th, td")[headings.index(column)].text.split("\n")

    def give(self, *files):
        """Chooses files; gives what the page says about each."""
        with tempfile.TemporaryDirectory() as directory:
            paths = []
            for name, content in files:
                paths.append(Path(directory) / name)
                paths[-1].write_text(content, encoding="utf-8")
            self.run_script("document.getElementById('messages').replaceChildren()")
            self.one("#file").send_keys("\n".join(map(str, paths)))
            self.until(lambda: len(self.all("#messages p")) == len(files))
        return [message.text for message in self.all("#messages p")]

    # ---- The first table

    def test_has_a_row_for_each_runtime_with_what_it_computes(self):
        self.assertEqual(len(self.all("#board tbody tr")), 4)
        self.assertEqual(self.cell(ALPHA, "int8 per channel"), ["✓right", "3"])
        self.assertEqual(self.cell(ALPHA, "int8 CNN"), ["✗1 wrong", "6 of 7"])
        self.assertEqual(self.cell(ALPHA, "2-bit"), ["–refused", "0 of 2"])
        self.assertEqual(self.cell(ALPHA, "float8"), ["✗1 wrong", "3 of 4"])
        self.assertEqual(self.cell(ALPHA, "bfloat16"), ["◐partly", "1 of 2"])
        self.assertEqual(self.cell(ALPHA, "opset ≥ 21"), ["◐partly", "13 of 15"])
        self.assertEqual(self.cell(ALPHA, "graphs"), ["✗1 wrong", "8 of 9"])
        self.assertEqual(self.cell(ALPHA, "illegal models"), ["✗1 accepted", "9 of 10"])
        self.assertEqual(self.cell(GAMMA, "int16"), ["○not asked", "0 of 5"])
        self.assertEqual(self.cell(GAMMA, "float8"), ["·no result", "no such case"])

    def test_options_and_processors_that_decide_are_cells_of_their_own_kind(self):
        self.assertEqual(self.cell(BETA, "int8"), ["⇄4 wrong", "5 of 9", "✓ right with exact_mode = 1"])
        self.assertEqual(self.cell(ALPHA, "int8"), ["⇄right", "9", "✗ wrong with fast"])
        self.assertEqual(self.cell(ALPHA, "int4 weights"), ["⇄right", "9", "✗ wrong on haswell"])

    def test_an_option_with_nothing_wrong_claims_no_more(self):
        for counts, note in (([2, 0, 2], "◐ none wrong with exact_mode = 1: 7 of 9 right"),
                             ([0, 0, 4], "◐ none wrong with exact_mode = 1: 5 of 9 right"),
                             ([3, 1], None), ([0, 0, 0, 4], None), ([3, 0, 0, 0, 1], None)):
            self.run_script("""
                results.find(({ setup }) => setup === 'precise').leaves.find(({ part, type, granularity, version }) =>
                  part === 'operators' && type === 'int8' && granularity === 'per_tensor' && version === '21').counts = arguments[0];
                drawAll();""", counts)
            expected = ["✗4 wrong", "5 of 9"] if note is None else ["⇄4 wrong", "5 of 9", note]
            self.assertEqual(self.cell(BETA, "int8"), expected, counts)

    def test_badges_say_what_the_cells_say(self):
        badges = json.loads((SAMPLES / "comparison/badges.json").read_text(encoding="utf-8"))
        cells = self.run_script("""
            return [...runtimes().values()].flatMap(newestOf).flatMap((result) => COLUMNS.map((column) => {
              const { command, configuration: { cpu } } = result;
              const path = (cpu ? `${command}-${cpu}` : command).replace(/[^\\w.]/g, '-');
              return [`${path}/${column.id}.json`, cellOf(result, column, [])];
            }));""")
        self.assertEqual(len(cells), len(badges))
        for path, cell in cells:
            colour = {"right": "brightgreen", "wrong": "red", "partly": "yellow"}.get(cell["own"], "lightgrey")
            self.assertEqual(badges[path]["color"], colour, path)
            first, second = cell["words"]
            says = {"right": f"all {second} ", "wrong": f"{first}, {second} ", "partly": second}.get(cell["own"], first)
            self.assertTrue(badges[path]["message"].startswith(says), (path, badges[path], cell["words"]))

    def test_what_users_have_by_default_comes_first(self):
        self.run_script("""
            given.runtimes.alpha.usual = 'fast';
            addResult({ ...given.results[0], backend: { name: 'Zeta', version: '1' } }, true);
            drawAll();""")
        self.assertEqual(self.all("#board tbody th")[ALPHA].text.split("\n")[:2], ["Alpha 1.20.0", "by default"])
        self.assertEqual(self.cell(ALPHA, "int8")[-1], "✓ right with the lowest level of optimizations")

    def test_other_results_are_folded(self):
        self.one(".fold").click()
        names = [row.find_element(By.TAG_NAME, "th").text.split("\n") for row in self.all("#board .folded")]
        self.assertEqual(names, [["1.20.0", "with fast"], ["1.20.0", "on haswell", "7 not run: the emulator lacks an instruction"],
                                 ["1.20.0rc1"], ["1.19.0"], ["1.19.0", "with fast", "no result: its worker does not start"],
                                 ["1.18.0", "no result: no wheel"], ["1.9.0"]], "newest first")
        self.assertEqual(self.fragment(), "#open=Alpha")
        self.assertEqual(self.focused().get_attribute("aria-expanded"), "true")
        self.press(Keys.ENTER)
        self.assertEqual(self.all("#board .folded"), [])

    def test_another_plan_is_marked(self):
        self.assertIn("plan if no other is named: smoke, 100 cases", self.one("#headline").text)
        marks = [row[1:] for row in ([*cell.text.split("\n")] for cell in self.all("#board tbody th"))]
        self.assertEqual(marks[GAMMA], ["another plan: standard, 4,000 cases"])
        self.assertEqual(marks[BETA], ["▸ 1 more"])
        self.assertIn("The plans differ, so the counts are of different cases", self.one("#side-note").text)

    def test_other_data_of_the_same_plan_is_marked(self):
        strict = {"judge": {"strict": True, "sign_of_zero": False}}
        for journal, changed in ("a" * 64, {"content": "d" * 64}), ("b" * 64, strict):
            self.give(("mine.json", json.dumps({**RESULTS[0], "backend": {"name": f"Mine {journal[0]}", "version": "3"},
                                                "journal": journal, **changed})))
        heads = {head.text.split("\n")[0]: head.text.split("\n")[1:] for head in self.all("#board tbody th")}
        self.assertEqual(heads["Mine a 3"], ["some cases in other forms or with other data", "your file"])
        self.assertEqual(heads["Mine b 3"], ["only primary readings pass", "your file"])
        self.open_sides("Mine a 3 smoke", "Mine b 3 smoke")
        self.assertRegex(self.one("#side-note").text, "Some cases have other forms, .*, or other data, .*, in: Mine a 3 smoke[.]")
        self.open_sides("Alpha 1.20.0 smoke", "Mine b 3 smoke")
        self.assertNotIn("other data", self.one("#side-note").text)

    def test_a_report_has_no_granularities_and_the_others_keep_theirs(self):
        operators = {"QuantizeLinear": {"int8": {"any": {"10": [5], "13": [3], "21": [4]}}}}
        own = {**RESULTS[0], "backend": {"name": "Mine", "version": "3"}, "operators": operators}
        self.give(("mine.json", json.dumps(own)))
        self.assertEqual(self.cell(ALPHA, "int8"), ["⇄right", "9", "✗ wrong with fast"])
        mine = [row.text.split("\n")[0] for row in self.all("#board tbody tr th")].index("Mine 3")
        self.assertEqual(self.cell(mine, "int8"), ["·no result", "granularity not known"])
        self.assertEqual(self.cell(mine, "opset ≥ 21"), ["✓right", "4"])
        self.assertEqual(self.cell(mine, "int16"), ["·no result", "no such case"])
        self.open_sides("Alpha 1.20.0 smoke", "Mine 3 smoke")
        self.assertIn(["int8, any", "✓right", "12", "✓right", "12"], self.rows("#matrix"))

    def test_a_cell_leads_to_its_parts(self):
        self.one("#board tbody tr").find_elements(By.CSS_SELECTOR, ".cell")[7].click()
        self.assertEqual(self.fragment(), "#with=Alpha+1.20.0+smoke&column=float8&same=1")
        self.until_focused("side-heading")
        self.assertEqual(self.rows("#matrix"), [["QuantizeLinear"], ["float8e4m3fn, per tensor", "✗1 wrong", "3 of 4"]])

    def test_works_without_a_mouse(self):
        stops = self.all("#board .cell[tabindex='0']")
        self.assertEqual(len(stops), 1)
        self.run_script("arguments[0].focus()", stops[0])
        self.press(*[Keys.ARROW_RIGHT] * 3, Keys.ARROW_DOWN)
        self.assertEqual(self.focused().get_attribute("title"),
                         "Beta 2.0 smoke, int8 per channel: 3 right, 0 wrong, 0 refused, 0 not asked, of 3")
        self.press(Keys.ENTER)
        self.until_focused("side-heading")

    # ---- The search

    def test_the_example_answers_which_runtime_and_since_when(self):
        self.assertFalse(self.one("#found").is_displayed())
        self.one("#answer a").click()
        self.assertEqual(self.fragment(), f"#{BLOCKED}")
        self.until(self.one("#found").is_displayed)
        self.assertEqual(self.one("#answer").text, "5 right, 1 wrong, 1 without a result, of 7 runtimes and configurations")
        rows = self.rows("#found")
        self.assertEqual(rows[0], ["Alpha 1.20.0", "with fast", "✓right", "7", "1.20.0; no older results"], "not run on haswell")
        self.assertEqual(rows[1], ["Beta 2.0", "with exact_mode = 1", "✓right", "7", "2.0; no older results"])
        self.assertIn(["Alpha 1.20.0", "⇄right", "7", "✗ wrong on haswell", "1.20.0rc1"], rows)
        self.assertEqual([row[0] for row in rows[-2:]], ["Gamma 0.1", "Alpha 1.20.0"], "silently wrong is the worst")
        self.assertEqual(next(row for row in rows if "on haswell" in row)[-1], "no older results")

    def test_the_search_is_in_the_url(self):
        self.choose("operator", "DequantizeLinear")
        self.choose("opset", "21")
        self.choose("type", "uint4")
        self.assertEqual(self.fragment(), "#operator=DequantizeLinear&opset=21&type=uint4")
        answer = self.one("#answer").text
        self.browser.back()
        self.until(lambda: "type" not in self.fragment())
        self.assertNotEqual(self.one("#answer").text, answer)
        self.open("operator=DequantizeLinear&opset=21&type=uint4&granularity=nonsense&with=constructor")
        self.assertEqual(self.one("#answer").text, answer, "values that the page does not offer do not count")
        self.one("#clear").click()
        self.assertEqual(self.fragment(), "")

    def test_opsets_are_those_of_a_version(self):
        options = [option.text for option in self.all("select[name=opset] option")]
        self.assertEqual(options, ["all", "10 to 12", "13 to 18", "19 to 20", "21 to 22", "23", "24", "25 to 27", "28"])

    def test_partly_right_since_when_and_in_which_types(self):
        self.open("operator=QuantizeLinear&opset=21")
        self.run_script("""
            const older = byKey('Alpha 1.9.0 smoke');
            for (const one of results.filter(({ name }) => name === 'Alpha')) {
              one.leaves.push(...[['float', [5]], ['float16', [1, 0, 1]]].map(([type, counts]) =>
                ({ part: 'float_types', operator: 'QuantizeLinear', version: '21', type, granularity: '', counts })));
              one.leaves.filter(({ type }) => type === 'bfloat16').forEach((leaf) => { leaf.counts = [0, 0, 2]; });
              const leaf = one.leaves.find(({ type, version }) => type === 'int8' && version === '21');
              leaf.counts = one === older ? [2, 0, 2] : [3, 0, 1];
            }
            drawFound();""")
        row = next(row for row in self.rows("#found") if row[0] == "Alpha 1.20.0")
        self.assertEqual(row, ["Alpha 1.20.0", "with fast", "on haswell", "◐partly", "3 of 4", "✓ right with float; – refused with bfloat16",
                               "3 of 4 since 1.19.0"])

    # ---- Side by side

    def test_shows_what_is_wrong_only_here(self):
        self.assertIn(["int8, per tensor", "✓right", "9", "✗4 wrong", "5 of 9", "wrong only here", "–refused", "0 of 9", "✓right", "9"],
                      self.rows("#matrix"))

    def test_graphs_of_networks_are_above_the_operators(self):
        self.open_sides("Alpha 1.20.0 smoke", "Beta 2.0 smoke")
        self.assertEqual([row[0] for row in self.rows("#matrix")][:3], ["graphs of networks", "int8 CNN", "QuantizeLinear"])

    def test_patterns_that_are_all_right_may_share_a_row(self):
        self.open("with=Alpha+1.20.0+smoke%7EBeta+2.0+smoke&column=graphs&same=1")
        self.assertEqual(self.rows("#matrix"), [["graphs"], ["dq_conv_ql", "✓right", "6", "✓right", "in all right"],
                                                ["ql_dq", "✗1 wrong", "2 of 3", "✗1 wrong", "2 of 3"],
                                                ["all right", "·no result", "✓right", "6"]])

    def test_results_are_chosen(self):
        self.one("#choice summary").click()
        for key in ("Alpha 1.19.0 smoke", "Alpha 1.9.0 smoke"):
            self.one(f"#choice input[value='{key}']").click()
        self.assertEqual(self.fragment(), "#with=Alpha+1.19.0+smoke%7EAlpha+1.9.0+smoke")
        self.assertEqual(self.rows("#matrix"), [["DequantizeLinear"], ["int4, blocked", "✗1 wrong", "5 of 6", "wrong only here", "◐partly", "2 of 6"]])
        self.assertIn("1 of 13 rows", self.one("#side-note").text)
        self.one("input[name=same]").click()
        self.assertIn("13 of 13 rows", self.one("#side-note").text)

    def test_causes_stand_next_to_each_other(self):
        self.assertEqual(self.rows("#shared")[0], ["✗ rounds half away from zero 12 cases 4 cases 12 cases"])
        self.assertEqual(self.rows("#fingerprints"), [["nan to integer zero minimum not determined zero"]])

    def test_a_cell_leads_to_the_cases_in_which_two_differ(self):
        row = next(row for row in self.all("#matrix tbody tr") if row.text.startswith("int8, per tensor"))
        row.find_elements(By.CSS_SELECTOR, ".cell")[1].click()
        self.until_focused("side-heading")
        self.assertEqual(self.rows("#matrix"), [["QuantizeLinear"], ["int8, per tensor", "✗4 wrong", "5 of 9", "wrong only here",
                                                                     "✓right", "9", "right only here"]])
        suites = "--suite onnx --suite generated"
        cases = "--filter 'quantize_linear/*-i8/per_tensor/*:onnx/*/test_quantizelinear*'"
        self.assertEqual([line.text for line in self.all("#matrix code")], [
            f"touchstone run --backend beta --tier smoke {suites} {cases} --output Beta-2.0-smoke",
            f"touchstone run --backend alpha --tier smoke {suites} {cases} --output Alpha-1.20.0-smoke",
            "touchstone diff Beta-2.0-smoke Alpha-1.20.0-smoke --most 0"])
        self.one("#matrix code").click()
        copied = self.run_script("return getSelection().toString()")
        self.assertEqual(copied.split("\n"), [line.text for line in self.all("#matrix code")], "a click selects all of them")
        self.assertIn("tools/setup --for beta and tools/setup --for alpha install ", self.one("#matrix .note").text)
        self.assertNotIn("--python", self.one("#matrix .note").text)
        self.run_script("arguments[0].focus()", self.one("#matrix .cell[tabindex='0']"))
        self.press(Keys.ARROW_RIGHT, Keys.ENTER)
        self.until(lambda: self.fragment().startswith("#with=Alpha+1.20.0+smoke%7EBeta"))
        self.browser.back()
        self.one("#side-note a").click()
        self.until(lambda: self.fragment() == "#with=Beta+2.0+smoke%7EAlpha+1.20.0+smoke")

    def test_rows_have_the_filter_of_their_cases(self):
        for row, expected in (
                (("operators", "DequantizeLinear", "int4", "blocked"), "dequantize_linear/*/i4-*/blocked/*:onnx/*/test_dequantizelinear*"),
                (("operators", "com.microsoft.QuantizeLinear", "uint16", "per_axis"), "com.microsoft/quantize_linear/*-u16/per_axis/*"),
                (("operators", "QuantizeLinear", "int8", "any"), "quantize_linear/*-i8/*:onnx/*/test_quantizelinear*"),
                (("float_types", "QuantizeLinear", "bfloat16", ""), "quantize_linear/*/bf16-*/*:onnx/*/test_quantizelinear*"),
                (("float_types", "opmx.DequantizeLinear", "float", ""), "opmx/dequantize_linear/*-f32-*/*"),
                (("graphs", "dq_conv_ql", "", ""), "graphs/dq_conv_ql/*"), (("graphs", "all right", "", ""), "graphs/*"),
                (("uses", "int8 CNN", "", ""), "graphs/*"), (("forms", "inputs", "", ""), "*"),
                (("illegal_models", "QuantizeLinear", "", ""), "quantize_linear/*/must_reject/*")):
            leaf = dict(zip(("part", "operator", "type", "granularity"), row, strict=True))
            self.assertEqual(self.run_script("return filterOf(arguments[0])", leaf), expected)

    def test_run_directories_need_no_run(self):
        self.run_script("results.forEach((one) => { one.directory = `runs/${one.name}`; })")
        self.run_script("location.hash = 'with=Alpha+1.20.0+smoke%7EBeta+2.0+smoke'")
        self.until(lambda: [line.text for line in self.all("#matrix code")] == ["touchstone diff runs/Alpha runs/Beta --most 0"])

    # ---- A runtime

    def test_a_runtime_has_causes_history_and_fingerprint(self):
        self.open("result=Alpha+1.20.0+smoke")
        part = self.one("#parts article").text
        for text in ("30 right, 1 wrong, 3 refused, 0 not asked, of 34; illegal models: 9 of 10 rejected or permitted, 1 accepted",
                     "From 1.9.0 to 1.20.0", "example/alpha#1",
                     "x 2.5: expected 2, got 3", "3 more, with fewer cases", "saturates or infinities-undefined",
                     "gradual-underflow for form inputs; flushes for form initializers", "inconsistent: ieee-division; positive or finite",
                     "touchstone replay quantize_linear/10/f32-f32-i8/per_tensor/no_zp/values --backend alpha --tier smoke",
                     "touchstone replay 'onnx/1.17.0/it'\\''s a name' --backend alpha"):
            self.assertIn(text, part)
        self.assertEqual(self.one(".causes a").get_attribute("href"), "https://github.com/example/alpha/issues/1")
        self.open("result=Alpha+1.20.0+on+haswell+smoke")
        self.assertIn("values --backend alpha --cpu haswell --tier smoke", self.one("#parts article").text)
        self.open("result=Alpha+1.20.0+smoke")
        plots = self.all(".history svg[role=img]")
        self.assertEqual(len(plots), 10, "one for each column with cases")
        self.assertIn("int4 weights: 1.9.0 partly, 5 of 9; 1.19.0 1 wrong, 8 of 9; 1.20.0rc1 right, 9; 1.20.0 right, 9",
                      [plot.accessible_name for plot in plots])
        self.until_focused("part-heading")

    def test_says_what_each_release_changed(self):
        self.open("result=Alpha+1.20.0+fast+smoke")
        self.assertEqual(self.one(".changes").text.split("\n"), [
            "1.20.0rc1",
            "gone: ✗ wraps in int4 (1 case)example/alpha#7",
            "new: ✗ rounds up (1 case)",
            "int4 weights: ✗ 1 wrong, 8 of 9 → ✓ right, 9",
            "opset ≥ 21: ✗ 1 wrong, 12 of 15 → ◐ partly, 13 of 15",
            "1.19.0",
            "run on another processor than the release before: Old Chip → an unknown processor",
            "gone: – refuses: x int4 (4 cases)",
            "new: ✗ wraps in int4 (1 case)example/alpha#7",
            "int4 weights: ◐ partly, 5 of 9 → ✗ 1 wrong, 8 of 9",
            "opset ≥ 21: ◐ partly, 9 of 15 → ✗ 1 wrong, 12 of 15",
        ], "1.20.0 has no room for all causes, so that rounds-up may be one of them")

    # ---- Files of the reader's own

    def test_a_result_of_your_own_gets_a_row(self):
        own = {**RESULTS[0], "backend": {"name": "Mine", "version": "3"}}
        self.assertEqual(self.give(("mine.json", json.dumps(own))), ["✓ mine.json has a row in the table now"])
        row = next(row for row in self.all("#board tbody tr") if "Mine 3" in row.text)
        self.assertIn("your file", row.text)
        self.assertEqual(self.give(("mine.json", json.dumps(own))), ["✗ mine.json is there already"])
        self.assertEqual(self.run_script("return performance.getEntriesByType('resource').length"), 0, "nothing is loaded")

    def test_a_row_of_your_own_is_not_folded(self):
        own = {**RESULTS[0], "backend": {**RESULTS[0]["backend"], "version": "1.0"}}
        self.give(("mine.json", json.dumps(own)))
        self.assertIn("1.0\nyour file", [row.find_element(By.TAG_NAME, "th").text for row in self.all("#board .folded")])

    def test_a_variant_with_the_name_of_the_runtime_is_not_repeated(self):
        own = {**RESULTS[0], "backend": {"name": "npu_ep", "version": "3"}, "command": "ort-ep:npu_ep"}
        self.give(("a.json", json.dumps({**own, "configuration": {"variant": "npu_ep"}, "journal": "a" * 64})),
                  ("b.json", json.dumps({**own, "configuration": {"variant": "npu_ep", "cpu": "haswell"}, "journal": "b" * 64})))
        keys = self.run_script("return results.filter(({ name }) => name === 'npu_ep').map(({ key }) => key)")
        self.assertEqual(keys, ["npu_ep 3 smoke", "npu_ep 3 on haswell smoke"])

    def test_an_unfinished_run_is_not_all_right(self):
        own = {**RESULTS[0], "backend": {"name": "Mine", "version": "3"}, "not_run": {"cases": 50, "reason": "interrupted"}}
        self.give(("mine.json", json.dumps(own)))
        row = next(row for row in self.all("#board tbody tr") if "Mine 3" in row.text).text
        self.assertIn("9 of 9, unfinished", row)
        self.assertNotIn("✓", row)

    def test_a_cause_without_a_name_is_not_gone_if_only_its_example_is_another(self):
        for version in "12":
            own = {name: value for name, value in RESULTS[0].items() if name != "more_causes"}
            own |= {"backend": {"name": "Mine", "version": version}, "journal": version * 64,
                    "causes": [{"class": "wrong", "sentence": "gives wrong values", "cases": 2, "example": f"case {version}"}]}
            self.give((f"{version}.json", json.dumps(own)))
        self.run_script("change({ result: 'Mine 2 smoke' });")
        self.assertIn("No release changed anything.", self.one("#parts article").text)

    def give_releases(self, *releases):
        """Versions 1, 2, ... of a runtime, each with the counts of int8 in graphs and in QuantizeLinear 10, a refusal, and
        what else differs. Gives the changes that the page lists."""
        for version, (graphs, counts, where, example, *more) in enumerate(releases, 1):
            own = {name: value for name, value in RESULTS[0].items() if name != "more_causes"}
            own |= {"backend": {"name": "Mine", "version": str(version)}, "journal": f"{version:064}",
                    "graphs": graphs, "operators": {"QuantizeLinear": {"int8": {"per_tensor": {"10": counts}}}},
                    "causes": [{"class": "refused", "sentence": "refuses", "where": where, "cases": 2, "example": example}]}
            own |= dict(more)
            self.give((f"{version}.json", json.dumps(own)))
        self.run_script(f"change({{ result: 'Mine {len(releases)} smoke' }});")
        return [line.text for line in self.all(".changes li li")]

    def test_releases_with_other_cases_say_so(self):
        example = "quantize_linear/10/f32-f32-i8/per_tensor/zp/values"
        other, more = ("content", "d" * 64), ("plan", {**RESULTS[0]["plan"], "cases": 120})
        changes = self.give_releases(({}, [0, 0, 5], "x", example), ({}, [3, 0, 2], "y", "quantize_linear/10/no_such", other),
                                     ({}, [7], "z", "onnx/no_such", other, more))
        self.assertEqual(changes, [
            "other cases than before: smoke, 100 cases → smoke, 120 cases", "gone: – refuses: y (2 cases)", "new: – refuses: z (2 cases)",
            "int8: ◐ partly, 3 of 5 → ✓ right, 7", "some cases have other forms or other data than before",
            "new: – refuses: y (2 cases)", "int8: – refused, 0 of 5 → ◐ partly, 3 of 5"], "the newest first")

    def test_a_refusal_is_not_gone_if_only_its_name_is_another(self):
        graphs = {"ql_dq": {"types": {"int8": [4, 0, 1]}}}
        one, other = "quantize_linear/10/f32-f32-i8/per_tensor/zp/values", "quantize_linear/10/f32-f32-i8/per_tensor/no_zp/values"
        changes = self.give_releases((graphs, [3, 0, 2], "x bfloat16", one), (graphs, [3, 0, 2], "x bfloat16 or float4", other),
                                     (graphs, [5], "x float4", "graphs/ql_dq/10/i8/f32/per_tensor/zp"),
                                     (graphs, [3, 0, 2], "x float6", one))
        self.assertEqual([line for line in changes if "refuses" in line], [
            "new: – refuses: x float6 (2 cases)", "gone: – refuses: x bfloat16 or float4 (2 cases)"])

    def test_a_refusal_of_a_pattern_in_a_shared_row_is_judged_by_all_graphs(self):
        def shared(*counts):
            return {"all right": {"types": {"int8": [4]}}, "other patterns": {"types": {"int8": counts}}}
        changes = self.give_releases((shared(4, 0, 3), [5], "opset 19", "graphs/a/19/i8/f32"), (shared(4, 0, 3), [5], "opset 21", "graphs/b/21/i8/f32"),
                                     (shared(5, 0, 2), [5], "opset 23", "graphs/c/23/i8/f32"))
        self.assertEqual([line for line in changes if "refuses" in line], ["gone: – refuses: opset 21 (2 cases)"])

    def test_a_file_is_dropped(self):
        own = json.dumps({**RESULTS[0], "backend": {"name": "Mine", "version": "3"}})
        self.run_script("""
            const data = new DataTransfer();
            data.items.add(new File([arguments[0]], 'mine.json'));
            document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));""", own)
        self.until(lambda: "Mine 3" in self.one("#board").text)

    def test_no_file_breaks_the_page(self):
        taken, failures = self.run_script("""
            const text = JSON.stringify(given.results[0]);
            const pathsOf = (value, path) => [path, ...(typeof value === 'object' && path.length < 3
              ? Object.keys(value).flatMap((name) => pathsOf(value[name], [...path, name])) : [])];
            const failures = [];
            let taken = 0;
            for (const path of pathsOf(JSON.parse(text), []).slice(1))
              for (const bad of [undefined, null, -1, 'x', [], {}, [{}], { a: {} }]) {
                const result = JSON.parse(text);
                path.slice(0, -1).reduce((inner, name) => inner[name], result)[path.at(-1)] = bad;
                result.content = `content ${taken}`;
                const before = [...results];
                try {
                  if (addResult(JSON.parse(JSON.stringify(result)), true) !== undefined) continue;
                  taken += 1;
                  const { key } = results.find((one) => !before.includes(one));
                  Object.assign(selected, { result: key, with: key, type: 'int8' });
                  if (path.length < 3) [drawPart, drawMatrix, drawShared, drawFingerprints].forEach((one) => one());
                } catch (error) {
                  failures.push([path, bad, error.message]);
                }
                results.splice(0, results.length, ...before);
              }
            return [taken, failures];""")
        self.assertGreater(taken, 50)
        self.assertEqual(failures, [])

    def test_a_bad_file_has_a_clear_message(self):
        def changed(**members):
            return json.dumps({**RESULTS[0], **members})
        said = self.give(("a.json", changed()[:900]), ("b.json", "[]"), ("c.json", changed(touchstone_result=2)),
                         ("d.json", changed(operators={"QuantizeLinear": {"int8": {"per_tensor": {"10": [-1]}}}})),
                         ("e.json", changed(causes=[{"class": "wrong"}])), ("f.json", " " * 1_000_001),
                         ("g.json", changed(fingerprint={"a": {"b": {"c": {"d": {"e": "f"}}}}})))
        for text, expected in zip(said, (
                "✗ a.json is not JSON: ", "✗ b.json is not a compact result: make one with touchstone report DIRECTORY --format compact",
                "✗ c.json has another version of compact results; this page reads version 1",
                '✗ d.json has no valid member "operators": it must be counts by operator, type, granularity and version',
                '✗ e.json has no valid member "causes": it must be a list of causes',
                "✗ f.json has 1,000,001 bytes: a compact result has at most 20,000",
                '✗ g.json has no valid member "fingerprint": it must be readings by ambiguity'), strict=True):
            self.assertTrue(text.startswith(expected), text)
        self.assertEqual(len(self.all("#board tbody tr")), 4)

    # ---- The page as a whole

    def test_texts_are_not_interpreted(self):
        self.open("with=" + self.run_script("return encodeURIComponent(results.map(({ key }) => key).join('~'))"))
        self.open("result=" + self.run_script("return encodeURIComponent(results.find(({ name }) => name.startsWith('Hostile')).key)"))
        self.assertIsNone(self.run_script("return window.hostileTextRan ?? null"))
        self.assertEqual(self.all("img"), [])
        self.assertEqual(len(self.all("script")), 2)
        self.assertIn("</script><script>window.hostileTextRan = 1</script>", self.one("#parts").text)
        self.assertIn("--backend 'exec:x; rm y'", self.one("#parts").text)

    def test_is_accessible(self):
        for scheme in ("light", "dark"):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            self.open(f"{BLOCKED}&open=Alpha&result=Alpha+1.20.0+smoke")
            self.one("#choice summary").click()
            self.assertEqual(accessibility_violations(self), [], scheme)
            for selector in (".cell.right", ".cell.option", ".cell.wrong", ".cell.refused", ".cell.partly", ".cell.missing"):
                self.assertGreaterEqual(contrast(self.run_script(COLOURS, self.one(f"#board {selector}"))), 4.5, (scheme, selector))

    def test_fits_into_narrow_windows(self):
        for width in (1280, 400):
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                         {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
            self.open(f"{BLOCKED}&open=Alpha&result=Alpha+1.20.0+smoke")
            self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), width)
            self.assertEqual(accessibility_violations(self), [], width)
        long = "with GraphOptimizationLevel.ORT_DISABLE_ALL"
        self.run_script("document.querySelector('#found td:last-child').append(...linesOf([arguments[0]]))", long)
        found = self.one("#found .scroller")
        self.assertIn(long, found.text, "places to break a line add no spaces")
        self.assertLessEqual(*(found.get_property(name) for name in ("scrollWidth", "clientWidth")), "all of the answer is visible")
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


del Page  # a base class, not a test
unittest.main(verbosity=2)
