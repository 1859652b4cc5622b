#!/usr/bin/env bash
# install_foreign.sh NAME PYTHON ARCHITECTURE PROCESSOR...: makes a directory of the pinned packages of a backend for
# another architecture, and a sysroot for it: Debian's Python with its libraries. PROCESSOR is a name of one and QEMU's
# model of it, separated by a blank. touchstone backend install --arch calls this. Exit codes as those of install.sh.
set -euo pipefail
# shellcheck source=tools/backends/start.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/start.sh"

name=$1 python=$2 architecture=$3 processors=("${@:4}")
environment=$(environment_of "$name" "$architecture") sysroot=$(sysroot_for "$architecture")
qemu=qemu-$architecture
fail() { # CODE MESSAGE
  printf 'touchstone: backend install %s --arch %s: %s\n' "$name" "$architecture" "$2" >&2
  exit "$1"
}

# Installs nothing on this system: apt resolves the dependencies and checks Debian's signatures, with lists and a cache
# in this directory. The Debian release determines the versions.
download_debian_packages() { # DIRECTORY ARCHITECTURE PACKAGE...
  local settings=(-q -o "APT::Architecture=$2" -o "APT::Architectures::=$2" -o "Dir::State::Lists=$1/lists"
    -o "Dir::State::status=$1/status" -o "Dir::Cache=$1" -o "Dir::Cache::Archives=$1/archives" -o APT::Sandbox::User=
    -o Debug::NoLocking=1 -o Acquire::Languages=none)
  mkdir -p "$1/lists/partial" "$1/archives/partial"
  : >"$1/status"
  # The index of an unrelated repository may be broken, so an error of apt-get update is ignored.
  apt-get "${settings[@]}" update || true
  apt-get "${settings[@]}" --yes --no-install-recommends --download-only install "${@:3}"
}

# A directory for each processor, as the prefix of all paths in QEMU: the sysroot, and a /proc/cpuinfo, because some
# libraries crash with that of the host.
describe_processor() { # SYSROOT NAME MODEL
  local prefix=$1/processors/$2
  mkdir -p "$prefix/proc"
  ln -s ../../{etc,lib,usr} "$prefix/"
  QEMU_LD_PREFIX=$prefix "$qemu" -cpu "$3" "$1/usr/bin/python3" -I -S -B "$backends/$architecture.py" cpuinfo \
    >"$prefix/proc/cpuinfo"
}

make_sysroot() {
  local work=$sysroot.part package processor model
  rm -rf "$work"
  mkdir -p "$work/root" || fail 2 "cannot write to $work: set XDG_DATA_HOME to another directory"
  printf 'making %s from Debian packages\n' "$sysroot" >&2
  download_debian_packages "$work" arm64 python3 libstdc++6 >"$work/log" 2>&1 || {
    tail -n 5 "$work/log" >&2
    fail 3 "apt-get failed, see its message above; can this machine reach a Debian mirror with the architecture arm64?"
  }
  for package in "$work"/archives/*.deb; do dpkg-deb --extract "$package" "$work/root"; done
  # Workers start in half the time, if the Python of this host has the same version.
  "$python" -m compileall -q "$work/root/usr/lib" || true
  for processor in "${processors[@]}"; do
    read -r processor model <<<"$processor"
    describe_processor "$work/root" "$processor" "$model" || fail 2 "$qemu cannot run Debian's Python as $processor"
  done
  sysroot_stamp >"$work/root/complete"
  rm -rf "$sysroot"
  mv "$work/root" "$sysroot"
  rm -rf "$work"
}

# Everything that determines the sysroot, besides the Debian release.
sysroot_stamp() { printf '%s\n' "${processors[@]}" "$(cksum <"$backends/$architecture.py")"; }

has_sysroot() { [[ -f $sysroot/complete ]] && cmp -s <(sysroot_stamp) "$sysroot/complete"; }

install_packages() {
  local version
  printf 'installing the packages of %s in %s\n' "$name" "$environment" >&2
  version=$(readlink "$sysroot/usr/bin/python3")
  # The pip of this host installs for the Python of the sysroot.
  "$python" -m venv --clear "$environment/pip" >&2 ||
    fail 2 "'$python' cannot make virtual environments; on Debian, install the package python3-venv"
  "$environment/pip/bin/python" -m pip --quiet --disable-pip-version-check --no-input install --require-hashes --no-deps \
    --only-binary :all: --implementation cp --python-version "${version#python}" \
    --platform "manylinux_2_28_$architecture" --platform "manylinux_2_27_$architecture" \
    --platform "manylinux2014_$architecture" --target "$environment/packages" \
    --requirement "$backends/$name/requirements.txt" >&2 ||
    fail 3 "pip failed, see its message above; can this machine reach the package index?"
  rm -rf "$environment/pip"
  pinned_packages "$name" "$architecture" >"$environment/complete"
}

[[ $environment == /*/touchstone/* ]] || fail 2 "neither HOME nor XDG_DATA_HOME is set to a directory"
grep -qs "^# Hashes:.* $architecture" "$backends/$name/requirements.txt" ||
  fail 2 "its packages are not pinned for $architecture"
type -P -- "$python" >/dev/null || fail 2 "there is no Python '$python': name another one with --python"
type -P "$qemu" >/dev/null || fail 2 "the command $qemu is not in PATH; install the Debian package qemu-user"
for command in apt-get dpkg-deb; do
  type -P "$command" >/dev/null || fail 2 "it needs $command, which Debian and its relatives have"
done
mkdir -p "$environment" "$sysroot/.." || fail 2 "cannot write to $environment: set XDG_DATA_HOME to another directory"
exec {lock}<"$environment/.."
flock --nonblock "$lock" || fail 2 "another installation of a backend is running"
trap 'is_complete "$name" "$architecture" || rm -rf "$environment"' EXIT
if has_sysroot && is_complete "$name" "$architecture"; then
  printf '%s is installed in %s and %s; to install it again, remove these directories\n' "$name" "$environment" "$sysroot"
  exit
fi
has_sysroot || make_sysroot
is_complete "$name" "$architecture" || install_packages
printf '%s is installed in %s and %s; run touchstone run --backend %s --cpu %s\n' "$name" "$environment" "$sysroot" \
  "$name" "${processors[0]%% *}"
