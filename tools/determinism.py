#!/usr/bin/env python3
"""Equal input gives equal bits: the proof over builds, instruction sets, threads, processors.

    tools/determinism.py [--small] [--build DIR] [--werror]
    tools/determinism.py --programs PROGRAM... [--sets SET,SET...] [--write-golden]

Builds hash_scenes (tests/determinism/) with gcc and clang at -O1 and -O3, with and without
link-time optimisation, and for aarch64, where it runs under user-mode emulation; runs each build
with every instruction set this machine has and 1, 2, 3 and 8 threads; and compares the hash of
every world with that of the first run. The kernels' code of every build is searched for fused
operations and estimates. The hashes are also those in tests/determinism/golden.txt, which tells
when a change of the code changes results; where it is meant to, `--write-golden` writes the file
anew.

The full matrix takes the full scenes, but the small ones under emulation, which is some 250 times
slower. `--small` takes the small scenes and, of the builds, aarch64 at -O1 alone: the build of the
tests at -O3, which has the plain twin and all instruction sets, compares itself with the golden
hashes, and so does CI's build with clang and the sanitizers. `--programs` compares only the runs of
programs already built; `--sets` says with which instruction sets, if not with all. Prints one line
per run and, last, `N passed, N failed`.
"""
import argparse
import concurrent.futures
import glob
import os
import platform
import re
import shutil
import subprocess
import sys

THREADS = (1, 2, 3, 8)
PRECISIONS = ("single", "double")
SIMD = {"x86_64": ("plain", "sse2", "avx2", "avx512"), "aarch64": ("plain", "neon")}
CPU_FLAGS = {"avx2": {"avx2"}, "avx512": {"avx512f", "avx512dq", "avx512vl", "avx512bw"}}
EMULATOR = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GOLDEN = os.path.join(ROOT, "tests", "determinism", "golden.txt")
GOLDEN_HEAD = """# The hashes of the scenes: name, precision, hash. Written by
# tools/determinism.py --programs PROGRAM... --write-golden
"""


class Tally:
    """Compares the hashes of all runs with the first seen, and counts."""

    def __init__(self):
        self.reference, self.origin = {}, {}
        self.passed = self.failed = 0

    def verdict(self, name, problems):
        print(("not ok " if problems else "ok ") + name, flush=True)
        for problem in problems[:10]:
            print("    " + problem, flush=True)
        self.passed += not problems
        self.failed += bool(problems)

    def compare_golden(self):
        """The first hash seen of each scene is the golden one; a scene must have one."""
        golden = {}
        if os.path.exists(GOLDEN):
            with open(GOLDEN, encoding="utf-8") as lines:
                golden = {tuple(line.split()[:2]): line.split()[2]
                          for line in lines if not line.startswith("#")}
        for (precision, full), hashes in self.reference.items():
            problems = [f"{scene}: {value}, but {golden.get((scene, precision))} is golden"
                        for scene, value in hashes.items()
                        if golden.get((scene, precision)) != value]
            self.verdict(f"{precision} hashes are golden" + " full" * full, problems)

    def write_golden(self):
        with open(GOLDEN, "w", encoding="utf-8") as out:
            out.write(GOLDEN_HEAD)
            for (precision, _), hashes in self.reference.items():
                out.writelines(f"{scene} {precision} {value}\n" for scene, value in hashes.items())

    def compare(self, name, done, precision, scenes):
        """The hashes that a finished program printed with those seen first."""
        hashes = dict(re.findall(rf"^(\S+) {precision} ([0-9a-fA-Fx]+)$", done.stdout, re.M))
        if done.returncode != 0 or not hashes:
            self.verdict(name, [f"exit status {done.returncode}", *done.stdout.splitlines()])
            return
        problems = []
        known = self.reference.setdefault((precision, scenes), hashes)
        origin = self.origin.setdefault((precision, scenes), name)
        for scene in sorted(set(known) | set(hashes)):
            if known.get(scene) != hashes.get(scene):
                problems.append(f"{scene}: {hashes.get(scene)}, but {known.get(scene)} in {origin}")
        self.verdict(name, problems)


def instruction_sets(cpu):
    """What a build for `cpu` has and this machine, or the emulator, can run."""
    flags = set()
    if cpu == "x86_64" and os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            flags = set(next((line for line in info if line.startswith("flags")), "").split())
    for simd in SIMD.get(cpu, ("plain",)):
        if CPU_FLAGS.get(simd, set()) <= flags:
            yield simd


def runs(cpu, simd_built):
    """(instruction set, threads) to try; under emulation, which is slow, one each."""
    simd_sets = SIMD.get(cpu, ()) if simd_built is True else ("plain", *simd_built)
    for simd in instruction_sets(cpu):
        if simd in simd_sets:
            few = 1 if simd == "plain" else 3
            for threads in THREADS if cpu == platform.machine() else (few,):
                yield simd, threads


def run_program(tally, label, program, cpu, full, simd_built=True):
    """Runs one program in all ways, as many at a time as there are processors."""
    precision = next(p for p in PRECISIONS if p in os.path.basename(program))
    emulator = EMULATOR if cpu != platform.machine() else []
    ways = list(runs(cpu, simd_built))

    def run(way):
        command = [*emulator, program, "--simd", way[0], "--threads", str(way[1])]
        return subprocess.run(command + ["--full"] * full, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (simd, threads), done in zip(ways, pool.map(run, ways)):
            tally.compare(f"{label} {precision} {simd} threads={threads}" + " full" * full,
                          done, precision, full)


class Build:
    """`simd` is True for all instruction sets of the processor, or () for the plain twin alone."""

    def __init__(self, compiler, level, lto=False, cross=None, simd=True):
        self.compiler, self.level, self.lto, self.cross = compiler, level, lto, cross
        self.simd = simd
        self.cpu = cross or platform.machine()
        self.label = (f"{self.cpu} {compiler} -O{level}" + " lto" * lto
                      + " without SIMD" * (simd == ()))

    def make(self, base, werror):
        """Configures and builds; returns the directory, or None with what went wrong printed."""
        place = os.path.join(base, self.label.replace(" ", ""))
        options = ["-Dtests=false", "-Dbench=false", "-Ddeterminism=true", "-Dallocator=libc",
                   "-Ddebug=false", "-Doptimization=" + self.level,
                   f"-Db_lto={str(self.lto).lower()}", f"-Dwerror={str(werror).lower()}",
                   f"-Dsimd={str(self.simd != ()).lower()}"]
        environment = dict(os.environ)
        if self.cross:
            suffix = "" if self.compiler == "gcc" else "-" + self.compiler
            options += ["--cross-file",
                        os.path.join(ROOT, "tools", "cross", self.cross + suffix + ".ini")]
        else:
            environment["CC"] = self.compiler
            if self.lto and self.compiler == "clang":
                environment["CC_LD"] = "lld"
        if os.path.exists(os.path.join(place, "build.ninja")):
            options.append("--reconfigure")
        targets = ["tests/determinism/hash_scenes_" + precision for precision in PRECISIONS]
        for command in (["meson", "setup", place, ROOT, *options],
                        ["ninja", "-C", place, *targets]):
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode != 0:
                print(done.stdout[-4000:])
                return None
        return place

    def check_kernels(self, tally, place):
        """Reads the code of every kernel archive; the bits of LTO builds are proof enough."""
        tools = f"{self.cross}-linux-gnu-" if self.cross else ""
        for archive in sorted(glob.glob(os.path.join(place, "libkernels_*.a"))):
            variant = os.path.basename(archive).split("_")[1]
            done = subprocess.run([os.path.join(ROOT, "tests", "checks", "kernels.py"),
                                   tools + "nm", tools + "objdump", variant, archive],
                                  stdout=subprocess.PIPE, text=True, check=False)
            problems = [line for line in done.stdout.splitlines() if not line.startswith("ok ")]
            if done.returncode != 0 and not problems:
                problems = ["the check itself failed"]
            tally.verdict(f"{self.label} code of {os.path.basename(archive)}", problems)


def matrix(small):
    native, cross = [], [Build("gcc", "1", cross="aarch64")]
    if not small:
        native += [Build("clang", "1"), Build("gcc", "3", simd=()), Build("gcc", "3"),
                   Build("gcc", "1"), Build("clang", "3")]
        native += [Build(compiler, "3", lto=True) for compiler in ("gcc", "clang")]
        cross += [Build("gcc", "3", cross="aarch64"), Build("clang", "3", cross="aarch64")]
    if platform.machine() == "aarch64" or not shutil.which(EMULATOR[0]):
        if platform.machine() != "aarch64":
            print("no qemu-aarch64: aarch64 is not compared")
        cross = []
    return native + cross


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--small", action="store_true", help="small scenes, fewer builds")
    parser.add_argument("--build", default="build-determinism", help="directory for the builds")
    parser.add_argument("--werror", action="store_true", help="warnings are errors")
    parser.add_argument("--programs", nargs="+", help="compare these, build nothing")
    parser.add_argument("--sets", metavar="SET,SET...",
                        help="instruction sets that the programs were built with; else all")
    parser.add_argument("--write-golden", action="store_true",
                        help="with --programs: their hashes, full scenes too, become golden")
    choice = parser.parse_args()
    tally = Tally()
    if choice.programs:
        for full in (False, True) if choice.write_golden else (False,):
            for program in choice.programs:
                run_program(tally, "this build", program, platform.machine(), full,
                            choice.sets.split(",") if choice.sets else True)
    else:
        for build in matrix(choice.small):
            place = build.make(choice.build, choice.werror)
            tally.verdict(f"{build.label} builds", [] if place else ["see above"])
            if place and not build.lto:
                build.check_kernels(tally, place)
            for precision in PRECISIONS if place else ():
                program = os.path.join(place, "tests", "determinism", "hash_scenes_" + precision)
                for full in (False,) if choice.small else (False, True):
                    if not full or build.cpu == platform.machine():
                        run_program(tally, build.label, program, build.cpu, full, build.simd)
    if choice.write_golden and choice.programs and not tally.failed:
        tally.write_golden()
    tally.compare_golden()
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 0 if tally.passed and not tally.failed else 1


if __name__ == "__main__":
    sys.exit(main())
