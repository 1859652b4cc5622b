#!/usr/bin/env bash
# scripts_test.sh TOOLS: tests the scripts in the directory TOOLS with missing, misspelled or broken inputs.
# Nothing is downloaded or built: fake versions of ctest, cmake and pip run in a scratch directory.
set -uo pipefail
tools=$(cd -- "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
# Removes the settings of the user who runs the tests.
unset FUZZ_BACKEND FUZZ_OPTIONS TOUCHSTONE_FUZZ_REPRODUCERS

expect() { # WHAT CODE TEXT COMMAND...
  local what=$1 code=$2 text=$3 output status=0
  output=$("${@:4}" 2>&1) || status=$?
  ((status == code)) && [[ $output == *"$text"* ]] && return
  printf 'FAILED: %s\n  exit code %s, expected %s; expected to read: %s\n' "$what" "$status" "$code" "$text"
  printf '%s\n' "$output"
  failures=$((failures + 1))
}

script() { # PATH, content on standard input
  mkdir -p "$(dirname "$scratch/$1")"
  cat >"$scratch/$1"
  chmod +x "$scratch/$1"
}

# The functions of tools/setup without its steps.
functions() {
  # shellcheck source=/dev/null
  source <(sed -n "/^$1() /,/^}/p" "$tools/setup")
}

# ---- tools/test: a misspelled test does not pass

mkdir -p "$scratch"/build/{test,asan,nightly,aarch64} "$scratch/tools"
cp "$tools"/{test,lib.sh,onnx-source.txt} "$scratch/tools"
echo '{}' >"$scratch/CMakePresets.json"
for preset in test asan nightly aarch64; do echo 'build all: phony' >"$scratch/build/$preset/build.ninja"; done
script tools/setup <<'SETUP'
#!/bin/sh
echo "setting up $*"
SETUP
script .venv/bin/cmake <<<'#!/bin/sh'
script .venv/bin/ctest <<'CTEST'
#!/bin/sh
case "$*" in
  *nosuch*--show-only | *asan*slow*--show-only) echo 'Total Tests: 0' ;;
  *--show-only) echo 'Total Tests: 3' ;;
  *failing*) exit 8 ;;
  *'--label-exclude slow'*) echo "ran the quick tests of $2" ;;
  *) echo "ran $2" ;;
esac
CTEST
expect 'the quick tests' 0 'ran the quick tests of test' "$scratch/tools/test"
expect 'all tests' 0 'ran test' "$scratch/tools/test" --all
expect 'the sanitizers' 0 'ran asan' "$scratch/tools/test" --sanitizers
expect 'the night' 0 'ran nightly' "$scratch/tools/test" --nightly
expect '64-bit ARM' 0 'ran the quick tests of aarch64' "$scratch/tools/test" --aarch64
expect 'its set-up' 0 'setting up --for aarch64' "$scratch/tools/test" --aarch64
expect 'a slow test' 0 'ran test' "$scratch/tools/test" -R slow
expect 'a slow test under sanitizers' 5 'build/asan has no test that matches: -R slow' "$scratch/tools/test" --sanitizers -R slow
mkdir -p "$scratch/build/test/Testing/Temporary"
printf '%s\n' 'quick 1 0.5' 'long_one 1 12.25' '---' 'some_failure' >"$scratch/build/test/Testing/Temporary/CTestCostData.txt"
expect 'the slowest tests' 0 $'slowest tests, in seconds:\n     12.2  long_one\n      0.5  quick' "$scratch/tools/test"
expect 'a test that fails' 1 'testing build/test' "$scratch/tools/test" -R failing
expect 'a test that does not exist' 5 'matches: -R nosuch' "$scratch/tools/test" -R nosuch
expect 'no home' 2 'set HOME, or TOUCHSTONE_CACHE' \
  env -u HOME -u XDG_CACHE_HOME -u TOUCHSTONE_CACHE "$scratch/tools/test"
expect 'a cache instead of a home' 0 'ran the quick tests of test' env -u HOME TOUCHSTONE_CACHE=/cache "$scratch/tools/test"

# ---- builds without a terminal: messages at once, progress every 30 s

progress() { # SECONDS LINE...
  # shellcheck source=/dev/null
  source "$scratch/tools/lib.sh"
  printf '%s\n' "${@:2}" | show_progress "$1"
}
expect 'a message' 0 'a.cpp:1:1: error' progress 30 '[1/9] Building a' 'a.cpp:1:1: error'
expect 'progress' 0 'built 2 of 9' progress 0 '[1/9] Building a' '[2/9] Building b'
[[ $(progress 30 '[1/9] Building a') ]] && expect 'silence in between' 0 'nothing' progress 30 '[1/9] Building a'

# ---- tools/fuzz: targets, and the translation of libFuzzer's exit codes

cp "$tools/fuzz" "$scratch/tools"
mkdir -p "$scratch/fuzz" "$scratch/build/fuzz/fuzz"
echo 'touchstone_fuzz_target(some LINK library)' >"$scratch/fuzz/CMakeLists.txt"
echo 'build fuzz_some touchstone-fuzz-seeds: phony' >"$scratch/build/fuzz/build.ninja"
script build/fuzz/fuzz/touchstone-fuzz-seeds <<<'mkdir -p "$1/some"; touch "$1/some.dict"'
script build/fuzz/fuzz/fuzz_some <<<'echo "fuzzing $*"; exit 0'
expect 'help' 0 'Usage: tools/fuzz' "$scratch/tools/fuzz" --help
expect 'the targets' 0 'some' "$scratch/tools/fuzz" --list
expect 'no target' 2 'Usage: tools/fuzz' "$scratch/tools/fuzz"
expect 'another target' 2 "unknown target 'other'; the targets are some" "$scratch/tools/fuzz" other
expect 'no minutes' 2 "--minutes needs a whole number" "$scratch/tools/fuzz" some --minutes soon
expect 'ten minutes' 0 '-max_total_time=600 ' "$scratch/tools/fuzz" some
expect 'other minutes' 0 '-max_total_time=180 ' "$scratch/tools/fuzz" some --minutes 3
expect 'arguments of libFuzzer' 0 '-jobs=2' "$scratch/tools/fuzz" some -jobs=2
expect 'a corpus and seeds' 0 "build/fuzz-corpus/some $scratch/build/fuzz/fuzz/seeds/some" "$scratch/tools/fuzz" some
expect 'a dictionary' 0 "-dict=$scratch/build/fuzz/fuzz/seeds/some.dict" "$scratch/tools/fuzz" some
ends_with() { # EXIT CODE [ARTIFACT]: what a target does
  script build/fuzz/fuzz/fuzz_some <<<"${2:+touch '$scratch/build/fuzz-finds/some/$2';} exit $1"
}
again='found; reproduce with build/fuzz/fuzz/fuzz_some build/fuzz-finds/some'
ends_with 77 crash-1
expect 'a find' 1 "$again/crash-1" "$scratch/tools/fuzz" some
expect 'the same find again' 1 "$again/crash-1" "$scratch/tools/fuzz" some
ends_with 1 timeout-2
expect 'a find of a job' 1 "$again/timeout-2" "$scratch/tools/fuzz" some -jobs=2
ends_with 72 oom-3
expect 'a find, and then interrupted' 1 "$again/oom-3" "$scratch/tools/fuzz" some
ends_with 0 leak-4
expect 'a find after which libFuzzer continued' 1 "$again/leak-4" "$scratch/tools/fuzz" some
ends_with 0 slow-unit-5
expect 'a slow input' 0 'slow, which is not a finding; reproduce with' "$scratch/tools/fuzz" some
ends_with 1
expect 'arguments that libFuzzer does not know' 2 '' "$scratch/tools/fuzz" some
ends_with 3
expect 'no backend' 3 '' "$scratch/tools/fuzz" some
ends_with 72
expect 'interrupted' 130 '' "$scratch/tools/fuzz" some
script build/fuzz/fuzz/fuzz_some <<<'kill -INT $PPID; exit 1'
expect 'interrupted, with jobs' 130 '' env --default-signal=INT "$scratch/tools/fuzz" some -jobs=2
ends_with 77
expect 'a missing find' 1 'fuzz_some ended with exit code 77 and left no finding' "$scratch/tools/fuzz" some

# ---- tools/fuzz: the backend to fuzz, and its location

mkdir -p "$scratch"/{here,tools/backends/some}
touch "$scratch"/{here/libmine.so,tools/backends/some/requirements.txt}
echo 'touchstone_fuzz_target(backend_differential)' >>"$scratch/fuzz/CMakeLists.txt"
echo 'build fuzz_backend_differential: phony' >>"$scratch/build/fuzz/build.ninja"
script tools/setup <<<'echo "setting up $*"'
script build/fuzz/fuzz/fuzz_backend_differential <<<'echo "$FUZZ_BACKEND to $TOUCHSTONE_FUZZ_REPRODUCERS in $PWD"'
fuzz_backend() { # BACKEND [ARGUMENT...]
  (cd "$scratch/here" && FUZZ_BACKEND=$1 ../tools/fuzz backend_differential "${@:2}")
}
finds=$scratch/build/fuzz-finds/backend_differential
expect 'a backend with a set-up' 0 'setting up --for some' fuzz_backend some
expect 'a variant of it' 0 'setting up --for some' fuzz_backend some:fast
script build/fuzz/fuzz/fuzz_some <<<'echo fuzzing'
expect 'another target' 0 $'setting up --for fuzz\nfuzzing' env FUZZ_BACKEND=some "$scratch/tools/fuzz" some
expect 'a program' 0 "exec:./mine to $finds in $scratch/here" fuzz_backend exec:./mine
expect 'a program, for jobs' 0 "exec:/mine to $finds in $finds" fuzz_backend exec:/mine -jobs=2
expect 'a library' 0 "lib:$scratch/here/./libmine.so to" fuzz_backend lib:./libmine.so -jobs=2
expect 'a library with a whole path' 0 'lib:/libmine.so to' fuzz_backend lib:/libmine.so
expect 'a library in a place of the loader' 0 'lib:libyours.so to' fuzz_backend lib:libyours.so
expect 'a place for what is found' 0 "to $scratch/here/mine in" env TOUCHSTONE_FUZZ_REPRODUCERS=mine \
  bash -c "$(declare -f fuzz_backend); scratch='$scratch' fuzz_backend optimized"
script tools/setup <<<'#!/bin/sh'

# ---- tools/lint: without clang-tidy

mkdir -p "$scratch"/lint/{tools,spec}
cp "$tools"/{lint,lib.sh} "$scratch/lint/tools"
echo '# no rules' >"$scratch/lint/tools/source_rules_test.py"
printf 'BasedOnStyle: Google\n' >"$scratch/lint/.clang-format"
git_lint() { git -C "$scratch/lint" -c user.name=a -c user.email=a@b -c init.defaultBranch=main "$@"; }
lint() { (cd "$scratch/lint" && tools/lint --format "$@"); }
git_lint init -q && printf 'int good;\n' >"$scratch/lint/spec/good.cpp" && git_lint add . && git_lint commit -qm one
expect 'all files' 0 'clang-format: 1 files' lint
expect 'nothing has changed' 5 'nothing to check' lint --changed
printf 'int   bad ;\n' >"$scratch/lint/spec/bad.cpp"
expect 'a new file' 1 'bad.cpp:1:' lint --changed
expect 'a new file, compared with a commit' 1 'clang-format: 1 files' lint --changed main
expect 'one file' 0 'clang-format: 1 files' lint spec/good.cpp
expect 'a file that is not there' 2 'spec/nosuch.cpp does not exist' lint spec/nosuch.cpp
expect 'an option that is none' 2 'Usage: tools/lint' lint --nosuch
expect 'no jobs' 2 '--jobs 0' lint --jobs 0
expect 'files and changes' 2 'either --changed or files' lint --changed -- spec/good.cpp
expect 'a commit that is not there' 2 'nothing to compare with: nosuch is not a commit here' lint --changed nosuch
expect 'an empty name of a commit' 2 'no BASE' lint --changed ''
expect "another user's files" 3 'git cannot read' env GIT_TEST_ASSUME_DIFFERENT_OWNER=1 GIT_CONFIG_GLOBAL=/dev/null \
  "$scratch/lint/tools/lint" --format --changed main
git config --file "$scratch/safe" safe.directory "$scratch/lint"
expect "another user's files, which are safe" 1 'bad.cpp:1:' env GIT_TEST_ASSUME_DIFFERENT_OWNER=1 \
  GIT_CONFIG_GLOBAL="$scratch/safe" "$scratch/lint/tools/lint" --format --changed main
echo 'import sys; sys.exit(1)' >"$scratch/lint/tools/source_rules_test.py"
expect 'a rule that is broken' 1 '' lint spec/good.cpp
echo '# no rules' >"$scratch/lint/tools/source_rules_test.py"

# The state on a CI service: main has new commits, the change is merged into it, and there are no other branches.
rm "$scratch/lint/spec/bad.cpp"
cp "$tools/../.gitignore" "$scratch/lint"
git_lint add . && git_lint commit -qm two
git_lint checkout -q -b change && printf 'text\n' >"$scratch/lint/README.md"
git_lint add . && git_lint commit -qm documents
git_lint checkout -q main && printf 'int   old ;\n' >"$scratch/lint/spec/old.cpp"
git_lint add . && git_lint commit -qm three
git_lint update-ref refs/remotes/origin/main main
git_lint checkout -q --detach && git_lint merge -q -m merged change && git_lint branch -qD main change
expect 'a change to documents' 0 'the rules of' lint --changed origin/main
printf 'int   bad ;\n' >"$scratch/lint/spec/bad.cpp"
git_lint add . && git_lint commit -qm sources
expect 'a change to sources' 1 'clang-format: 1 files' lint --changed origin/main
git_lint rm -q spec/bad.cpp README.md && git_lint commit -qm fewer
printf 'BasedOnStyle: Google\nColumnLimit: 99\n' >"$scratch/lint/.clang-format"
expect 'a change of the style' 1 'old.cpp:1:' lint --changed origin/main
git_lint checkout -q .clang-format && echo 'Checks: "-*"' >"$scratch/lint/.clang-tidy"
expect 'a change of the checks' 0 '.clang-tidy has changed' lint --changed origin/main
rm "$scratch/lint/.clang-tidy"
expect 'a change that leaves nothing' 5 'nothing to check' lint --changed origin/main
mkdir -p "$scratch/lint/.cache/touchstone" && printf 'int   theirs ;\n' >"$scratch/lint/.cache/touchstone/theirs.cpp"
expect 'a cache within the clone' 5 'nothing to check' lint --changed origin/main

# ---- tools/lint: with clang-tidy, on sources without includes

mkdir -p "$scratch"/lint/{.venv/bin,conformance/backends/workers,build/lint}
printf 'Checks: "-*,misc-definitions-in-headers,cert-dcl58-cpp"\nWarningsAsErrors: "*"\n' >"$scratch/lint/.clang-tidy"
echo 'syntax = "proto2";' >"$scratch/lint/conformance/backends/workers/worker.proto"
echo '{}' >"$scratch/lint/CMakePresets.json"
cp "$tools/onnx-source.txt" "$scratch/lint/tools"
script lint/tools/setup <<<'#!/bin/sh'
script lint/.venv/bin/cmake <<<'#!/bin/sh'
compiled() { # DIRECTORY NAME...: each of them twice, as in two programs
  local name rows=()
  for name in "${@:2}" "${@:2}"; do
    rows+=("$(printf '{"directory": "%s", "command": "clang++-16 -c %s", "file": "%s"}' "$1" \
      "$scratch/lint/spec/$name.cpp"{,})")
  done
  printf '[%s]' "$(IFS=, && echo "${rows[*]}")" >"$scratch/lint/build/lint/compile_commands.json"
  echo 'build build.ninja: phony' >"$scratch/lint/build/lint/build.ninja"
}
tidy() { (cd "$scratch/lint" && tools/lint "$@"); }
compiled "$scratch" good found
printf 'namespace std {\nint mine;\n}\n' >"$scratch/lint/spec/found.cpp"
printf '#include "conformance/backends/workers/worker.pb.h"\n' >"$scratch/lint/spec/good.cpp"
echo 'int other;' >"$scratch/lint/spec/other.cpp"
expect 'what is compiled' 0 'ok    spec/good.cpp' tidy spec/good.cpp
expect 'once, though in two programs' 0 '1' \
  bash -c "cd '$scratch/lint' && tools/lint spec/good.cpp 2>/dev/null | grep -xc 'ok    spec/good.cpp' | grep -x 1"
expect 'what nobody compiles' 0 'not compiled here, not checked by clang-tidy: spec/other.cpp' \
  tidy spec/{good,other}.cpp
expect 'something found' 1 'FOUND spec/found.cpp' tidy spec/{good,found}.cpp
expect 'what it is' 1 'cert-dcl58-cpp' tidy spec/found.cpp
compiled "$scratch/nowhere" good
expect 'a clang-tidy that fails' 3 'clang-tidy failed (exit code' tidy spec/good.cpp
expect 'why it does' 3 'nowhere' tidy spec/good.cpp

# ---- tools/benchmark: options that need no set-up

cp "$tools/benchmark" "$scratch/tools"
expect 'help' 0 'Usage: tools/benchmark' "$scratch/tools/benchmark" --quick --help
script bin/uname <<<'echo aarch64'
expect 'another processor' 2 'run on x86-64 only' env PATH="$scratch/bin:$PATH" "$scratch/tools/benchmark"

# ---- tools/setup: whether a virtual environment has the requested packages

has_venv_after() ( # COMMAND...
  functions has_venv
  functions venv_stamp
  functions whole_requirements
  cd "$scratch/packages" || exit
  printf 'a\n-r inner/two\n' >one
  printf 'b\n' >inner/two
  venv_stamp .venv one >.venv/stamp
  "$@" && has_venv .venv one
)
mkdir -p "$scratch"/packages/{inner,.venv}
script packages/.venv/bin/python <<<'#!/bin/sh'
expect 'the same packages' 0 '' has_venv_after true
expect 'other packages' 1 '' has_venv_after sed -i 's/a/c/' one
expect 'other packages in a file that is included' 1 '' has_venv_after sed -i 's/b/c/' inner/two
expect 'a clone that was moved' 1 '' has_venv_after sed -i '1s/.venv/moved/' .venv/stamp
expect 'a virtual environment that was not finished' 2 '' has_venv_after rm .venv/stamp
expect 'no virtual environment' 1 '' has_venv_after rm -r .venv

# ---- tools/setup: a backend in Rust is built by a cargo that is new enough, and rebuilt after a change

check_cargo_of() ( # VERSION, or none
  functions check_cargo
  die() { printf '%s\n' "$2" && exit "$1"; }
  purpose=rusty manifest=$scratch/rusty/Cargo.toml cargo=
  if (($#)); then
    script rusty/bin/cargo <<<"echo 'cargo $1 (0123 2026-01-01)'"
    cargo=$scratch/rusty/bin/cargo
  fi
  check_cargo
)
has_crate_after() ( # COMMAND...
  functions has_crate
  functions crate_stamp
  cd "$scratch/rusty" || exit
  purpose=rusty root=. manifest=./Cargo.toml cargo=bin/cargo crate_build=build
  script rusty/bin/cargo <<<'echo cargo 1.91.0'
  script rusty/build/release/touchstone-rusty <<<'#!/bin/sh'
  for file in Cargo.lock build.rs src/main.rs conformance/backends/workers/worker.proto; do script "rusty/$file" <<<'text'; done
  crate_stamp >build/stamp
  "$@" && has_crate
)
script rusty/Cargo.toml <<<'rust-version = "1.91"'
expect 'no cargo' 2 'the backend rusty needs cargo 1.91 or later, which was not found' check_cargo_of
expect 'a cargo too old' 2 'cargo 1.91 or later, but' check_cargo_of 1.9.0
expect 'the oldest cargo that will do' 0 '' check_cargo_of 1.91.0
expect 'a newer cargo' 0 '' check_cargo_of 1.100.0
expect 'the same crate' 0 '' has_crate_after true
check_npm_of() ( # VERSION OF NODE, or none
  functions check_npm
  die() { printf '%s\n' "$2" && exit "$1"; }
  script scripted/package.json <<<'"engines": { "node": ">=18" }'
  script scripted/package-lock.json <<<'{}'
  purpose=scripted lock_file=$scratch/scripted/package-lock.json
  PATH=$scratch/npm:$PATH
  if (($#)); then
    script npm/npm <<<'true'
    script npm/node <<<"echo v$1"
  else
    type() { false; }
  fi
  check_npm
)
expect 'no npm' 2 'the backend scripted needs Node.js 18 or later with npm, which was not found' check_npm_of
expect 'a Node.js too old' 2 'needs Node.js 18 or later, but node is 9.11.2' check_npm_of 9.11.2
expect 'a newer Node.js' 0 '' check_npm_of 100.1.0
expect 'another source' 1 '' has_crate_after sed -i s/text/other/ src/main.rs
expect 'another protocol' 1 '' has_crate_after sed -i s/text/other/ conformance/backends/workers/worker.proto
expect 'another cargo' 1 '' has_crate_after sed -i s/91/92/ bin/cargo
expect 'no program' 1 '' has_crate_after rm build/release/touchstone-rusty
expect 'a build that was not finished' 2 '' has_crate_after rm build/stamp

# ---- tools/setup and tools/run: a backend of tools/backends has its own set-up

mkdir -p "$scratch/tools/backends/some"
touch "$scratch/tools/backends/some/requirements.txt"
cp "$tools/run" "$scratch/tools"
script tools/setup <<<'echo "setting up $*"; exit 9'
expect 'no backend named' 9 'setting up --for run' "$scratch/tools/run" --tier smoke
expect 'a backend that is built in' 9 'setting up --for run' "$scratch/tools/run" --backend optimized
expect 'a backend with a set-up' 9 'setting up --for some' "$scratch/tools/run" --backend some --tier smoke
expect 'a variant of it' 9 'setting up --for some' "$scratch/tools/run" --tier smoke --backend=some:fast
mkdir "$scratch/tools/backends/rusty" && touch "$scratch/tools/backends/rusty/Cargo.toml"
expect 'a backend in Rust' 9 'setting up --for rusty' "$scratch/tools/run" --backend rusty
expect 'another processor' 9 'setting up --for some --emulation' "$scratch/tools/run" --backend some --cpu=haswell
expect 'no name' 9 'setting up --for run' "$scratch/tools/run" --backend
script bin/python <<'PYTHON'
[[ $PYTHONPATH == */tools/python/src:mine ]] || exit 1
case $* in
  '-m touchstone.worker --help') [[ ! $LACKS ]] ;;
  '-m touchstone.worker --check mine') ;;
  '-m touchstone.worker --check mien') echo 'no such module' && exit 2 ;;
  *) exit 1 ;;
esac
PYTHON
LACKS='' PYTHONPATH=mine expect 'a backend in Python' 9 'setting up --for run' \
  "$scratch/tools/run" --backend onnx:mine --python "$scratch/bin/python"
LACKS='' PYTHONPATH=mine expect 'a misspelled module' 2 'no such module' \
  "$scratch/tools/run" --backend onnx:mien --python "$scratch/bin/python"
LACKS='' PYTHONPATH=mine expect 'a module in a sandbox' 9 'setting up --for run' \
  "$scratch/tools/run" --sandbox --backend onnx:mien --python "$scratch/bin/python"
LACKS=onnx PYTHONPATH=mine expect 'a Python without packages' 3 '' \
  "$scratch/tools/run" --backend=onnx:mine --python="$scratch/bin/python"
expect 'no Python yet' 9 'setting up --for run' "$scratch/tools/run" --backend onnx:mine --python nosuch
expect 'help before there is a program' 0 'Usage: tools/run' "$scratch/tools/run" --tier smoke --help
expect 'a misspelled option' 2 'unknown option --teir, did you mean --tier?' "$scratch/tools/run" --teir=smoke
expect 'an option unlike any other' 2 'unknown option --frobnicate; tools/run' "$scratch/tools/run" --frobnicate
expect 'an option with a value' 9 'setting up --for run' "$scratch/tools/run" --tier=smoke --max-timeouts 3
expect 'neither a purpose nor a backend' 2 'Usage: tools/setup' "$tools/setup" --for nosuch

# ---- tools/backends: how its workers start

cp -r "$tools"/backends/{start.sh,install.sh,missing_packages.py,ort,onnx-reference,onnxruntime-web,tinygrad,tract} "$scratch/tools/backends"
worker=$scratch/tools/backends/ort/worker
expect 'a backend that is not installed' 2 'run tools/setup --for ort' "$worker"
script .venv-ort/bin/python <<<'echo "$PYTHONPATH $*"'
expect 'a backend' 0 'tools/backends/ort:' "$worker"
expect 'its module' 0 ' -B -m touchstone.worker ort_backend:plain' "$worker"
expect 'a variant' 0 ' ort_backend:optimized' "$worker" optimized
expect 'a variant that it does not have' 2 "has no variant 'fast'; it has: basic extended optimized" "$worker" fast
expect 'another backend' 2 'run tools/setup --for onnx-reference' "$scratch/tools/backends/onnx-reference/worker" checked
worker=$scratch/tools/backends/tract/worker
expect 'a backend that is not built' 2 'run tools/setup --for tract' "$worker"
script build/backends/tract/release/touchstone-tract <<<'echo "tract $*"'
expect 'a program' 0 'tract optimized' "$worker"
expect 'a variant of it' 0 'tract plain' "$worker" plain
expect 'a variant that it does not have' 2 "has no variant 'fast'; it has: plain" "$worker" fast
worker=$scratch/tools/backends/onnxruntime-web/worker
expect 'packages of npm that are not installed' 2 'run tools/setup --for onnxruntime-web' "$worker"
mkdir -p "$scratch/build/backends/onnxruntime-web/node_modules"
script node/node <<<'echo "node $*"'
with_node() { PATH=$scratch/node:$PATH "$@"; }
expect 'a program in JavaScript' 0 'onnxruntime-web/node_modules disabled wasm' with_node "$worker"
expect 'a variant of it' 0 'node_modules all wasm' with_node "$worker" optimized
mkdir -p "$scratch/no_node" && ln -s "$(type -P dirname)" "$scratch/no_node"
expect 'no node' 2 'needs Node.js' env PATH="$scratch/no_node" "$BASH" "$worker"

# The same in an installation, with Pythons that have none of the packages.
share=$scratch/share/touchstone
mkdir -p "$share/python/touchstone"
cp -r "$scratch/tools/backends" "$share"
cp "$tools/onnx_node_tests.txt" "$share"
worker=$share/backends/ort/worker
no_packages="does not have: onnx, ml_dtypes, numpy, protobuf, typing_extensions, onnxruntime,"
python_without() { # PATH
  script "$1" <<'PYTHON'
#!/bin/bash
case "$*" in *missing_packages*) exec python3 -IS "${@:2}" ;; *) echo "$PYTHONPATH $*" ;; esac
PYTHON
}
expect 'not installed' 2 'run touchstone backend install ort' "$worker"
expect 'a Python that is not there' 2 '/none does not exist' env TOUCHSTONE_PYTHON=/none "$worker"
install_ort() { env HOME="$scratch/home" XDG_DATA_HOME= "$share/backends/install.sh" ort "$1"; }
expect 'a Python that does not exist' 2 "there is no Python '/none'" install_ort /none
expect 'another program' 2 'pinned for Python 3.11 to 3.13' install_ort /bin/true
expect 'no program for Python' 2 "'/bin/false' is not Python 3" install_ort /bin/false
expect 'no home' 2 'neither HOME nor XDG_DATA_HOME' env -u HOME -u XDG_DATA_HOME "$share/backends/install.sh" ort python3
python_that_installs() { # CODE OF PIP
  script bin/python3 <<PYTHON
#!/bin/bash
case "\$*" in
  -c\ *) echo 3.11 ;;
  '-m venv --clear '*) mkdir -p "\$4/bin" && cp "\$0" "\$4/bin/python" ;;
  *'pip '*) echo "\$*" && exit $1 ;;
  *) echo "\$PYTHONPATH \$*" ;;
esac
PYTHON
}
installed_worker() { env HOME="$scratch/home" XDG_DATA_HOME= "$worker"; }
python_that_installs 1
expect 'a download that fails' 3 'pip failed, see its message above' install_ort "$scratch/bin/python3"
expect 'not installed after this' 2 'run touchstone backend install ort' installed_worker
python_that_installs 0
expect 'pinned packages' 0 "--require-hashes --no-deps --only-binary :all: --requirement $share/backends/ort/requirements.txt" \
  install_ort "$scratch/bin/python3"
expect 'an installed backend' 0 "share/touchstone/backends/../python -B -m touchstone.worker ort_backend:plain" installed_worker
expect 'twice' 0 "ort is installed in $scratch/home/.local/share/touchstone/backends/ort" install_ort /none
mv "$scratch/home/.local/share/touchstone/backends/ort/bin" "$scratch/home/moved"
expect 'a Python that is gone' 2 'run touchstone backend install ort' installed_worker
mv "$scratch/home/moved" "$scratch/home/.local/share/touchstone/backends/ort/bin"
echo >>"$share/backends/ort/requirements.txt"
expect 'packages of another version' 2 'run touchstone backend install ort' installed_worker
expect 'no packages of Python' 2 'use it in a clone of Touchstone' "$share/backends/install.sh" tract python3
python_without mine/python
expect 'a Python that is named' 0 "$no_packages" env TOUCHSTONE_PYTHON="$scratch/mine/python" "$worker"
expect 'which one it is' 0 "that $scratch/mine/python does" env TOUCHSTONE_PYTHON="$scratch/mine/python" "$worker"

# ---- tools/setup: why a step failed

explain_failure() ( # LOG'S LAST LINE
  cache=$scratch/cache
  mkdir -p "$cache/logs"
  printf '%s\n' "$1" >"$cache/logs/step.log"
  say() { printf '%s\n' "$*"; }
  die() { exit "$1"; }
  functions fail
  fail step 'making it'
)
expect 'a full disk' 3 'failed: no space left' explain_failure \
  "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
expect 'no network' 3 'failed: a download failed' explain_failure 'ERROR: No matching distribution found for cmake'
expect 'another file' 3 'failed: a download does not have' explain_failure 'ERROR: PACKAGES DO NOT MATCH THE HASHES'
expect 'anything else' 3 'making it failed' explain_failure 'Segmentation fault'

# The first try, without the network, fails on every new machine. The log of the step must not mention this.
make_venv_on_a_full_disk() (
  cache=$scratch/cache root=$scratch venv=$scratch/.venv
  python3() { :; }
  pip() {
    [[ $2 == download ]] && return
    if [[ -e $scratch/tried ]]; then echo 'No space left on device' && return 1; fi
    touch "$scratch/tried"
    echo 'No matching distribution found'
    return 1
  }
  functions make_venv
  set -e
  log=$(make_venv "$venv" requirements.txt) || { [[ $log == 'No space left on device' ]] && echo 'only the last reason' && exit 1; }
)
expect 'a full disk while making .venv' 1 'only the last reason' make_venv_on_a_full_disk

# ---- tools/onnx_node_tests.py: modified data are made again

expect 'damaged data' 0 '' python3 -B - "$tools" "$scratch/release" <<'PYTHON'
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])
import onnx_node_tests as script

release, wanted = Path(sys.argv[2]), script.is_of_quantization
for test in ["test_quantizelinear", "test_dequantizelinear_axis"]:
    (release / test / "test_data_set_0").mkdir(parents=True)
    for file in ["model.onnx", "test_data_set_0/input_0.pb", "test_data_set_0/output_0.pb"]:
        (release / test / file).write_bytes(b"some bytes")
assert script.whole(release, wanted, 2)
assert not script.as_made(release, wanted, 2), "no manifest"
(release / script.MANIFEST).write_bytes(script.manifest(release))
assert script.as_made(release, wanted, 2)
assert not script.as_made(release, wanted, 3), "a test is missing"
model = release / "test_quantizelinear" / "model.onnx"
for content in [b"some", b"same bytes", b""]:
    model.write_bytes(content)
    assert not script.as_made(release, wanted, 2), content
model.unlink()
assert not script.as_made(release, wanted, 2), "a file is missing"
model.write_bytes(b"some bytes")
assert script.as_made(release, wanted, 2)
(release / "test_quantizelinear" / "test_data_set_1").mkdir()
(release / "test_quantizelinear" / "test_data_set_1" / "input_0.pb").touch()
assert not script.as_made(release, wanted, 2), "a file too many"
assert not script.as_made(release / "none", wanted, 0)

for test in ["test_conv_with_strides", "test_edge_pad", "test_max_example", "test_if"]:
    assert script.is_of_operator(test), test
for test in ["test_quantizelinear", "test_clip_expanded", "test_maxunpool_export_with_output_shape", "test_castlike"]:
    assert not script.is_of_operator(test), test
PYTHON

((failures == 0)) || exit 1
