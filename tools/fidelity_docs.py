#!/usr/bin/env python3
"""Renews the figures of docs/fidelity.md that stand beside libode's.

    tools/fidelity_docs.py BUILD [PAGE]

The page says where they belong, in lines as

    <!-- trial: rolling -->

Of the table that follows the head stays, and its rows become what `figures_single rolling` and
`figures_double rolling` print, programs of BUILD/tests. Takes two minutes.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TRIAL = re.compile(r"(<!-- trial: (?P<name>\w+) -->\n\|.*\n\|.*\n)(?:\|.*\n)*")


def rows(build, name):
    return "".join(subprocess.run([build / "tests" / f"figures_{precision}", name], check=True,
                                  capture_output=True, text=True).stdout
                   for precision in ("single", "double"))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    page = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else ROOT / "docs" / "fidelity.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(TRIAL.sub(lambda table: table[1] + rows(build, table["name"]), text),
                    encoding="utf-8")


if __name__ == "__main__":
    main()
