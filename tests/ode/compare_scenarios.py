#!/usr/bin/env python3
"""Holds the ODE face against libode: tests/ode/scenarios.c or math_values.c, built with each.

    compare_scenarios.py WITH_LIBODE WITH_LODE [FOLDER]
    compare_scenarios.py --table WITH_LIBODE WITH_LODE

With a folder the second program finds its libraries there first: as a program that was built with
libode, and is given our library in its place. As a table it prints what docs/ode_scenarios.md has:
the greatest difference of each scenario, as a share of what is larger than 1, and its bound.
"""
import os
import subprocess
import sys


def run(program, folder=None):
    environment = dict(os.environ, LD_LIBRARY_PATH=folder or "")
    lines = subprocess.run([program], check=True, stdout=subprocess.PIPE, env=environment,
                           universal_newlines=True).stdout.splitlines()
    scenarios = {}
    for line in lines:
        name, tolerance, numbers = line.split(";")
        scenarios[name] = (float(tolerance), [float(number) for number in numbers.split()])
    return scenarios


def off_by(numbers, mine):
    return max((abs(a - b) / max(1, abs(a)) for a, b in zip(numbers, mine)), default=0)


def print_table(theirs, ours):
    print("| scenario | differs by | bound |\n| --- | --- | --- |")
    for name, (tolerance, numbers) in theirs.items():
        print(f"| {name} | {off_by(numbers, ours[name][1]):.1g} | {tolerance:g} |")


def main():
    if sys.argv[1] == "--table":
        return print_table(run(sys.argv[2]), run(sys.argv[3]))
    theirs, ours = run(sys.argv[1]), run(*sys.argv[2:])
    failed = 0 if theirs.keys() == ours.keys() and theirs else 1
    if len(sys.argv) > 3 and theirs == ours:  # to the last digit: it is the same library
        sys.exit("Bail out! The library in the folder was not taken")
    print(f"1..{len(theirs)}")
    for index, (name, (tolerance, numbers)) in enumerate(theirs.items(), 1):
        mine = ours.get(name, (0, []))[1]
        same = len(mine) == len(numbers)
        off = off_by(numbers, mine)
        good = same and all(abs(a - b) <= tolerance * max(1, abs(a)) or a == b
                            for a, b in zip(numbers, mine))  # NaN is not good
        failed += not good
        print(f"{'ok' if good else 'not ok'} {index} - {name}: off by {off:.2g} of {tolerance:g}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
