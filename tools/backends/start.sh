# shellcheck shell=bash
# Shared by the workers of tools/backends. Each has a Python with its own packages, or a build. In a clone,
# tools/setup --for NAME makes it; for an installation, touchstone backend install NAME. With touchstone run --python,
# another Python is used.

backends=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

# The virtual environment of a backend. It is not in the installation, because that may belong to another user.
environment_of() { # NAME
  local data=${XDG_DATA_HOME:-}
  [[ $data == /* ]] || data=${HOME:+$HOME/.local/share}
  printf '%s/touchstone/backends/%s\n' "$data" "$1"
}

# Everything that determines the packages of an environment.
pinned_packages() { # NAME
  cat "$backends/$1/requirements.txt" "$backends/../onnx_node_tests.txt"
}

is_complete() { # NAME
  [[ -x $(environment_of "$1")/bin/python ]] && cmp -s <(pinned_packages "$1") "$(environment_of "$1")/complete"
}

not_installed() { # NAME
  local install="touchstone backend install $1"
  [[ ! -x $backends/../setup ]] || install="tools/setup --for $1"
  printf 'the backend %s is not installed: run %s\n' "$1" "$install" >&2
  exit 2
}

start() { # NAME [--transform] MODULE:ATTR
  local python=${TOUCHSTONE_PYTHON:-} of_clone=$backends/../../.venv-$1/bin/python package=$backends/../python
  if [[ $python ]]; then
    check_packages "$python" "$1"
  elif [[ -x $of_clone ]]; then
    python=$of_clone
  elif is_complete "$1"; then
    python=$(environment_of "$1")/bin/python
  else
    not_installed "$1"
  fi
  if [[ -d $package/src ]]; then package=$package/src; fi
  export PYTHONPATH=$backends/$1:$package${PYTHONPATH:+:$PYTHONPATH}
  emulated "$python" -B -m touchstone.worker "${@:2}"
}

# Only reports missing packages, because other packages may provide the same modules. Users see the message if the
# worker fails.
check_packages() { # PYTHON NAME
  local missing
  type -P -- "$1" >/dev/null || { printf 'the backend %s has no Python: %s does not exist\n' "$2" "$1" >&2 && exit 2; }
  missing=$("$1" -B "$backends/missing_packages.py" "$backends/$2/requirements.txt") || exit 2
  [[ ! $missing ]] || printf 'the backend %s may need packages that %s does not have: %s\n' "$2" "$1" "$missing" >&2
}

start_crate() { # NAME ARGUMENT...
  local program=$backends/../../build/backends/$1/release/touchstone-$1
  [[ -x $program ]] || not_installed "$1"
  emulated "$program" "${@:2}"
}

start_npm() { # NAME SCRIPT ARGUMENT...
  local modules=$backends/../../build/backends/$1/node_modules node
  [[ -d $modules ]] || not_installed "$1"
  node=$(type -P node) || {
    printf 'the backend %s needs Node.js, and there is no node on the PATH\n' "$1" >&2
    exit 2
  }
  emulated "$node" "$backends/$2" "$modules" "${@:3}"
}

# Starts the program on the processor of touchstone run --cpu.
emulated() { # PROGRAM ARGUMENT...
  local emulator
  read -ra emulator <<<"${TOUCHSTONE_EMULATOR:-}"
  exec "${emulator[@]}" "$@"
}

unknown_argument() { # NAME ARGUMENT [KNOWN...]
  local known=${*:3}
  printf "the backend %s has no variant '%s'; it has: %s\n" "$1" "$2" "${known:-none}" >&2
  exit 2
}
