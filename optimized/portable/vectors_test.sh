#!/usr/bin/env bash
# vectors_test.sh OBJDUMP OBJECT...
# Each loop of the portable kernels for integers must have been compiled to vector instructions of four float32 numbers
# or more: divisions in quantize<...>, multiplications in dequantize<...>.
set -euo pipefail

objdump=$1
status=0
for object in "${@:2}"; do
  # One line per loop: 1 or 0, and its name.
  loops=$("$objdump" --disassemble --demangle --no-show-raw-insn "$object" | awk '
    /^[0-9a-f]+ </ { name = /::(de)?quantize</ ? $0 : ""; if (name != "") has_vectors[name] += 0 }
    name != "" && /[ \t]v?(div|mul)ps[ \t]|[ \t]f(div|mul)[ \t]+v[0-9]+\.4s/ { has_vectors[name] = 1 }
    END { for (name in has_vectors) print has_vectors[name], name }')
  if [[ -z $loops ]]; then
    echo "$object has no loops" >&2
    status=1
  elif grep '^0 ' <<<"$loops" >&2; then
    echo "$object has loops without vector instructions" >&2
    status=1
  else
    echo "$object: $(wc -l <<<"$loops") loops, all with vector instructions"
  fi
done
exit "$status"
