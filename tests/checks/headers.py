#!/usr/bin/env python3
"""Every header compiles alone.

    headers.py ROOT CC [CXX]

Public ones as C17 and as C++17, in both precisions, with pedantic warnings as errors; private ones
as C17 in both precisions. Headers of kernels are compiled for plain C. In simd/ some headers are
parts of wide.h; those are checked that somebody else includes.
"""
import os
import re
import sys
import tempfile

from check import finish, report, run, skip, sources

PRIVATE = ["simd", "core", "collide", "solver", "world"]


def compile_header(compiler, language, standard, root, header, flags):
    with tempfile.TemporaryDirectory() as place:
        unit = os.path.join(place, "unit." + language)
        with open(unit, "w", encoding="utf-8") as text:
            # twice: the guard must hold
            text.write(f'#include "{header}"\n#include "{header}"\nint unit;\n')
        status, output = run(compiler.split() + [
            "-std=" + standard, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", *flags,
            "-I" + os.path.join(root, "include"), unit])
    return [] if status == 0 else output.splitlines()


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
              ("include/ode", "single", ["-DdIDESINGLE"]), ("include/ode", "double", [])]
    for place, precision, flags in public:
        flags = flags + ["-pedantic"]
        for header in sources(root, place, (".h",)):
            name = os.path.relpath(header, "include")
            report(f"{name} alone as C17, {precision}",
                   compile_header(c_compiler, "c", "c17", root, name, flags))
            if cpp_compiler:
                report(f"{name} alone as C++17, {precision}",
                       compile_header(cpp_compiler, "cpp", "c++17", root, name, flags))
    if not cpp_compiler:
        skip("public headers as C++17", "no C++ compiler")
    for room in PRIVATE:
        for precision, flags in (("single", []), ("double", ["-DLODE_DOUBLE"])):
            problems = []
            for header in sources(root, room, (".h",)):
                if room == "simd" and header not in entrances(root):
                    continue
                flags_here = flags + ["-I" + root, "-DLODE_VARIANT_PLAIN=1", "-DLODE_HAVE_PLAIN=1",
                                      "-ffp-contract=off", "-Wno-unused-function"]
                problems += compile_header(c_compiler, "c", "c17", root, header, flags_here)
            report(f"headers of {room}/ alone, {precision}", problems)
    finish()


if __name__ == "__main__":
    main()
