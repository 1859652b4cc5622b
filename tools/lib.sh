# shellcheck shell=bash
# Shared by the scripts: locations, messages, and building a preset.
# shellcheck disable=SC2034 # each script uses some of these

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv

# Debian's tools come first, so that the user's pyenv, conda or protoc does not affect the build.
system_path=/usr/sbin:/usr/bin:/sbin:/bin:$PATH

backend_requirements() { printf '%s\n' "$root/tools/backends/$1/requirements.txt"; } # NAME
backend_packages() { printf '%s\n' "$root/tools/backends/$1/packages.txt"; }          # NAME; optional
backend_manifest() { printf '%s\n' "$root/tools/backends/$1/Cargo.toml"; }           # NAME; for a backend in Rust
backend_lock() { printf '%s\n' "$root/tools/backends/$1/package-lock.json"; }         # NAME; for one in JavaScript
is_backend() { [[ -f $(backend_requirements "$1") || -f $(backend_manifest "$1") || -f $(backend_lock "$1") ]]; } # NAME

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

die() { # CODE MESSAGE
  say "$2"
  exit "$1"
}

caches=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
cache=${TOUCHSTONE_CACHE:-${caches:+$caches/touchstone}}
[[ $cache ]] || die 2 "no directory for downloads: set HOME, or TOUCHSTONE_CACHE to a directory with 250 MB of space"
[[ $cache == /* ]] || cache=$PWD/$cache
node_tests=$cache/onnx-node-tests
operator_tests=$cache/onnx-operator-tests # of other operators, for our own tests

onnx_source() { # prints VERSION SHA256
  sed -nE 's/^onnx==([^ ]+) --hash=sha256:([0-9a-f]+)$/\1 \2/p' "$root/tools/onnx-source.txt"
}

# ONNX is a static C++ library: each version of the compiler and of protobuf needs its own build.
onnx_prefix() {
  local PATH=$system_path version gcc protobuf
  read -r version _ < <(onnx_source)
  gcc=$(g++ -dumpversion)
  protobuf=$(protoc --version)
  printf '%s\n' "$cache/onnx-$version-gcc${gcc%%.*}-protobuf${protobuf##* }-$(uname -m)"
}

# Without a terminal, shows all messages, and ninja's progress every 30 s.
show_progress() { # [SECONDS BETWEEN LINES]
  local line shown=$SECONDS
  while IFS= read -r line; do
    if [[ ! $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
      printf '%s\n' "$line"
    elif ((SECONDS - shown >= ${1:-30})); then
      shown=$SECONDS
      say "built ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
    fi
  done
}

compile() { # PRESET TARGET
  (cd "$root" && NINJA_STATUS='[%f/%t] ' "$venv/bin/cmake" --build --preset "$1" --target "$2") </dev/null
}

# Configures only if something has changed, and prints nothing if there is nothing to build.
build() { # PRESET TARGET [CMAKE ARGUMENT...]
  local PATH=$system_path preset=$1 target=$2 directory=$root/build/$1 settings
  settings=("-DCMAKE_PREFIX_PATH=$(onnx_prefix)" "${@:3}")
  local stamp log=$directory/configure.log
  # CMake itself does not notice that the presets have changed or that the clone was moved.
  stamp="$root ${settings[*]} $(cksum <"$root/CMakePresets.json")"
  mkdir -p "$directory"
  if [[ ! -f $directory/build.ninja || $(cat "$directory/configured" 2>/dev/null) != "$stamp" ]]; then
    say "configuring build/$preset"
    (cd "$root" && "$venv/bin/cmake" --fresh --preset "$preset" "${settings[@]}") >"$log" 2>&1 </dev/null || {
      cat "$log" >&2
      die 3 "CMake failed to configure the preset '$preset'"
    }
    printf '%s' "$stamp" >"$directory/configured"
  fi
  if [[ $(ninja -C "$directory" -n "$target" 2>&1) == *'no work to do'* ]]; then return; fi
  say "building build/$preset"
  # A terminal shows ninja's progress in one line.
  if [[ -t 2 ]]; then compile "$preset" "$target" >&2; else compile "$preset" "$target" 2>&1 | show_progress >&2; fi ||
    die 3 "the build in build/$preset failed; see the messages above"
}
