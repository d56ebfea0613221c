#!/usr/bin/env python3
"""Writes what the census needs in test programs: a jump for each function that they call.

    census_calls.py OUTPUT LIST ...

A header gives each function of the lists another name, census_NAME; an assembly file has these, and
they jump to the functions. So census.py can cut a function off from a test, and leave it to the
library.
"""
import csv
import sys

JUMPS = """/* Jumps with room for what census.py writes over them. */
.macro jump name
    .p2align 4
    .globl census_\\name
    .type census_\\name, @function
census_\\name:
    jmp \\name
    .p2align 4
    .size census_\\name, . - census_\\name
.endm

.text
"""


def main():
    output, names = sys.argv[1], []
    for path in sys.argv[2:]:
        with open(path, newline="") as file:
            names += [row["name"] for row in csv.DictReader(file, delimiter="\t",
                                                            quoting=csv.QUOTE_NONE)
                      if row["kind"] == "extern"]
    if output.endswith(".h"):
        text = "".join(f"#define {name} census_{name}\n" for name in names)
        text = f"#ifndef __ASSEMBLER__\n{text}#endif\n"  # whose flags are C's, too
    else:
        text = JUMPS + "".join(f"jump {name}\n" for name in names)
        text += '.section .note.GNU-stack, "", @progbits\n'
    with open(output, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
