#!/usr/bin/env bash
# isa_isolation_test.sh OBJECT...
# Only objects of the folder avx2 may contain AVX instructions; otherwise the program would not run on other CPUs. These
# objects must not export functions that the linker could use for another object.
set -euo pipefail

status=0
complain() {
  echo "$1" >&2
  status=1
}

checked=0
for object in "$@"; do
  instructions=$(objdump --disassemble --no-show-raw-insn "$object" | grep -cE '\sv[a-z0-9]+\s.*%[xyz]mm|vzeroupper') || true
  case $object in
    */avx2/absent.*) ;;
    */avx2/*)
      ((instructions > 0)) || complain "$object has no instruction of AVX: is it compiled for it?"
      # Weak functions: of those with the same name, the linker keeps the one of a single object.
      shared=$(nm --defined-only --demangle "$object" | awk '$2 == "W"')
      [[ -z $shared ]] || complain "$object shares functions with other objects: $shared"
      ;;
    *) ((instructions == 0)) || complain "$object has instructions of AVX" ;;
  esac
  checked=$((checked + 1))
done
((checked > 0)) || complain 'no object was named'
exit "$status"
