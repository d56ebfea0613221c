#!/bin/sh
# Looks at what a cross build for Windows has linked, and runs the examples where there is wine.
#
#   tools/run_windows.sh BUILD
#
# An example runs with every instruction set that was built, from the folder of the DLLs. Prints one
# line per thing checked and, last, `N passed, N failed`.
set -u
build=$1
passed=0
failed=0

verdict() {
    if [ "$1" = 0 ]; then
        echo "ok $2"
        passed=$((passed + 1))
    else
        echo "not ok $2"
        failed=$((failed + 1))
    fi
}

for name in liblode:1 liblode-double:1 libode:8 libode-single:8; do
    for file in "${name%:*}-${name#*:}.dll" "${name%:*}.dll.a" "${name%:*}.a"; do
        [ -s "$build/$file" ]
        verdict $? "$file is there"
    done
done
# what a program for ODE is linked with
for name in libode libode-single; do
    x86_64-w64-mingw32-nm "$build/$name.dll.a" 2>/dev/null | grep -q ' T dWorldQuickStep$'
    verdict $? "$name.dll.a has ODE's names"
done
for program in "$build"/examples/*.exe; do
    [ -s "$program" ]
    verdict $? "$(basename "$program") is there"
done

if ! command -v wine >/dev/null 2>&1; then
    echo "skip running the examples: no wine"
else
    export WINEDEBUG=-all
    WINEPATH=$(cd "$build" && pwd)
    export WINEPATH
    for program in "$build"/examples/*.exe; do
        for simd in plain sse2 avx2; do
            [ "$simd" = plain ] || [ -s "$build/libkernels_${simd}_single.a" ] || continue
            LODE_SIMD=$simd timeout 120 wine "$program" >/dev/null 2>&1
            verdict $? "$(basename "$program") runs under wine, $simd"
        done
    done
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
