#!/usr/bin/env bash
# install.sh NAME PYTHON: makes the virtual environment of a backend, with the pinned packages that it needs.
# touchstone backend install calls it. Exit codes: 0 it is installed; 2 it cannot be installed here; 3 a download failed.
set -euo pipefail
# shellcheck source=tools/backends/start.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/start.sh"

name=$1 python=$2 environment=$(environment_of "$1")
fail() { # CODE MESSAGE
  printf 'touchstone: backend install %s: %s\n' "$name" "$2" >&2
  exit "$1"
}

[[ $environment == /*/touchstone/* ]] || fail 2 "neither HOME nor XDG_DATA_HOME is set to a directory"
[[ -f $backends/$name/requirements.txt ]] || fail 2 "it is not written in Python: use it in a clone of Touchstone"
if is_complete "$name"; then
  printf '%s is installed in %s, with %s; to install it again, remove this directory\n' "$name" "$environment" \
    "$("$environment/bin/python" --version)"
  exit
fi
type -P -- "$python" >/dev/null || fail 2 "there is no Python '$python': name another one with --python"
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || fail 2 "'$python' is not Python 3"
[[ $version =~ ^3\.1[1-3]$ ]] ||
  fail 2 "its packages are pinned for Python 3.11 to 3.13, and '$python' is $version: name another one with --python"
if [[ -f $backends/$name/packages.txt ]]; then
  printf '%s also needs these Debian packages, or equivalent ones: %s\n' "$name" \
    "$(grep -v '^#' "$backends/$name/packages.txt" | xargs)" >&2
fi
mkdir -p "$environment" || fail 2 "cannot write to $environment: set XDG_DATA_HOME to another directory"
exec {lock}<"$environment/.."
flock --nonblock "$lock" || fail 2 "another installation of a backend is running"
trap 'is_complete "$name" || rm -rf "$environment"' EXIT
printf 'installing the packages of %s in %s\n' "$name" "$environment" >&2
"$python" -m venv --clear "$environment" >&2 ||
  fail 2 "'$python' cannot make virtual environments; on Debian, install the package python3-venv"
"$environment/bin/python" -m pip --quiet --disable-pip-version-check --no-input install --require-hashes --no-deps \
  --only-binary :all: --requirement "$backends/$name/requirements.txt" >&2 ||
  fail 3 "pip failed, see its message above; can this machine reach the package index?"
pinned_packages "$name" >"$environment/complete"
printf '%s is installed in %s; run touchstone run --backend %s\n' "$name" "$environment" "$name"
