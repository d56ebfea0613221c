#!/usr/bin/env python3
"""Holds stacks of the ODE face against libode's: tests/ode/stacks.c, built with each.

    compare_stacks.py WITH_LIBODE WITH_LODE

Ours move aside by no more than their bound, nor more than libode's, and sink no deeper.
"""
import sys

from compare_scenarios import run

ROUNDING = 1e-9  # what libode does best, to rounding, we need not do better


def main():
    theirs, ours = run(sys.argv[1]), run(sys.argv[2])
    failed = 0 if theirs.keys() == ours.keys() and theirs else 1
    print(f"1..{len(theirs)}")
    for index, (name, (bound, (side, sunk))) in enumerate(theirs.items(), 1):
        my_side, my_sunk = ours.get(name, (0, [float("nan")] * 2))[1]
        good = my_side <= min(bound, side + ROUNDING) and my_sunk <= sunk + ROUNDING
        failed += not good
        print(f"{'ok' if good else 'not ok'} {index} - {name}: aside {my_side:.2g} m, libode "
              f"{side:.2g}; sunk {my_sunk:.2g} m, libode {sunk:.2g}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
