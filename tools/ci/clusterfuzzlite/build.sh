#!/bin/bash -eu
# Builds the fuzz targets in ClusterFuzzLite's container, which sets OUT, WORK, CXX and CXXFLAGS. Tested with
# Debian's clang 16 and these variables, not in that container. Its clang is newer, so there is no -Werror.
set -o pipefail
# shellcheck source=tools/lib.sh
source tools/lib.sh

# Ubuntu's libprotobuf and fmt, and our ONNX, use libstdc++, which cannot be combined with libc++, the image's default.
# They are not instrumented either. ASan and UBSan work without that; MSan does not, and is not supported.
flags=${CXXFLAGS//-stdlib=libc++/}
[[ $flags != *-fsanitize=memory* ]] || die 2 "the libraries of Ubuntu are not instrumented: no MSan"

build=$WORK/fuzz
# Runners do not have the libraries. They are copied next to the program, where RPATH finds them, and each other.
# shellcheck disable=SC2016 # $ORIGIN is the loader's
"$venv/bin/cmake" --preset fuzz -B "$build" "-DCMAKE_PREFIX_PATH=$(onnx_prefix)" \
  "-DCMAKE_CXX_COMPILER=$CXX" "-DCMAKE_CXX_FLAGS=$flags" -DTOUCHSTONE_WARNINGS_AS_ERRORS=OFF \
  '-DCMAKE_BUILD_RPATH=$ORIGIN/lib' -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags
"$venv/bin/cmake" --build "$build"
"$build/fuzz/touchstone-fuzz-seeds" "$build/fuzz/seeds"

mkdir -p "$OUT/lib"
for program in "$build"/fuzz/fuzz_*; do
  [[ -f $program && -x $program ]] || continue
  target=${program##*/fuzz_}
  [[ $target != backend_differential ]] || continue # needs a backend
  cp "$program" "$OUT"
  ldd "$program" | sed -nE 's/.* => (.*) \(.*/\1/p' | grep -vE '/(libc|libm|libresolv)\.so' |
    xargs cp --dereference --target-directory "$OUT/lib"
  corpus=$WORK/corpus/$target
  mkdir -p "$corpus"
  for inputs in "$build/fuzz/seeds/$target" "fuzz/regressions/$target"; do
    [[ ! -d $inputs ]] || cp -r "$inputs/." "$corpus"
  done
  (cd "$corpus" && zip --quiet --recurse-paths "$OUT/fuzz_${target}_seed_corpus.zip" .)
  dictionary=$build/fuzz/seeds/$target.dict
  [[ ! -f $dictionary ]] || cp "$dictionary" "$OUT/fuzz_$target.dict"
  printf '%s\n' '[asan]' detect_container_overflow=0 '[libfuzzer]' rss_limit_mb=2048 malloc_limit_mb=256 \
    >"$OUT/fuzz_$target.options"
done
