#!/usr/bin/env python3
"""The robotics library DART, as Debian has it compiled with ODE as a collision detector, with our
library in the place of libode.

    client_dart.py FOLDER CXX|none

A small program (client_dart.cpp) asks it which shapes touch, and lets bodies fall. Skips where
libdart-collision-ode is not installed.
"""
import sys

from client import build, compare, library, run

HEADERS = ["libdart-dev", "libdart-collision-ode-dev", "libdart-external-convhull-3d-dev",
           "libeigen3-dev"]


def main():
    libraries = [library("dart-collision-ode"), library("dart")]
    program = build(sys.argv[2], "client_dart.cpp", HEADERS, libraries)
    compare(run([program]), run([program], sys.argv[1]))


if __name__ == "__main__":
    main()
