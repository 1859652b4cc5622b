# shellcheck shell=bash
# Shared by the workers of tools/backends. Each has a Python with its own packages, or a build. In a clone,
# tools/setup --for NAME makes it; for an installation, touchstone backend install NAME. With touchstone run --python,
# another Python is used.

backends=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

# What is installed is not in the installation of Touchstone, because that may belong to another user.
data_directory() {
  local data=${XDG_DATA_HOME:-}
  [[ $data == /* ]] || data=${HOME:+$HOME/.local/share}
  printf '%s/touchstone\n' "$data"
}

# The virtual environment of a backend, or the directory of its packages for another architecture.
environment_of() { # NAME [ARCHITECTURE]
  printf '%s/backends/%s\n' "$(data_directory)" "$1${2:+-$2}"
}

# The Python and the libraries of an architecture for touchstone run --cpu.
sysroot_for() { # ARCHITECTURE
  printf '%s/sysroots/%s\n' "$(data_directory)" "$1"
}

# Everything that determines the packages of an environment.
pinned_packages() { # NAME [ARCHITECTURE]
  cat "$backends/$1/requirements.txt" "$backends/../onnx_node_tests.txt"
  [[ ! ${2:-} ]] || readlink "$(sysroot_for "$2")/usr/bin/python3"
}

is_complete() { # NAME [ARCHITECTURE]
  local environment
  environment=$(environment_of "$@")
  [[ -f $environment/complete && (${2:-} || -x $environment/bin/python) ]] && cmp -s <(pinned_packages "$@") "$environment/complete"
}

not_installed() { # NAME [ARCHITECTURE]
  local install="touchstone backend install $1${2:+ --arch $2}"
  [[ ${2:-} || ! -x $backends/../setup ]] || install="tools/setup --for $1"
  printf 'the backend %s is not installed%s: run %s\n' "$1" "${2:+ for $2}" "$install" >&2
  exit 2
}

start() { # NAME [--transform] MODULE:ATTR
  local python=${TOUCHSTONE_PYTHON:-} of_clone=$backends/../../.venv-$1/bin/python package=$backends/../python
  local sysroot=${TOUCHSTONE_SYSROOT:-} architecture packages=
  if [[ $sysroot ]]; then
    architecture=${sysroot##*/}
    if [[ $python ]]; then
      printf 'the backend %s runs in the Python of %s: omit --python\n' "$1" "$sysroot" >&2
      exit 2
    fi
    is_complete "$1" "$architecture" || not_installed "$1" "$architecture"
    python=$sysroot/usr/bin/python3 packages=:$(environment_of "$1" "$architecture")/packages
  elif [[ $python ]]; then
    check_packages "$python" "$1"
  elif [[ -x $of_clone ]]; then
    python=$of_clone
  elif is_complete "$1"; then
    python=$(environment_of "$1")/bin/python
  else
    not_installed "$1"
  fi
  if [[ -d $package/src ]]; then package=$package/src; fi
  export PYTHONPATH=$backends/$1:$package$packages${PYTHONPATH:+:$PYTHONPATH}
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

# Says that a backend has no program for the processor of touchstone run --cpu.
check_architecture() { # NAME
  [[ ! ${TOUCHSTONE_SYSROOT:-} ]] || {
    printf 'the backend %s has no program for %s\n' "$1" "${TOUCHSTONE_SYSROOT##*/}" >&2
    exit 2
  }
}

start_crate() { # NAME ARGUMENT...
  check_architecture "$1"
  local program=$backends/../../build/backends/$1/release/touchstone-$1
  [[ -x $program ]] || not_installed "$1"
  emulated "$program" "${@:2}"
}

start_npm() { # NAME SCRIPT ARGUMENT...
  check_architecture "$1"
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
