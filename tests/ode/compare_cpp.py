#!/usr/bin/env python3
"""Holds the headers of the ODE face, as C++ sees them, against the lists of ODE's interface.

    compare_cpp.py LISTS COMPILER [FLAG ...]

Every class has just the listed members, with their access, types and defaults; a program that calls
each of them compiles in both precisions, as C++98 too. C functions and constants are as in C. Where
Debian's headers are installed they have the same, and as large objects and the same tables of
virtual functions.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import compare_headers
import cpp_calls
import cpp_classes

DEBIANS = pathlib.Path("/usr/include/ode/odecpp.h")


def run(command):
    """Errors of a command, as lines."""
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    return done.stdout.splitlines() or ["failed"] if done.returncode else []


def difference(listed, rows):
    return [f"missing: {row}" for row in sorted(set(listed) - set(rows))] + \
        [f"not listed: {row}" for row in sorted(set(rows) - set(listed))]


def compiles(compiler, source, standards=("c++98", "c++17")):
    return [line for standard in standards
            for line in run(compiler + [f"-std={standard}", "-w", "-fsyntax-only", str(source)])]


def interface(lists):
    """What is the same in C: all functions, with their prototypes, and constants."""
    lines = [f"#include <ode/{header}.h>" for header in compare_headers.HEADERS]
    lines += [f"static_assert({row['constant']} == {row['value']}, \"{row['constant']}\");"
              for row in compare_headers.read(lists, "enums.tsv")]
    lines += map(compare_headers.check_function, compare_headers.read(lists, "api.tsv"))
    return "\n".join(lines) + "\n"


def layouts(compiler, source, folder):
    """Classes' layouts and tables of virtual functions, as gcc tells them, without addresses."""
    told = folder / "classes.txt"
    wrong = run(compiler + ["-w", "-fsyntax-only", f"-fdump-lang-class={told}", str(source)])
    if wrong or not told.exists():
        return []
    return sorted(re.sub(r"0x[0-9a-fx]+", "", block) for block in told.read_text().split("\n\n")
                  if re.match(r"(Class|Vtable for) d[A-Z]", block))


def refused(compiler, bases):
    """Bases of templates are defined all together; the program is one that compiles otherwise."""
    defined = [f"-DdODECPP_{base}_TEMPLATE_BASE=d{word}SimpleIDContainer"
               for base, word in bases.items()]
    compiled = not run(compiler + ["-w", "-fsyntax-only", "-x", "c++", "-include", "ode/ode.h"] +
                       defined + ["/dev/null"])
    return [] if compiled == (len(bases) == 4) else [f"{sorted(bases)}: compiled is {compiled}"]


def partial_bases(compiler):
    words = {"WORLD": "World", "BODY": "Body", "JOINTGROUP": "JointGroup", "JOINT": "Joint"}
    return [line for base in words for bases in ({base: words[base]},
                                                 {key: words[key] for key in words if key != base})
            for line in refused(compiler, bases)] + refused(compiler, words)


def main():
    lists, ours = pathlib.Path(sys.argv[1]), sys.argv[2:]
    listed = cpp_classes.read_list(lists / "classes.tsv")
    theirs = [word for word in ours if not word.startswith("-I")]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "calls.cpp"
        source.write_text(cpp_calls.program(listed))
        in_c = folder / "interface.cpp"
        in_c.write_text(interface(lists))
        single = ours + ["-DdIDESINGLE"]
        checks = [("our classes have the listed members",
                   difference(listed, cpp_classes.read_headers(ours))),
                  ("in single precision too", difference(listed, cpp_classes.read_headers(single))),
                  ("all can be called", compiles(ours, source)),
                  ("in single precision too", compiles(single, source)),
                  ("C functions and constants are as in C", compiles(ours, in_c, ["c++17"])),
                  ("the program's own bases of templates come all together", partial_bases(ours))]
        if DEBIANS.exists():
            mine, debians = (layouts(compiler, source, folder) for compiler in (ours, theirs))
            checks.append(("Debian's classes have the listed members",
                           difference(listed, cpp_classes.read_headers(theirs))))
            checks.append(("layouts are the same" if mine or debians else
                           "layouts # SKIP clang does not tell them",
                           sorted(set(mine) ^ set(debians))))
    print(f"1..{len(checks)}")
    for index, (what, wrong) in enumerate(checks, 1):
        print(f"{'not ok' if wrong else 'ok'} {index} - {what}")
        for line in wrong:
            print("# " + str(line).replace("\n", "\n# "))
    return 1 if any(wrong for _, wrong in checks) else 0


if __name__ == "__main__":
    sys.exit(main())
