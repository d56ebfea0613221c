#!/usr/bin/env python3
"""The motion planning library OMPL, as Debian has it compiled with its part for ODE, with our
library in the place of libode.

    client_ompl.py FOLDER CXX|none

A small program (client_ompl.cpp) has it push a crate, look for collisions, and find a way around a
wall. Skips where libompl is not installed.
"""
import sys

from client import build, compare, library, run

HEADERS = ["libompl-dev", "libboost1.74-dev", "libeigen3-dev"]


def main():
    program = build(sys.argv[2], "client_ompl.cpp", HEADERS, [library("ompl"), "-lode"])
    compare(run([program]), run([program], sys.argv[1]))


if __name__ == "__main__":
    main()
