#!/usr/bin/env bash
# run_help_test.sh PROGRAM TOOLS: checks that the help text of tools/run before the build names the program's options.
set -euo pipefail
options() { grep -oE -- '--[a-z][a-z-]*' | grep -vxE -- '--(help|version)' | sort -u; }
diff <("$1" run --help | sed '/^Exit codes/,$d' | options) <(sed -n "/<<'USAGE'/,/^USAGE/p" "$2/run" | options)
