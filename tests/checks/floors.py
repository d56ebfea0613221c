#!/usr/bin/env python3
"""No include climbs.

    floors.py ROOT

A room may include itself and rooms on lower floors; collide/ and solver/ share a floor and do not
know each other. Only simd/ includes SIMDe. Public headers include each other and the C standard
library, nothing private. io/ includes itself and public headers.
"""
import os
import re
import sys

from check import finish, report, sources

FLOORS = {"simd": 1, "core": 2, "collide": 3, "solver": 3, "world": 4, "ode": 5}
C_HEADERS = {"stdbool.h", "stddef.h", "stdint.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def includes(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as text:
        return INCLUDE.findall(text.read())


def climbs(root, room):
    for path in sources(root, room):
        for _, name in includes(root, path):
            other = name.split("/")[0]
            if other in FLOORS and other != room and FLOORS[other] >= FLOORS[room]:
                yield f"{path} includes {name}"
            if name.startswith("."):
                yield f"{path} includes {name}: name it from the root of the repository"


def simde(root):
    for room in list(FLOORS) + ["include", "bench", "examples", "tests"]:
        if room != "simd":
            for path in sources(root, room):
                for _, name in includes(root, path):
                    if name.startswith("simde"):
                        yield f"{path} includes {name}"


def private(root):
    public = {os.path.basename(path) for path in sources(root, "include/lode")}
    for path in sources(root, "include/lode"):
        for mark, name in includes(root, path):
            if name not in (public if mark == '"' else C_HEADERS):
                yield f"{path} includes {name}"


def public_alone(root):
    for path in sources(root, "io"):
        for mark, name in includes(root, path):
            if mark == '"' and name.split("/")[0] not in ("io", "lode", "lode_io"):
                yield f"{path} includes {name}"


def main():
    root = sys.argv[1]
    for room in FLOORS:
        if os.path.isdir(os.path.join(root, room)):
            report(f"{room}/ includes nothing above it", climbs(root, room))
    report("only simd/ includes SIMDe", simde(root))
    report("public headers include nothing private", private(root))
    report("io/ includes public headers alone", public_alone(root))
    report("other rooms do not know io/",
           [f"{path} includes {name}" for room in FLOORS for path in sources(root, room)
            for _, name in includes(root, path) if name.split("/")[0] in ("io", "lode_io")])
    finish()


if __name__ == "__main__":
    main()
