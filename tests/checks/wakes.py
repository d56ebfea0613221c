#!/usr/bin/env python3
"""Every public function has its row in the tests of waking, or its reason for having none.

    wakes.py ROOT

Takes the functions that include/lode/*.h declares, and the names that the tables in
tests/world/test_wake_*.c give: ROW(function, ...) for what does something, ASK(function, ...) for
what only asks. What neither holds must be in EXEMPT, whose patterns say why.
"""
import os
import re
import sys

from check import finish, report, sources

# A pattern for whole names, and why they can wake nobody.
EXEMPT = [
    (r"lode_mass_\w+", "plain numbers"),
    (r"lode_\w+_default|lode_\w+_(def|properties)_init", "fills a definition"),
    (r"lode_joint_def_(anchors?|frame)_world", "fills a definition"),
    (r"lode_joint_axis_set_(spring|servo)", "fills a definition"),
    (r"lode_(hull|mesh|heightfield|custom)_\w+", "geometry that knows no world"),
    (r"lode_segments_\w+|lode_solid_\w+", "forms that are no shapes"),
    (r"lode_pair_set_(create|destroy)", "a list of pairs that the caller owns"),
    (r"lode_set_(allocator|error_hook)", "set before the first world"),
    (r"lode_(report_error|status_text|simd_name|simd_available|version)", "words"),
]


def declared(root):
    found = {}
    for path in sources(root, "include/lode", (".h",)):
        with open(os.path.join(root, path), encoding="utf-8") as text:
            for name in re.findall(r"LODE_API\b[^;{(]*?\b(lode_\w+)\(", text.read()):
                found[name] = path
    return found


def named(root):
    found = set()
    for path in sources(root, "tests/world", (".c",)):
        if os.path.basename(path).startswith("test_wake_"):
            with open(os.path.join(root, path), encoding="utf-8") as text:
                found |= set(re.findall(r"\b(?:\w*ROWS?|ASK|\w*CHANGES|COMES)\((lode_\w+)",
                                        text.read()))
    return found


def main():
    root = sys.argv[1]
    functions, rows = declared(root), named(root)

    def exempt(name):
        return any(re.fullmatch(pattern, name) for pattern, _ in EXEMPT)

    report("the headers declare functions", [] if len(functions) > 200 else ["none were found"])
    report("every public function has a row of waking, or a reason for none",
           [f"{functions[name]}: {name}" for name in sorted(functions)
            if name not in rows and not exempt(name)])
    report("rows name public functions",
           [name for name in sorted(rows) if name not in functions])
    report("what is exempt has no row", [name for name in sorted(rows) if exempt(name)])
    finish()


if __name__ == "__main__":
    main()
