#!/usr/bin/env python3
"""What a program gets by one header of ODE, it gets by ours of that name.

    compare_inclusion.py OUR_HEADERS COMPILER [FLAG ...]

For each of Debian's headers, as C and as C++, in both precisions: the macros that are defined after
it, those of standard headers too, and the names with ODE's prefix that were declared.
"""
import pathlib
import re
import subprocess
import sys

DEBIANS = pathlib.Path("/usr/include/ode")
LANGUAGES = [["-x", language] + precision
             for language in ("c", "c++") for precision in ([], ["-DdIDESINGLE"])]


def preprocess(command, header, *flags):
    return subprocess.run(command + ["-E", "-P", *flags, "-"], check=True, stdout=subprocess.PIPE,
                          input=f"#include <ode/{header}>\n", universal_newlines=True).stdout


def names(command, header):
    macros = re.findall(r"^#define (\w+)", preprocess(command, header, "-dM"), re.M)
    return set(macros) | set(re.findall(r"\b_?d[A-Z]\w+", preprocess(command, header)))


def missing(compiler, ours, header):
    for language in LANGUAGES:
        command = compiler + language
        lost = names(command, header) - names(command + ["-I" + ours], header)
        if lost:
            yield f"{' '.join(language)}: {' '.join(sorted(lost))}"


def main():
    ours, compiler = sys.argv[1], sys.argv[2:]
    headers = sorted(path.name for path in DEBIANS.glob("*.h"))
    if not headers:
        print("1..0 # SKIP ODE's headers are not installed")
        return 0
    print(f"1..{len(headers)}")
    failed = False
    for index, header in enumerate(headers, 1):
        wrong = list(missing(compiler, ours, header))
        failed = failed or bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {index} - <ode/{header}>", flush=True)
        for line in wrong:
            print("# " + line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
