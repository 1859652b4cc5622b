"""On an emulated aarch64 processor: `cpuinfo` prints /proc/cpuinfo, `control` tests the processor's arithmetic.

A Python for aarch64 runs this under QEMU. The control executes the instructions of which int8 kernels consist, and
compares their results with Python's integers. It prints those that are wrong, and exits with 3 if there are any.
"""

from __future__ import annotations

import ctypes
import math
import mmap
import struct
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

# The bits of AT_HWCAP and AT_HWCAP2, as Linux names them in /proc/cpuinfo.
AT_HWCAP, AT_HWCAP2 = 16, 26
HWCAP = (
    "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm jscvt fcma lrcpc dcpop sha3 sm3 "
    "sm4 asimddp sha512 sve asimdfhm dit uscat ilrcpc flagm ssbs sb paca pacg"
).split()
HWCAP2 = (
    "dcpodp sve2 sveaes svepmull svebitperm svesha3 svesm4 flagm2 frint svei8mm svef32mm svef64mm svebf16 i8mm bf16 "
    "dgh rng bti mte"
).split()

LOAD = (0x3DC00000, 0x3DC00021)  # ldr q0, [x0]; ldr q1, [x1]
STORE = (0x3D800042,)  # str q2, [x2]
RETURN = (0xD65F03C0,)  # ret
READ_MIDR = (0xD5380000,)  # mrs x0, midr_el1
ZERO = (0x4F000402,)  # movi v2.4s, #0

SIGNED = struct.Struct("16b")
UNSIGNED = struct.Struct("16B")
SHORTS = struct.Struct("8h")
INTEGERS = struct.Struct("4i")
FLOATS = struct.Struct("4f")
HALVES = struct.Struct("4e8x")
NARROW = struct.Struct("8b8x")


class Operation(NamedTuple):
    name: str
    needs: str  # a feature in /proc/cpuinfo
    words: tuple[int, ...]  # from v0 and v1 to v2
    left: struct.Struct
    right: struct.Struct
    result: struct.Struct
    expected: Callable[[Sequence, Sequence], Sequence]


def products(x: Sequence[int], w: Sequence[int]) -> list[int]:
    return [a * b for a, b in zip(x, w, strict=True)]


def sums_of_four(x: Sequence[int], w: Sequence[int]) -> list[int]:
    return [sum(products(x, w)[i : i + 4]) for i in range(0, 16, 4)]


def sums_of_halves(x: Sequence[int], w: Sequence[int]) -> list[int]:
    """Of two neighbours in the lower half, and two in the upper half."""
    every = products(x, w)
    return [every[i] + every[i + 1] + every[i + 8] + every[i + 9] for i in range(0, 8, 2)]


def wrapped_sums(x: Sequence[int], w: Sequence[int]) -> list[int]:
    every = products(x, w)
    return [(every[i] + every[i + 8] + 32768) % 65536 - 32768 for i in range(8)]


def matrix(x: Sequence[int], w: Sequence[int]) -> list[int]:
    return [sum(products(x[i : i + 8], w[j : j + 8])) for i in (0, 8) for j in (0, 8)]


def to_half(x: float) -> float:
    """Struct refuses what overflows."""
    return math.copysign(math.inf, x) if abs(x) >= 65520 else x


def clamp(value: int, bits: int) -> int:
    return max(-(1 << bits - 1), min((1 << bits - 1) - 1, value))


# fmt: off
OPERATIONS = (
    # smull v3.8h, v0.8b, v1.8b; smull2 v4.8h, v0.16b, v1.16b; sadalp v2.4s, v3.8h; sadalp v2.4s, v4.8h
    Operation("SMULL and SADALP", "asimd", (0x0E21C003, 0x4E21C004, *ZERO, 0x4E606862, 0x4E606882),
              SIGNED, SIGNED, INTEGERS, sums_of_halves),
    # the same with umull and uadalp
    Operation("UMULL and UADALP", "asimd", (0x2E21C003, 0x6E21C004, *ZERO, 0x6E606862, 0x6E606882),
              UNSIGNED, UNSIGNED, INTEGERS, sums_of_halves),
    # smull v2.8h, v0.8b, v1.8b; smlal2 v2.8h, v0.16b, v1.16b
    Operation("SMLAL", "asimd", (0x0E21C002, 0x4E218002), SIGNED, SIGNED, SHORTS, wrapped_sums),
    # sdot, udot, usdot, smmla v2.4s, v0.16b, v1.16b
    Operation("SDOT", "asimddp", (*ZERO, 0x4E819402), SIGNED, SIGNED, INTEGERS, sums_of_four),
    Operation("UDOT", "asimddp", (*ZERO, 0x6E819402), UNSIGNED, UNSIGNED, INTEGERS, sums_of_four),
    Operation("USDOT", "i8mm", (*ZERO, 0x4E819C02), UNSIGNED, SIGNED, INTEGERS, sums_of_four),
    Operation("SMMLA", "i8mm", (*ZERO, 0x4E81A402), SIGNED, SIGNED, INTEGERS, matrix),
    # fmov v2.4s, #-1.0; fmla v2.4s, v0.4s, v1.4s
    Operation("FMLA", "asimd", (0x4F07F602, 0x4E21CC02), FLOATS, FLOATS, FLOATS,
              lambda x, w: [a * b - 1 for a, b in zip(x, w, strict=True)]),  # no tie after 64 bits
    # fdiv v2.4s, v0.4s, v1.4s; fcvtns v2.4s, v0.4s; scvtf v2.4s, v0.4s; fcvtn v2.4h, v0.4s; sqxtn v2.8b, v0.8h
    Operation("FDIV", "asimd", (0x6E21FC02,), FLOATS, FLOATS, FLOATS,
              lambda x, w: [a / b for a, b in zip(x, w, strict=True)]),
    Operation("FCVTNS", "asimd", (0x4E21A802,), FLOATS, FLOATS, INTEGERS, lambda x, _: [clamp(round(a), 32) for a in x]),
    Operation("SCVTF", "asimd", (0x4E21D802,), INTEGERS, FLOATS, FLOATS, lambda x, _: x),
    Operation("FCVTN", "asimd", (*ZERO, 0x0E216802), FLOATS, FLOATS, HALVES, lambda x, _: [to_half(a) for a in x]),
    Operation("SQXTN", "asimd", (*ZERO, 0x0E214802), SHORTS, FLOATS, NARROW, lambda x, _: [clamp(a, 8) for a in x]),
)

# Extremes next to each other, and 2, 4 and 8 apart.
OPERANDS = {
    SIGNED: ((-128,) * 16, (127,) * 16, (-128, 127) * 8, (-128, 0, 127, 0, 0, 0, 0, 0, -128, 0, 127, 0, 0, 0, 0, 0),
             (-100, 99, 3, -77, 50, -1, 127, -128, 2, 31, -64, 64, 5, -9, 111, -113)),
    UNSIGNED: ((255,) * 16, (255, 0) * 8, (0, 1, 255, 254, 128, 127, 3, 200, 91, 17, 250, 64, 33, 7, 129, 255)),
    SHORTS: ((-32768, -129, -128, -1, 127, 128, 255, 32767),),
    INTEGERS: ((16777217, 16777219, -2147483648, 2147483647),),
    FLOATS: ((0.5, 1.5, 2.5, -2.5), (3e9, -3e9, 8388607.5, -0.5), (65519.0, 65520.0, 2.0**-25, 1 + 2.0**-11),
             (1 + 2.0**-12, 1.0, 3.0, -7.0)),
}
# fmt: on


def run(words: Sequence[int], *pointers: ctypes.Array) -> int:
    """Calls a function of these instructions, and returns x0."""
    code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(struct.pack(f"<{len(words)}I", *words))
    function = ctypes.CFUNCTYPE(ctypes.c_uint64, *[ctypes.c_void_p] * len(pointers))
    return function(ctypes.addressof(ctypes.c_char.from_buffer(code)))(*map(ctypes.addressof, pointers))


def features() -> list[str]:
    getauxval = ctypes.CDLL(None).getauxval
    getauxval.argtypes, getauxval.restype = [ctypes.c_ulong], ctypes.c_ulong
    return [
        name
        for entry, names in ((AT_HWCAP, HWCAP), (AT_HWCAP2, HWCAP2))
        for bit, name in enumerate(names)
        if getauxval(entry) >> bit & 1
    ]


def cpuinfo() -> str:
    midr = run(READ_MIDR + RETURN)
    fields = (
        ("BogoMIPS", "100.00"),
        ("Features", " ".join(features())),
        ("CPU implementer", f"{midr >> 24 & 0xFF:#04x}"),
        ("CPU architecture", "8"),
        ("CPU variant", f"{midr >> 20 & 0xF:#x}"),
        ("CPU part", f"{midr >> 4 & 0xFFF:#05x}"),
        ("CPU revision", f"{midr & 0xF}"),
    )
    # Two, because a library may divide them among clusters.
    return "".join(
        "".join(f"{name:<16}: {value}\n" for name, value in (("processor", number), *fields)) + "\n"
        for number in range(2)
    )


def is_exact(operation: Operation, x: Sequence, w: Sequence) -> bool:
    result = ctypes.create_string_buffer(16)
    operands = [layout.pack(*values) for layout, values in ((operation.left, x), (operation.right, w))]
    run(LOAD + operation.words + STORE + RETURN, *map(ctypes.create_string_buffer, operands), result)
    return result.raw == operation.result.pack(*operation.expected(x, w))


def wrong_operations(operations: Sequence[Operation] = OPERATIONS) -> list[str]:
    here = features()
    return [
        operation.name
        for operation in operations
        if operation.needs in here
        and not all(is_exact(operation, x, w) for x in OPERANDS[operation.left] for w in OPERANDS[operation.right])
    ]


def main(what: str) -> int:
    if what == "cpuinfo":
        print(cpuinfo(), end="")
        return 0
    wrong = wrong_operations()
    print(", ".join(wrong), end="")
    return 3 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
