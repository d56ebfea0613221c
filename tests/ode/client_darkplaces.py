#!/usr/bin/env python3
"""The server of the game engine DarkPlaces, as Debian has it compiled, with our library in the
place of libode.

    client_darkplaces.py FOLDER

The engine does the physics of its games by ODE. It is given a game of ours: a floor, and a program
for the engine (client_darkplaces.qc, which fteqcc compiles) that builds bodies and joints out of
the engine's entities and tells where they are later. Skips where darkplaces-server or fteqcc is not
installed.
"""
import os
import shutil
import subprocess
import sys
import tempfile

from client import compare, fail, run, skip

SERVER = "/usr/games/darkplaces-server"

# the engine takes y for the height in such files
FLOOR = """v -512 0 -512
v 512 0 -512
v 512 0 512
v -512 0 512
vt 0 0
vn 0 1 0
f 1/1/1 3/1/1 2/1/1
f 1/1/1 4/1/1 3/1/1
"""


def write(path, text):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def main():
    compiler = shutil.which("fteqcc")
    for package, program in (("darkplaces-server", SERVER), ("fteqcc", compiler)):
        if not program or not os.path.exists(program):
            skip(f"{package} is not installed")
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as game:
        os.makedirs(os.path.join(game, "id1/maps"))
        write(os.path.join(game, "id1/maps/floor.obj"), FLOOR)
        shutil.copy(os.path.join(here, "client_darkplaces.qc"), os.path.join(game, "world.qc"))
        write(os.path.join(game, "progs.src"), "id1/progs.dat\nworld.qc\n")
        done = subprocess.run([compiler, "-Tstandard"], cwd=game, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode or not os.path.exists(os.path.join(game, "id1/progs.dat")):
            fail(done.stdout)
        command = [SERVER, "-basedir", game, "-nohome", "-noconfig", "+set", "physics_ode", "1",
                   "+map", "floor.obj"]
        compare(run(command, cwd=game), run(command, sys.argv[1], cwd=game))


if __name__ == "__main__":
    main()
