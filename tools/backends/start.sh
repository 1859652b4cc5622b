# shellcheck shell=bash
# Shared by the workers of tools/backends. Each has a Python with its own packages, or a build. In a clone,
# tools/setup --for NAME makes it. In an installation it is the Python NAME/.venv, or the one that
# touchstone run --python names.

backends=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

not_installed() { # NAME
  printf 'the backend %s is not installed: run tools/setup --for %s\n' "$1" "$1" >&2
  exit 2
}

start() { # NAME MODULE:ATTR
  local python=${TOUCHSTONE_PYTHON:-} of_clone=$backends/../../.venv-$1/bin/python package=$backends/../python
  if [[ ! $python && -x $of_clone ]]; then
    python=$of_clone
  else
    : "${python:=$backends/$1/.venv/bin/python}"
    check_packages "$python" "$1"
  fi
  if [[ -d $package/src ]]; then package=$package/src; fi
  export PYTHONPATH=$backends/$1:$package${PYTHONPATH:+:$PYTHONPATH}
  exec "$python" -B -m touchstone.worker "$2"
}

# Only reports missing packages, because other packages may provide the same modules. Users see the message if the
# worker fails.
check_packages() { # PYTHON NAME
  local python=$1 name=$2 requirements=$backends/$2/requirements.txt venv=${HOME:-.}/touchstone-$2 missing
  if ! type -P "$python" >/dev/null; then
    if [[ -x $backends/../setup && ! ${TOUCHSTONE_PYTHON:-} ]]; then
      not_installed "$name"
    fi
    printf 'the backend %s has no Python: %s does not exist\n' "$name" "$python" >&2
  else
    missing=$("$python" -B "$backends/missing_packages.py" "$requirements") || exit 2
    [[ $missing ]] || return 0
    printf 'the backend %s may need packages that %s does not have: %s\n' "$name" "$python" "$missing" >&2
  fi
  printf 'To create an environment for it:\n' >&2
  if [[ -f $backends/$name/packages.txt ]]; then
    printf '  apt-get install %s\n' "$(grep -v '^#' "$backends/$name/packages.txt" | xargs)" >&2
  fi
  printf '  python3 -m venv %s\n  %s/bin/pip install --no-deps --requirement %s\n' "$venv" "$venv" "$requirements" >&2
  printf 'To use it: --backend %s --python %s/bin/python\n' "$name" "$venv" >&2
  [[ ${missing:-} ]] || exit 2
}

start_crate() { # NAME ARGUMENT...
  local program=$backends/../../build/backends/$1/release/touchstone-$1
  [[ -x $program ]] || not_installed "$1"
  exec "$program" "${@:2}"
}

unknown_argument() { # NAME ARGUMENT [KNOWN...]
  local known=${*:3}
  printf "the backend %s has no variant '%s'; it has: %s\n" "$1" "$2" "${known:-none}" >&2
  exit 2
}
