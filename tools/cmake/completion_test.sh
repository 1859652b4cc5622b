#!/usr/bin/env bash
# completion_test.sh PROGRAM: tests the scripts of touchstone completion, and the manual page. What is not installed (zsh,
# fish, man, mandoc) is not used.
set -euo pipefail
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*" >&2 && exit 1; }
has() { type -P "$1" >/dev/null; }

for shell in bash zsh fish; do "$program" completion "$shell" >"$scratch/$shell"; done
"$program" man >"$scratch/touchstone.1"

bash -n "$scratch/bash"
if has zsh; then zsh -n "$scratch/zsh"; fi
if has fish; then fish --no-config --no-execute "$scratch/fish"; fi
if has man; then
  warnings=$(man --warnings -l "$scratch/touchstone.1" 2>&1 >/dev/null)
  [[ ! $warnings ]] || fail "$warnings"
fi
# A manual page without a date is the same in each build.
if has mandoc; then
  warnings=$(mandoc -T lint -W warning "$scratch/touchstone.1" | sed '/missing date/d') || true  # it fails if it warns
  [[ ! $warnings ]] || fail "$warnings"
fi

# shellcheck disable=SC1091
source "$scratch/bash"
expect() { # THE EXPECTED WORDS, WORD...: the last word is completed
  COMP_WORDS=("$program" "${@:3}") COMP_CWORD=$(($# - 2)) COMPREPLY=()
  _touchstone
  [[ ${COMPREPLY[*]} == "$1" ]] || fail "'${*:2}' is completed to '${COMPREPLY[*]}', not '$1'"
}
expect 'run' touchstone ru
expect '--tier --timeout --time-budget' touchstone run --ti
expect 'smoke standard exhaustive' touchstone run --tier ''
expect 'standard' touchstone list --tier st
expect '' touchstone run --output '' # the names of files
expect '' touchstone run -o ''
expect 'judge' touchstone help ju
expect 'clauses' touchstone list cl
expect 'fish' touchstone completion f
expect 'install' touchstone backend in
expect '--version' touchstone --v
expect '' touchstone check '' # the names of files
expect '--help' touchstone run --backend ort --he

# Fish and zsh show what a candidate means.
tab=$'\t'
[[ $("$program" completion fish -- run --ti) == *"--tier${tab}The size"*"--timeout${tab}Time limit"* ]] || fail fish
[[ $("$program" completion zsh -- ru) == 'run:Run the cases'* ]] || fail zsh

# Each option that the help text has is a candidate, and in the manual page.
options=$("$program" completion bash -- run -)
for option in $("$program" run --help | grep -oE '^  (-[a-z],)?--[a-z][a-z-]+' | grep -oE -- '--.*'); do
  grep -qxF -- "$option" <<<"$options" || fail "completion: $option"
  grep -qF -- "${option//-/\\-}" <(sed -n '/^\.SS touchstone run/,/^\.SS/s/^\.B //p' "$scratch/touchstone.1") ||
    fail "man: $option"
done
