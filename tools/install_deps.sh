#!/bin/sh
# Sees to it that the tools and libraries of a task are there.
#
#   tools/install_deps.sh bench|docs|test|determinism|fuzz|windows
#
# On Debian and its relatives, what is missing is installed with apt-get, as root or through sudo.
# Elsewhere the script looks for the programs and names what to install; libraries that are missing
# are then taken from subprojects/*.wrap by Meson. Packages without which a test is skipped, and no
# more, are left out where there are none of those names.
set -eu

# dpkg-dev tells Meson that libraries live in lib/<architecture>; without it they would be installed
# to lib64, where Debian looks for none
build="meson ninja-build gcc libc6-dev dpkg-dev pkg-config cmake python3"
build="$build libsimde-dev libmimalloc-dev libyajl-dev libexpat1-dev"
peers="libode-dev libbullet-dev g++"
bench="libcjson-dev libargtable2-dev $peers"
docs="doxygen python3"
tests="libcmocka-dev clang libclang-rt-dev binutils doxygen python3-pyode $bench"
clients="darkplaces-server fteqcc libdart-collision-ode6.12 libompl16 libeigen3-dev libmujoco-dev"
optional=
plot=
command -v gnuplot >/dev/null 2>&1 || plot="gnuplot-nox"
cross="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user lld llvm"
fuzz="clang libclang-rt-dev"
windows="gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64"

case "${1:-}" in
bench) packages="$build $bench $plot" ;;
docs) packages="$docs" ;;
test) packages="$build $tests" optional=$clients ;;
determinism) packages="$build $tests $cross" optional=$clients ;;
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

# those of the packages named that are not installed
not_installed() {
    for package in "$@"; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
        case "$state" in installed*) ;; *) printf ' %s' "$package" ;; esac
    done
}
# shellcheck disable=SC2086  # all are lists of words
missing=$(not_installed $packages)
# shellcheck disable=SC2086
optional=$(not_installed $optional)
[ -n "$missing$optional" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        [ -n "$missing" ] || exit 0
        echo "Missing packages, and neither root nor sudo to install them. Please run:" >&2
        echo "    apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
install() {
    echo "installing: $*"
    $as_root apt-get -qq install -y --no-install-recommends "$@" >/dev/null
}
if [ -n "$missing" ]; then
    $as_root apt-get -qq update
    # shellcheck disable=SC2086
    install $missing
fi
there=
for package in $optional; do
    ! apt-cache show "$package" >/dev/null 2>&1 || there="$there $package"
done
# shellcheck disable=SC2086
[ -z "$there" ] || install $there || echo "left out:$there"
