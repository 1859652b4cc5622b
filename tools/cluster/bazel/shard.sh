#!/usr/bin/env bash
# shard.sh PROGRAM [OPTION of touchstone run...]: runs one shard, in a directory that Bazel keeps.
set -eu
program=$(realpath "$1")
export TOUCHSTONE_DATA=${program%/bin/*}/onnx-node-tests
exec "$program" run --output "$TEST_UNDECLARED_OUTPUTS_DIR/shard" --quiet --jobs 1 "${@:2}"
