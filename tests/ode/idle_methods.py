#!/usr/bin/env python3
"""Every method of ODE's C++ classes is missed by the test if it does nothing.

    idle_methods.py LIST LIBRARY SOURCE ... -- COMPILER [FLAG ...]

The test is compiled without inlining, so that the headers' functions are weak symbols; it is linked
once for each of them with one that does nothing, and gives 0, in its place. That program must fail.
Destructors are methods here, also those that nobody wrote.
"""
import concurrent.futures
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

import cpp_calls
import cpp_classes

# What does nothing, and gives 0, as it is.
IDLE_ANYHOW = {("dJointTemplate", "setParam"), ("dJointTemplate", "getParam")}
MEMBER = re.compile(r"(?P<class>\w+)(<[^()]*>)?::(?P<name>~?\w+|operator \w+)\(")
IDLE = """
extern "C" long idle(void) { return 0; }
extern "C" dReal idle_real(void) { return 0; }
"""


def weak_symbols(built):
    """Names as they are written, each with the symbols that it has."""
    table = subprocess.run(["nm", "-p", str(built)], check=True, stdout=subprocess.PIPE,
                           universal_newlines=True).stdout
    symbols = re.findall(r"^[0-9a-f]+ [WV] (\S+)$", table, re.M)
    names = subprocess.run(["c++filt"], input="\n".join(symbols), check=True,
                           stdout=subprocess.PIPE, universal_newlines=True).stdout.splitlines()
    found = {}
    for symbol, name in zip(symbols, names):
        found.setdefault(name, []).append(symbol)
    return found


def public_methods(rows, symbols):
    """Pairs of a name and whether it gives a real number."""
    reals = {}
    for name, access, signature in rows:
        if access == "public" and "(" in signature:
            member = cpp_calls.SIGNATURE.match(signature)
            reals[name, member["name"]] = member["returned"].strip() == "dReal"
        elif access == "typedef":
            template = signature.split("<")[0]
            reals[template, "~" + template] = False
    for name in symbols:
        member = MEMBER.match(name)
        key = (member["class"], member["name"]) if member else None
        if key in reals and key not in IDLE_ANYHOW:
            yield name, reals[key]


def fails(command, environment):
    try:
        done = subprocess.run(command, check=False, env=environment, timeout=60,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


class Test:
    """The test as object files, and what to link them with."""

    def __init__(self, folder, sources, library, compiler):
        self.folder, self.library, self.compiler = folder, library, compiler
        self.environment = dict(os.environ, LD_LIBRARY_PATH=str(library.parent))
        idle = folder / "idle.cpp"
        idle.write_text("#include <ode/common.h>\n" + IDLE)
        self.objects = [self.compile(source) for source in sources + [idle]]
        self.used = {}
        for built in self.objects:
            for name, symbols in weak_symbols(built).items():
                self.used.setdefault(name, set()).update(symbols)

    def compile(self, source):
        built = self.folder / (source.stem + ".o")
        subprocess.run(self.compiler + ["-O0", "-w", "-c", "-o", str(built), str(source)],
                       check=True)
        return built

    def misses(self, method, real):
        """Whether the program fails with idle symbols of the method; without one it is as it is."""
        symbols = sorted(self.used.get(method, ()))
        program = self.folder / (symbols[0] if symbols else "whole")
        idle = "idle_real" if real else "idle"
        subprocess.run(self.compiler + ["-o", str(program)] +
                       [str(part) for part in self.objects + [self.library]] +
                       [f"-Wl,--defsym={symbol}={idle}" for symbol in symbols], check=True)
        failed = fails([str(program)], self.environment)
        program.unlink()
        return failed


def main():
    words, compiler = sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
    rows, library, *sources = cpp_classes.read_list(words[0]), *map(pathlib.Path, words[1:])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test = Test(folder, sources, library, compiler)
        if test.misses(None, False):
            sys.exit("Bail out! The test fails as it is")
        calls = folder / "calls.cpp"
        calls.write_text(cpp_calls.program(rows))
        methods = list(public_methods(rows, weak_symbols(test.compile(calls))))
        print(f"1..{len(methods)}")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            verdicts = pool.map(lambda method: method[0] in test.used and test.misses(*method),
                                methods)
            failed = 0
            for index, ((method, _), good) in enumerate(zip(methods, verdicts), 1):
                failed += not good
                print(f"{'ok' if good else 'not ok'} {index} - {method}", flush=True)
    return 1 if failed or not methods else 0


if __name__ == "__main__":
    sys.exit(main())
