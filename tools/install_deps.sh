#!/bin/sh
# Sees to it that the tools and libraries of a task are there.
#
#   tools/install_deps.sh bench|docs|test|determinism|fuzz|windows
#
# On Debian and its relatives, what is missing is installed with apt-get, as root or through sudo.
# Elsewhere the script looks for the programs and names what to install; libraries that are missing
# are then taken from subprojects/*.wrap by Meson.
set -eu

# dpkg-dev tells Meson that libraries live in lib/<architecture>; without it they would be installed
# to lib64, where Debian looks for none
build="meson ninja-build gcc libc6-dev dpkg-dev pkg-config cmake python3"
build="$build libsimde-dev libmimalloc-dev libyajl-dev"
peers="libode-dev libbullet-dev g++"
bench="libcjson-dev libargtable2-dev $peers"
docs="doxygen python3"
tests="libcmocka-dev clang libclang-rt-dev binutils doxygen python3-pyode $bench"
plot=
command -v gnuplot >/dev/null 2>&1 || plot="gnuplot-nox"
cross="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user lld llvm"
fuzz="clang libclang-rt-dev"
windows="gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64"

case "${1:-}" in
bench) packages="$build $bench $plot" ;;
docs) packages="$docs" ;;
test) packages="$build $tests" ;;
determinism) packages="$build $tests $cross" ;;
fuzz) packages="$build $fuzz" ;;
windows) packages="$build $windows" ;;
*)
    echo "usage: $0 bench|docs|test|determinism|fuzz|windows" >&2
    exit 2
    ;;
esac

if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
    missing=
    for program in meson ninja cc pkg-config cmake python3; do
        command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
    done
    if [ -n "$missing" ]; then
        echo "This system has no apt-get. Please install these programs and run the command again:" >&2
        echo "   $missing" >&2
        echo "Useful beside them, by their Debian names: $packages" >&2
        exit 1
    fi
    exit 0
fi

missing=
for package in $packages; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    case "$state" in installed*) ;; *) missing="$missing $package" ;; esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "Missing packages, and neither root nor sudo to install them. Please run:" >&2
        echo "    apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086  # both are lists of words
$as_root apt-get -qq update
# shellcheck disable=SC2086
$as_root apt-get -qq install -y --no-install-recommends $missing >/dev/null
