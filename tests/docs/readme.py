#!/usr/bin/env python3
"""The README's examples are programs that compile as shown and run.

    tests/docs/readme.py README COMPILER... -- LINK_ARGUMENTS...

Every block that opens with ```c is written to a file, compiled with warnings as errors, linked with
LINK_ARGUMENTS and run; it must end with status 0. A README without such a block fails: there is
nothing then that a newcomer could try. Prints `ok NAME` or `not ok NAME` per block.
"""
import os
import re
import subprocess
import sys
import tempfile


def blocks(readme):
    """The C programs of a Markdown text, each with the line it begins on."""
    if not os.path.exists(readme):
        return
    with open(readme, encoding="utf-8") as text:
        content = text.read()
    for block in re.finditer(r"^```c[ \t]*\n(.*?)^```[ \t]*$", content, re.M | re.S):
        yield content.count("\n", 0, block.start(1)) + 1, block.group(1)


def run(command):
    """What went wrong, as lines; none if nothing did."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, timeout=120)
    if done.returncode == 0:
        return []
    return [f"exit status {done.returncode}: {' '.join(command)}", *done.stdout.splitlines()[:20]]


def try_program(source, compiler, link):
    with tempfile.TemporaryDirectory() as place:
        path, program = os.path.join(place, "example.c"), os.path.join(place, "example")
        with open(path, "w", encoding="utf-8") as out:
            out.write(source)
        warnings = ["-std=c17", "-Wall", "-Wextra", "-Werror"]
        return run([*compiler, *warnings, path, "-o", program, *link]) or run([program])


def main():
    split = sys.argv.index("--")
    readme, compiler, link = sys.argv[1], sys.argv[2:split], sys.argv[split + 1:]
    failed = tried = 0
    for line, source in blocks(readme):
        problems = try_program(source, compiler, link)
        print(("not ok " if problems else "ok ") + f"README.md:{line} compiles and runs as shown")
        for problem in problems:
            print("    " + problem)
        failed += bool(problems)
        tried += 1
    if not tried:
        print(f"not ok {readme} shows a program in C")
    return 0 if tried and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
