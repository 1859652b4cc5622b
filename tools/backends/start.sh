# shellcheck shell=bash
# What the workers of tools/backends share: each has a virtual environment, or a build, of its own, made by
# tools/setup --for NAME.

backends=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

check_installed() { # NAME PROGRAM
  [[ -x $2 ]] && return
  printf 'the backend %s is not installed: run tools/setup --for %s\n' "$1" "$1" >&2
  exit 2
}

start() { # NAME MODULE:ATTR
  local python=$backends/../../.venv-$1/bin/python
  check_installed "$1" "$python"
  export PYTHONPATH=$backends/$1:$backends/../python/src${PYTHONPATH:+:$PYTHONPATH}
  exec "$python" -B -m touchstone.worker "$2"
}

start_crate() { # NAME ARGUMENT...
  local program=$backends/../../build/backends/$1/release/touchstone-$1
  check_installed "$1" "$program"
  exec "$program" "${@:2}"
}

unknown_argument() { # NAME ARGUMENT KNOWN...
  printf "the backend %s has no variant '%s'; it has: %s\n" "$1" "$2" "${*:3}" >&2
  exit 2
}
