#!/bin/sh
# Runs fuzz targets one after the other, each for some seconds:
#
#   tools/fuzz.sh BUILD PRECISION SECONDS "TARGETS" [libFuzzer's options]
#
# BUILD/corpus/<target> grows from run to run, from seeds and from tests/fuzz/corpus/<target>. What
# ends a target (a crash, a sanitizer's report, a wrong answer, a hang) is left in
# BUILD/found/<target>; the script then goes on with the next target and fails in the end.
set -eu

build=$1
precision=$2
seconds=$3
targets=$4
shift 4
root=$(dirname "$0")/..
failed=

mkdir -p "$build/seeds/pairs" "$build/seeds/builders" "$build/seeds/snapshots" "$build/seeds/calls" \
    "$build/seeds/materials" "$build/seeds/urdf"
"$build/tests/fuzz/seeds_$precision" "$build/seeds"
for target in $targets; do
    mkdir -p "$build/corpus/$target" "$build/found/$target"
    echo "$target: $seconds s"
    "$build/tests/fuzz/fuzz_${target}_$precision" -max_total_time="$seconds" -timeout=30 \
        -max_len=800 -artifact_prefix="$build/found/$target/" -print_final_stats=1 -verbosity=0 "$@" \
        "$build/corpus/$target" "$root/tests/fuzz/corpus/$target" "$build/seeds/$target" ||
        failed="$failed $target"
done
if [ -n "$failed" ]; then
    echo "found something:$failed; the inputs are in $build/found." >&2
    echo "tests/fuzz/README.md says how to go on" >&2
    exit 1
fi
