#!/usr/bin/env python3
"""Whether each function of ODE's interface is tested: made to do nothing, it must fail a test.

    census.py LISTS [--sample N] [--seed S] PROGRAM ...

LISTS/api.tsv and more.tsv name the functions. The programs are tests that have the ODE face linked
in, with their objects beside them (PROGRAM.p/), and call it through jumps (census_calls.py). In a
copy of a program a jump becomes a return, with a result of zero, and once more with one of all ones
where the function has a result: against each of both some program that calls the function must
fail, crash or come to no end. The library goes on calling it. Without N all are tried, otherwise N
of them, as the seed has it; and always that all are called.

What does nothing that a caller could see (unseen.tsv) must be called, and is not tried. Inline
functions have no jumps: they are cut themselves, in a program that is compiled without
optimisation.
"""
import argparse
import csv
import multiprocessing
import os
import pathlib
import platform
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

# x86-64: the result in eax or rax, or in xmm0.
ZERO = bytes.fromhex("31c0" "0f57c0" "c3")        # xor eax, eax; xorps xmm0, xmm0; ret
ONES = bytes.fromhex("4883c8ff" "660f76c0" "c3")  # or rax, -1; pcmpeqd xmm0, xmm0; ret
CPU_SECONDS, SECONDS = 3, 30


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


class Program:
    """Where functions lie in an executable file, and which of them its own objects call."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        image = self.path.read_bytes()
        assert image[:6] == b"\x7fELF\x02\x01" and struct.unpack_from("<H", image, 18) == (62,)
        self.segments = list(self.loaded(image))
        self.places = {}
        for name, kind, address in self.symbols(path):
            if kind in "TtW":  # several of a name, where inline functions are not inlined
                self.places.setdefault(name, []).append(self.offset(address))
        objects = self.path.with_name(self.path.name + ".p").glob("*.o")
        self.called = {name for file in objects for name, kind, _ in self.symbols(file)
                       if kind in "Ut"}

    @staticmethod
    def symbols(file):
        """(name, kind, address) of each."""
        lines = subprocess.run(["nm", "-P", file], check=True, stdout=subprocess.PIPE,
                               universal_newlines=True).stdout.splitlines()
        for line in lines:
            name, kind, address = (line.split() + ["0"])[:3]
            yield name, kind, int(address, 16)

    @staticmethod
    def loaded(image):
        """(address, offset, size) of the segments in the file."""
        start, = struct.unpack_from("<Q", image, 32)
        size, count = struct.unpack_from("<HH", image, 54)
        for i in range(count):
            kind, _, offset, address, _, length = struct.unpack_from("<IIQQQQ", image,
                                                                     start + i * size)
            if kind == 1:
                yield address, offset, length

    def offset(self, address):
        for start, offset, size in self.segments:
            if start <= address < start + size:
                return address - start + offset
        return None

    def places_of(self, function):
        name = function["name"]
        if function["kind"] == "extern":
            name = "census_" + name
        return self.places.get(name, []) if name in self.called else []


def runs_well(path):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        done = subprocess.run([path], check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              cwd=path.parent, preexec_fn=limit, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def write(path, places, codes):
    """What was there before."""
    before = []
    with open(path, "r+b") as file:
        for place, code in zip(places, codes):
            file.seek(place)
            before.append(file.read(len(code)))
            file.seek(place)
            file.write(code)
    return before


def fails_with(program, places, code, folder):
    """Whether a copy of the program fails with this code at these places."""
    copy = folder / program.path.name
    if not copy.exists():
        shutil.copy2(program.path, copy)
        assert runs_well(copy), f"{copy.name} fails as it is"
    before = write(copy, places, [code] * len(places))
    fails = not runs_well(copy)
    write(copy, places, before)
    return fails


def has_result(function):
    before_name = function["prototype"].split(function["name"])[0]
    return "*" in before_name or "void" not in before_name


def survived(task):
    """The mutants of a function that no program fails with."""
    function, programs, root = task
    folder = pathlib.Path(root) / str(os.getpid())
    folder.mkdir(exist_ok=True)
    mutants = [("does nothing, gives 0", ZERO)]
    if has_result(function):
        mutants.append(("does nothing, gives all ones", ONES))
    return function["name"], [
        what for what, code in mutants
        if not any(fails_with(program, program.places_of(function), code, folder)
                   for program in programs)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lists", type=pathlib.Path)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    if platform.machine() not in ("x86_64", "AMD64") or sys.platform != "linux":
        print("1..0 # SKIP knows instructions of x86-64 and files of Linux only")
        return 0
    unseen = {row["name"] for row in read(options.lists / "unseen.tsv")}
    functions = read(options.lists / "api.tsv") + read(options.lists / "more.tsv")
    programs = [Program(path) for path in options.programs]
    callers = {f["name"]: [p for p in programs if p.places_of(f)] for f in functions}
    never = [name for name, found in callers.items() if not found]
    tried = [f for f in functions if callers[f["name"]] and f["name"] not in unseen]
    if options.sample is not None:
        tried = random.Random(options.seed).sample(tried, min(options.sample, len(tried)))
    with tempfile.TemporaryDirectory() as root, multiprocessing.Pool(2) as pool:
        tasks = [(f, callers[f["name"]], root) for f in tried]
        survivors = [found for found in pool.imap_unordered(survived, tasks) if found[1]]
    print("1..2")
    print(f"{'not ok' if never else 'ok'} 1 - all of {len(functions)} functions are called")
    for name in never:
        print(f"# {name}")
    print(f"{'not ok' if survivors else 'ok'} 2 - tests fail if one of {len(tried)} functions "
          f"does nothing (seed {options.seed})")
    for name, mutants in sorted(survivors):
        print(f"# {name}: {'; '.join(mutants)}")
    return 1 if never or survivors else 0


if __name__ == "__main__":
    sys.exit(main())
