# shellcheck shell=bash
# What the workers of tools/backends share: each has a virtual environment of its own, made by tools/setup --for NAME.

backends=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

start() { # NAME MODULE:ATTR
  local python=$backends/../../.venv-$1/bin/python
  if [[ ! -x $python ]]; then
    printf 'the backend %s is not installed: run tools/setup --for %s\n' "$1" "$1" >&2
    exit 2
  fi
  export PYTHONPATH=$backends/$1:$backends/../python/src${PYTHONPATH:+:$PYTHONPATH}
  exec "$python" -B -m touchstone.worker "$2"
}

unknown_argument() { # NAME ARGUMENT [KNOWN...]
  local known=${*:3}
  printf "the backend %s has no variant '%s'; it has: %s\n" "$1" "$2" "${known:-none}" >&2
  exit 2
}
