#!/usr/bin/env python3
"""Tests the table with invented times."""

import unittest

import table

ROW = "QuantizeLinear/f32_to_u8/per_tensor/1000"


def peer(best_ns, **facts):
    return {"ns": [best_ns, 1.5 * best_ns], "best_ns": best_ns, **facts}


def measurement(**peers):
    return {
        "name": "QuantizeLinear/f32_to_u8/per_tensor",
        "elements": 1000,
        "bytes_read": 4000,
        "bytes_written": 1000,
        "cycles_per_second": [2.4e9, 2.5e9],
        "peers": {"touchstone": peer(200, differing=0), **peers},
    }


class Table(unittest.TestCase):
    def row(self, **peers):
        header, _, line = table.section_table([measurement(**peers)], 2.5e9).splitlines()
        names, values = ([cell.strip() for cell in part.strip("|").split("|")] for part in (header, line))
        return dict(zip(names, values))

    def test_time_is_per_element(self):
        self.assertEqual(self.row()["ours"], "0.200")

    def test_a_call_is_subtracted(self):
        row = self.row(onnxruntime=peer(900, differing=0), onnxruntime_call=peer(300))
        self.assertEqual(row["ONNX Runtime"], "0.600 3.00x")

    def test_a_kernel_that_a_call_hides_has_no_time(self):
        row = self.row(onnxruntime=peer(299, differing=0), onnxruntime_call=peer(300))
        self.assertEqual(row["ONNX Runtime"], "below a call")

    def test_a_peer_without_the_types_has_none(self):
        row = self.row(onnxruntime={"ns": [], "unsupported": "why"})
        self.assertEqual(row["ONNX Runtime"], "none")
        self.assertEqual(row["oneDNN"], "none")

    def test_differing_elements_are_counted(self):
        self.assertEqual(self.row(onednn=peer(2500, differing=7))["oneDNN"], "2.5 12x !=7")

    def test_limits(self):
        # 4000 bytes read take 62.5 cycles, more than the 31.25 of 1000 written ones: 25 ns at 2.5 GHz, of 200.
        row = self.row(traffic=peer(150), traffic_streaming=peer(100))
        self.assertEqual(row["ports"], "12%")
        self.assertEqual(row["bandwidth"], "50%")

    def test_the_portable_kernels_are_compared_with_a_loop_for_the_same_cpus(self):
        text = table.portable_table([measurement(portable=peer(400), portable_plain_loop=peer(1000, differing=0))])
        cells = [cell.strip() for cell in text.splitlines()[-1].strip("|").split("|")]
        self.assertEqual(cells[2:], ["0.400", "1 2.50x", "none"])

    def test_sizes(self):
        sizes = {1 << 10: "1 Ki", 1 << 18: "256 Ki", (1 << 20) - 1: "1 Mi", 1003520: "0.957 Mi", 1 << 26: "64 Mi"}
        self.assertEqual({elements: table.size(elements) for elements in sizes}, sizes)

    def test_the_whole_report(self):
        report = {
            "machine": {
                "cpu": "A CPU",
                "cores": 2,
                "avx512": False,
                "caches": ["L1d 32 KiB"],
                "memory": None,
                "governor": "performance",
                "virtual": False,
                "system": "Debian",
                "kernel": "6.1",
                "load": [0.5, 0, 0],
                "when": "2026-01-01",
            },
            "versions": {"onnxruntime": "1.0"},
            "settings": {"rounds": 2, "seconds": 0.01},
            "sections": table.sections_of([{"section": "main", "name": ROW[:-5], "elements": 1000}]),
            "measurements": {
                ROW: measurement(
                    onnxruntime=peer(500), onnxruntime_call=peer(100), plain_loop=peer(300, version="GCC 12.2.0")
                )
            },
        }
        text = table.render(report)
        words = " ".join(text.split())
        self.assertIn(
            "A CPU; 2 cores; L1d 32 KiB; governor performance; Debian, Linux 6.1; load at the start 0.5", words
        )
        self.assertIn("| QuantizeLinear/f32_to_u8/per_tensor               | 0.200 2.00x |", text)
        self.assertIn("at 2.50 GHz as measured", words)
        self.assertIn("**oneDNN** (none here): its", words)
        self.assertIn("compiled by GCC 12.2.0 with", words)
        # The median of two rounds that took 1 and 1.5 times as long.
        self.assertIn("the median round took 25% more than the least", words)


if __name__ == "__main__":
    unittest.main()
