#!/usr/bin/env python3
"""Functions that fetch and do nothing else are inlined for certain.

    prefetches.py ROOT

A compiler knows of no effect that they have: GCC leaves out calls of those that it has not inlined
by the time it looks (core/fetch.h). So a function without a result that asks for lines of the cache
is LODE__FETCHER or LODE__INLINE, unless it writes something or calls what is no fetch.
"""
import os
import re
import sys

from check import finish, report, sources
from floors import FLOORS

HEAD = re.compile(r"^((?:static inline|static|LODE__INLINE|LODE__FETCHER) )?void (\w+)\(", re.M)
CERTAIN = ("LODE__INLINE ", "LODE__FETCHER ")
WRITES = re.compile(r"(?:->|\.|\])\s*\w*\s*[-+|&^*]?=[^=]|^\s*(?:\+\+|--)\w+->|"
                    r"^\s*(?!__builtin|fetch|lode__\w*fetch)\w+\(.*\);", re.M)


def functions(text):
    """How each void function is declared, its name, and its body."""
    for head in HEAD.finditer(text):
        begin = text.find("\n{\n", head.start())
        if 0 <= begin and ";" not in text[head.start():begin]:
            yield head[1] or "", head[2], text[begin + 3:text.find("\n}\n", begin)]


def left_to_chance(root, room):
    for path in sources(root, room):
        with open(os.path.join(root, path), encoding="utf-8") as text:
            for how, name, body in functions(text.read()):
                if "__builtin_prefetch" in body or "fetch" in name:
                    if how not in CERTAIN and not WRITES.search(body):
                        yield f"{path}: {name}() does nothing but fetch: make it LODE__FETCHER"


def main():
    root = sys.argv[1]
    for room in FLOORS:
        report(f"what {room}/ fetches is not left out", left_to_chance(root, room))
    finish()


if __name__ == "__main__":
    main()
