#!/usr/bin/env python3
"""Flags of the environment that would change bits are refused when the build is configured.

    flags.py ROOT CC
"""
import os
import sys
import tempfile

from check import finish, report, run

REFUSED = ["-ffast-math", "-Ofast", "-mfma", "-freciprocal-math", "-funsafe-math-optimizations"]


def main():
    root, compiler = sys.argv[1:3]
    for flag in REFUSED:
        with tempfile.TemporaryDirectory() as place:
            status, output = run(
                ["meson", "setup", place, root, "-Dtests=false", "-Dbench=false"],
                env=dict(os.environ, CC=compiler, CFLAGS="-g " + flag))
        told = f"the flag {flag} " in output
        report(f"CFLAGS={flag} is refused", [] if status != 0 and told else output.splitlines())
    finish()


if __name__ == "__main__":
    main()
