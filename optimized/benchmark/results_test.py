#!/usr/bin/env python3
"""Tests the processing of the output of optimized_benchmark."""

import json
import unittest

import results


def row(section, name, elements):
    return {"section": section, "name": name, "elements": elements}


ROWS = [
    row("main", "A/per_tensor", 1 << 16),
    row("main", "A/per_tensor", 1 << 24),
    row("size", "A/per_tensor", 1 << 10),
]


def output(*benchmarks):
    return json.dumps({"benchmarks": [{"name": "cycles", "items_per_second": 3e9}, *benchmarks]})


def entry(peer, time, **facts):
    return {"name": f"A/per_tensor/{peer}/65536", "cpu_time": time, "bytes_read": 5.0, "bytes_written": 7.0, **facts}


class Selection(unittest.TestCase):
    def test_everything(self):
        self.assertEqual(results.selected(ROWS, False, None), ROWS)

    def test_quick_is_the_main_table_without_its_large_sizes(self):
        self.assertEqual(results.selected(ROWS, True, None), ROWS[:1])

    def test_globs_are_of_name_and_elements(self):
        self.assertEqual(results.selected(ROWS, False, "*/1024:*/16777216"), ROWS[1:])
        self.assertEqual(results.selected(ROWS, False, "a/*"), [])


class Results(unittest.TestCase):
    def setUp(self):
        keys = ("operator", "x_shape", "parameter_shape", "axis", "block_size")
        self.results = results.Results({**ROWS[0], **dict.fromkeys(keys)})

    def test_the_least_time_of_all_rounds_counts(self):
        for time in (30.0, 10.0, 20.0):
            self.results.add_programs(output(entry("touchstone", time, differing=0.0, label="avx2")))
        found = self.results.json()
        expected = {"ns": [30.0, 10.0, 20.0], "best_ns": 10.0, "differing": 0, "version": "avx2"}
        self.assertEqual(found["peers"], {"touchstone": expected})
        self.assertEqual((found["bytes_read"], found["bytes_written"]), (5, 7))
        self.assertEqual(found["cycles_per_second"], [3e9, 3e9, 3e9])

    def test_an_error_is_not_a_time(self):
        with self.assertRaisesRegex(results.BenchmarkError, "A/per_tensor/onednn/65536: one thread"):
            self.results.add_programs(output(entry("onednn", 0, error_occurred=True, error_message="one thread")))

    def test_only_what_must_agree_disagrees(self):
        self.results.add_programs(output(entry("plain_loop", 1.0, differing=2.0), entry("onednn", 1.0, differing=3.0)))
        self.results.add_programs(output(entry("memcpy", 1.0)))
        (message,) = results.disagreements({"A/per_tensor/65536": self.results.json()})
        self.assertIn("plain_loop differs from the portable kernels in 2 elements", message)


if __name__ == "__main__":
    unittest.main()
