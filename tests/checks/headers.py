#!/usr/bin/env python3
"""Every header compiles alone.

    headers.py ROOT CC [CXX]

Public ones as C17 and as C++17, in both precisions, with pedantic warnings as errors; private ones
as C17 in both precisions. Headers of kernels are compiled for plain C. In simd/ some headers are
parts of wide.h; those are checked that somebody else includes.

Programs for ODE are old: its headers compile alone as C89 and as C++98 too, and all together, in
either order, by every standard that programs are written in, with gcc and with clang.
"""
import os
import re
import shutil
import sys
import tempfile

from check import finish, report, run, skip, sources

PRIVATE = ["simd", "core", "collide", "solver", "world", "io"]
ODE_PRECISIONS = [("single", ["-DdIDESINGLE", "-pedantic"]), ("double", ["-pedantic"])]
ODE_STANDARDS = {"c": ["c89", "c99", "c11", "c17"], "cpp": ["c++98", "c++11", "c++17", "c++20"]}


def compile_headers(compiler, language, standard, root, headers, flags):
    with tempfile.TemporaryDirectory() as place:
        unit = os.path.join(place, "unit." + language)
        with open(unit, "w", encoding="utf-8") as text:
            for header in headers + headers:  # twice: the guard must hold
                text.write(f'#include "{header}"\n')
            text.write("int unit;\n")
        status, output = run(compiler.split() + [
            "-std=" + standard, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", *flags,
            "-I" + os.path.join(root, "include"), unit])
    return [] if status == 0 else output.splitlines()


def check_ode(root, compilers):
    """`compilers` of C and of C++, for each language a list."""
    names = [os.path.relpath(header, "include") for header in sources(root, "include/ode", (".h",))]
    for precision, flags in ODE_PRECISIONS:
        for language, oldest in (("c", "c89"), ("cpp", "c++98")):
            for compiler in compilers[language][:1]:
                report(f"headers of ode/ alone as {oldest}, {precision}",
                       [line for name in names for line in compile_headers(
                           compiler, language, oldest, root, [name], flags)])
            for compiler in compilers[language]:
                for standard in ODE_STANDARDS[language]:
                    report(f"headers of ode/ together as {standard}, {precision}, {compiler}",
                           [line for order in (names, names[::-1]) for line in compile_headers(
                               compiler, language, standard, root, order, flags)])


def others(compiler, names):
    """Those of the compilers that are there and not the given one."""
    def kind(words):
        return run(words.split() + ["--version"])[1]
    return [name for name in names if shutil.which(name) and
            (not compiler or kind(name).split()[1:] != kind(compiler).split()[1:])]


def entrances(root):
    """Headers of simd/ that other rooms, or .c files, include."""
    found = set()
    for room in PRIVATE + ["tests", "bench"]:
        for path in sources(root, room):
            if room != "simd" or path.endswith(".c"):
                with open(os.path.join(root, path), encoding="utf-8") as text:
                    found |= set(re.findall(r'^#include "(simd/[^"]+\.h)"', text.read(), re.M))
    return found


def main():
    root, c_compiler = sys.argv[1], sys.argv[2]
    cpp_compiler = sys.argv[3] if len(sys.argv) > 3 else ""
    public = [("include/lode", "single", []), ("include/lode", "double", ["-DLODE_DOUBLE"]),
              ("include/lode_io", "single", []), ("include/lode_io", "double", ["-DLODE_DOUBLE"]),
              ("include/ode", "single", ["-DdIDESINGLE"]), ("include/ode", "double", [])]
    for place, precision, flags in public:
        flags = flags + ["-pedantic"]
        for header in sources(root, place, (".h",)):
            name = os.path.relpath(header, "include")
            report(f"{name} alone as C17, {precision}",
                   compile_headers(c_compiler, "c", "c17", root, [name], flags))
            if cpp_compiler:
                report(f"{name} alone as C++17, {precision}",
                       compile_headers(cpp_compiler, "cpp", "c++17", root, [name], flags))
    if not cpp_compiler:
        skip("public headers as C++17", "no C++ compiler")
    check_ode(root, {"c": [c_compiler] + others(c_compiler, ["gcc", "clang"]),
                     "cpp": ([cpp_compiler] if cpp_compiler else [])
                            + others(cpp_compiler, ["g++", "clang++"])})
    for room in PRIVATE:
        for precision, flags in (("single", []), ("double", ["-DLODE_DOUBLE"])):
            problems = []
            for header in sources(root, room, (".h",)):
                if room == "simd" and header not in entrances(root):
                    continue
                flags_here = flags + ["-I" + root, "-DLODE_VARIANT_PLAIN=1", "-DLODE_HAVE_PLAIN=1",
                                      "-ffp-contract=off", "-Wno-unused-function"]
                problems += compile_headers(c_compiler, "c", "c17", root, [header], flags_here)
            report(f"headers of {room}/ alone, {precision}", problems)
    finish()


if __name__ == "__main__":
    main()
