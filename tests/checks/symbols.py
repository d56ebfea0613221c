#!/usr/bin/env python3
"""A shared library exports exactly what the public headers declare, under its own version.

    symbols.py ROOT NM LIBRARY VERSION HEADERS

It also asks the system's maths library for nothing but sqrt, floor and fabs: all other
elementary functions are the project's own, so that their bits are.
"""
import os
import re
import sys

from check import finish, report, run, sources

DECLARED = re.compile(r"LODE_(?:IO_)?API\s[^;(]*?\b(lode_\w+)\s*\(")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
MATHS = re.compile(r"^(a?(sin|cos|tan)h?|atan2|sincos|exp[2m]?1?|log(2|10|1p)?|pow|cbrt|hypot|fma|"
                   r"fmod|remainder|round|l?lround|l?lrint|rint|nearbyint|trunc|ceil|ldexp|frexp|"
                   r"scalbn|modf|fmin|fmax|fdim|tgamma|lgamma|erfc?)[fl]?$")


def declared(root, headers):
    names = set()
    for path in sources(root, headers, (".h",)):
        with open(os.path.join(root, path), encoding="utf-8") as text:
            names |= set(DECLARED.findall(COMMENT.sub("", text.read())))
    return names


def main():
    root, nm, library, version, headers = sys.argv[1:6]
    name = os.path.basename(library)
    status, output = run([nm, "-D", "--defined-only", "--with-symbol-versions", library])
    if status != 0:
        report(f"{name} can be read", output.splitlines())
        finish()
    exported = {}
    for line in output.splitlines():
        symbol = line.split()[-1]
        base, _, tag = symbol.partition("@")
        if base != version:  # nm lists the version itself as an absolute symbol
            exported[base] = tag.lstrip("@")
    wanted = declared(root, headers)
    report(f"{name} exports all that the headers declare",
           [f"missing: {symbol}" for symbol in sorted(wanted - set(exported))])
    report(f"{name} exports nothing else",
           [f"extra: {symbol}" for symbol in sorted(set(exported) - wanted)])
    report(f"{name} exports under the version {version}",
           [f"{symbol}@{tag}" for symbol, tag in sorted(exported.items()) if tag != version])
    _, output = run([nm, "-D", "--undefined-only", library])
    needed = {line.split()[-1].partition("@")[0] for line in output.splitlines()}
    report(f"{name} takes only sqrt, floor and fabs from the maths library",
           sorted(symbol for symbol in needed if MATHS.match(symbol)))
    finish()


if __name__ == "__main__":
    main()
