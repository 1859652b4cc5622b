#!/usr/bin/env bash
# The recipes in this folder call this script. It runs tools/run and adds the changes since a baseline to its report.
set -euo pipefail
# shellcheck source=tools/lib.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

usage() {
  cat <<'USAGE'
Usage: tools/ci/compliance.sh [--baseline DIR] [--gate run|diff] [--output DIR] -- [ARGUMENT of touchstone run...]
       tools/ci/compliance.sh --shard I/N [--output DIR] -- [ARGUMENT of touchstone run...]
       tools/ci/compliance.sh --merge DIR [--baseline DIR] [--gate run|diff] [--output DIR]

Runs `tools/run ARGUMENT...`, and writes OUTPUT/summary.md: its Markdown report, and what changed since the baseline.
On GitHub, that becomes the job's summary. Several jobs can share the cases:

--shard I/N      run only this shard, without a summary. The exit codes 1 and 4 of the run become 0, because the merge
                 decides about them
--merge DIR      instead of a run, merge the shards in DIR/*

--baseline DIR   compare with DIR/journal.ndjson of an earlier run, if it exists; then replace it with the journal of
                 this run, unless the run is incomplete
--gate run       exit code 1 for any unexpected result (the default)
--gate diff      exit code 1 only for cases that passed in the baseline and are now wrong, refused, not asked or missing.
                 Without a baseline, like run
--output DIR     touchstone-report by default

Exit codes: 0 as expected; 1 an unexpected result; 2 wrong usage; 3 setup, build or backend failed;
4 incomplete; 5 nothing selected.
USAGE
}

baseline='' gate='run' output=touchstone-report shard='' shards=''
while (($#)); do
  case $1 in
    --baseline | --gate | --output | --shard | --merge) (($# > 1)) || { usage >&2 && exit 2; } ;;&
    --baseline) baseline=$2 && shift 2 ;;
    --gate) gate=$2 && shift 2 ;;
    --output) output=$2 && shift 2 ;;
    --shard) shard=$2 && shift 2 ;;
    --merge) shards=$2 && shift 2 ;;
    --) shift && break ;;
    -h | --help) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
  esac
done
[[ $gate == run || $gate == diff ]] || die 2 "--gate is run or diff, not '$gate'"
[[ ! $shard || ! $shards$baseline ]] || die 2 "--shard excludes --merge and --baseline"
[[ ! $shards || ! $* ]] || die 2 "--merge takes the options of the run from the shards, so there is none after --"
program=$root/build/release/tools/touchstone

# GitHub interprets lines of a job that begin with '::', and a backend may print such a line.
if [[ ${GITHUB_ACTIONS:-} ]]; then
  token=$(</proc/sys/kernel/random/uuid)
  echo "::stop-commands::$token"
  trap 'echo "::$token::"' EXIT
fi

code=0
if [[ $shards ]]; then
  "$root/tools/setup" --for run >&2
  build release touchstone -DTOUCHSTONE_BUILD_TESTS=OFF
  TOUCHSTONE_DATA=${TOUCHSTONE_DATA:-$node_tests} "$program" merge "$shards"/* --output "$output" || code=$?
else
  "$root/tools/run" --output "$output" ${shard:+--shard "$shard"} "$@" || code=$?
fi
if [[ $shard ]]; then
  [[ $code != [14] ]] || code=0
  exit "$code"
fi
# A run that started has a report, whatever its exit code.
[[ -f $output/report.md ]] || exit "$code"

changes=
compared=
if [[ $baseline ]]; then
  changed=0
  changes=$("$program" diff "$baseline" "$output" 2>&1) || changed=$?
  # 2 and 3: there is no baseline yet, or it is damaged. The job continues, judged without a baseline.
  ((changed > 1)) || compared=1
  # Indented, because nothing in the text can end an indented block.
  changes=$'\n### Since the baseline\n\n    '${changes//$'\n'/$'\n    '}
fi
summary=$output/summary.md
{ cat "$output/report.md" && printf '%s\n' "$changes"; } >"$summary"
[[ ! ${GITHUB_STEP_SUMMARY:-} ]] || cat "$summary" >>"$GITHUB_STEP_SUMMARY"

if [[ $baseline ]] && ((code <= 1)); then
  mkdir -p "$baseline"
  cp "$output/journal.ndjson" "$baseline"
fi
if [[ $gate == diff && $compared ]] && ((code <= 1)); then
  # A run in which cases that passed are no longer asked ends with 0.
  ((code == 0 || changed)) || say "not as expected, but nothing is worse than in the baseline"
  code=$changed
fi
exit "$code"
