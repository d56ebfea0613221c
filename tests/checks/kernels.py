#!/usr/bin/env python3
"""The objects of one instruction set, as the compiler left them.

    kernels.py NM OBJDUMP VARIANT ARCHIVE

Each object exports one table, named after the instruction set, and no other name, or two
instruction sets' copies of a function would meet in the linker and one of them run on machines that
lack it; one that the set has nothing for exports nothing. Tables may name each other. The code has
no fused multiply-add, no reciprocal estimate and no x87 arithmetic, whose bits differ, and no
instruction of a higher set.
"""
import re
import sys

from check import finish, report, run

FORBIDDEN = re.compile(
    r"^(vfn?m(add|sub|addsub|subadd)\w*"  # x86 fused
    r"|v?rcp(ss|ps|14\w*|28\w*)|v?rsqrt\w*"  # x86 estimates
    r"|f(add|sub|subr|mul|div|divr|iadd|imul|sqrt|sin|cos|sincos|ptan|patan|prem1?|yl2x)p?[sl]?"
    r"|fn?m(add|sub)|fml[as]l?2?"  # aarch64 fused (fadd etc. below are its ordinary arithmetic)
    r"|frecp[esx]|frsqrt[es]|urecpe|ursqrte)$")
AARCH64_PLAIN = re.compile(r"^(fadd|fsub|fmul|fdiv|fsqrt|faddp)$")
HIGHER = {
    "plain": re.compile(r"%[yz]mm|^v[a-z]|%k[0-7]"),
    "sse2": re.compile(r"%[yz]mm|^v[a-z]|%k[0-7]"),
    "avx2": re.compile(r"%zmm|%k[0-7]|%[xy]mm(1[6-9]|[23]\d)"),
}
ALLOWED_CALLS = re.compile(r"^(mem(cpy|set|move)|(sqrt|floor|fabs)f?|_GLOBAL_OFFSET_TABLE_"
                           r"|__stack_chk_fail)$")


def objects(nm, archive, *options):
    """{object: names} of an archive."""
    found, current = {}, None
    _, output = run([nm, *options, archive])
    for line in output.splitlines():
        if line.endswith(":"):
            current = line[:-1]
            found[current] = []
        elif line.strip() and current is not None:
            found[current].append(line.split()[-1])
    return found


def instructions(objdump, archive):
    """(function, mnemonic, operands) of all code in an archive."""
    _, output = run([objdump, "-d", "--no-show-raw-insn", archive])
    function = ""
    for line in output.splitlines():
        head = re.match(r"^[0-9a-f]+ <(.+)>:$", line)
        if head:
            function = head.group(1)
            continue
        code = re.match(r"^\s+[0-9a-f]+:\s+(\S+)\s*(.*)$", line)
        if code:
            yield function, code.group(1), code.group(2)


def main():
    nm, objdump, variant, archive = sys.argv[1:5]
    label = re.sub(r".*lib(kernels_\w+)\.a$", r"\1", archive)
    wanted = re.compile(rf"^lode__\w+_(kernels|one)_{variant}$")

    tables = objects(nm, archive, "--defined-only", "--extern-only")
    report(f"{label}: one table per object and no other global name",
           [f"{name}: {', '.join(names) or 'nothing'}" for name, names in tables.items()
            if len(names) > 1 or not all(wanted.match(name) for name in names)]
           or ([] if tables else ["no objects"]))
    calls = objects(nm, archive, "--undefined-only")
    report(f"{label}: calls nothing outside",
           sorted(f"{name} needs {symbol}" for name, names in calls.items() for symbol in names
                  if not ALLOWED_CALLS.match(symbol) and not wanted.match(symbol)))

    arm = variant == "neon" or run([objdump, "-f", archive])[1].count("aarch64") > 0
    bits, higher, total = set(), set(), 0
    for function, mnemonic, operands in instructions(objdump, archive):
        total += 1
        if FORBIDDEN.match(mnemonic) and not (arm and AARCH64_PLAIN.match(mnemonic)):
            bits.add(f"{mnemonic} in {function}")
        if variant in HIGHER and not arm and (HIGHER[variant].search(mnemonic)
                                              or HIGHER[variant].search(operands)):
            higher.add(f"{mnemonic} {operands} in {function}")
    report(f"{label}: no fused operation, no estimate",
           sorted(bits) or ([] if total else ["no code found"]))
    report(f"{label}: no instruction of a higher set", sorted(higher))
    finish()


if __name__ == "__main__":
    main()
