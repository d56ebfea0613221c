#!/usr/bin/env python3
"""Holds the names that libode.so.8 exports against those of ODE's interface.

    compare_exports.py LIBRARY MAP [DEBIANS]

The library must export what the linker's map lists, and nothing else; with Debian's library the
map is held against that one's names too, C++'s aside.
"""
import pathlib
import re
import subprocess
import sys

def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                           stdout=subprocess.PIPE, universal_newlines=True).stdout.splitlines()
    return {line.split()[-1] for line in lines}


def is_of_c(name):
    return not name.startswith("_")


def main():
    ours = exported(sys.argv[1])
    text = re.sub(r"/\*.*?\*/", "", pathlib.Path(sys.argv[2]).read_text(), flags=re.S)
    listed = set(re.findall(r"(\w+);", text.split("global:")[1].split("local:")[0]))
    checks = [("nothing else is exported", ours - listed),
              ("all that is listed is exported", listed - ours)]
    if len(sys.argv) > 3:
        theirs = {name for name in exported(sys.argv[3]) if is_of_c(name)}
        checks.append(("Debian's names are the listed ones", theirs ^ listed))
    print(f"1..{len(checks)}")
    for index, (what, wrong) in enumerate(checks, 1):
        print(f"{'not ok' if wrong else 'ok'} {index} - {what}")
        for name in sorted(wrong):
            print(f"# {name}")
    return 1 if any(wrong for _, wrong in checks) else 0


if __name__ == "__main__":
    sys.exit(main())
