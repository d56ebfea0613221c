"""What the clients' scripts share.

A client is a program that Debian compiled, or one of ours that uses a library which Debian compiled
for libode.so.8. It is run twice, with libode and with our library in its place. What the two print
is held against each other: lines `NAME;BOUND;NUMBERS`, where numbers may differ by the bound,
relative to those that are larger than one. The dynamic linker tells which libode.so.8 was taken.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile


def skip(why):
    print(f"skip the client: {why}")
    sys.exit(77)


def fail(why):
    print(f"not ok the client runs\n{why}")
    sys.exit(1)


def library(name):
    """The path of a shared library of Debian's, with its version; ends the script without it."""
    found = sorted(glob.glob(f"/usr/lib/*/lib{name}.so.*"), key=len)
    if not found:
        skip(f"lib{name} is not installed")
    return found[0]


def is_installed(package):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", package],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False)
    return done.stdout == "installed"


def unpack(package, folder):
    """Fetches a package and unpacks it, without what it depends on. True when that worked."""
    with tempfile.TemporaryDirectory() as place:
        fetched = subprocess.call(["apt-get", "-qq", "-o", "Acquire::Retries=0", "-o",
                                   "Acquire::http::Timeout=20", "download", package], cwd=place,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        files = glob.glob(os.path.join(place, "*.deb"))
        if fetched != 0 or len(files) != 1 or subprocess.call(["dpkg", "-x", files[0], "tree"],
                                                              cwd=place):
            return False
        shutil.move(os.path.join(place, "tree"), folder)
        return True


def headers(folder, packages):
    """Flags by which a compiler finds the headers of packages. Those that are not installed are
    unpacked in the folder and stay there: what they depend on, and is not needed, is hundreds of
    megabytes."""
    roots = ["/usr/include"]
    for package in packages:
        if not is_installed(package):
            tree = os.path.join(folder, package)
            if not os.path.isdir(tree) and not unpack(package, tree):
                skip(f"{package} is not installed, and could not be fetched")
            roots.append(os.path.join(tree, "usr/include"))
    flags = []
    for root in roots:
        for place in [root, os.path.join(root, "eigen3"), *glob.glob(os.path.join(root, "ompl-*"))]:
            if os.path.isdir(place) and place != "/usr/include":
                flags += ["-isystem", place]
    return flags


def build(compiler, source, packages, libraries):
    """Compiles a program beside this file, and returns its path."""
    if compiler == "none":
        skip("there is no C++ compiler")
    here = os.path.dirname(os.path.abspath(__file__))
    folder = os.path.join(os.getcwd(), source + ".client")
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, "program")
    done = subprocess.run([*compiler.split(), "-std=c++17", "-w", *headers(folder, packages),
                           os.path.join(here, source), "-o", program, *libraries],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        fail(done.stdout)
    return program


def run(command, folder=None, **options):
    """The output of a client that finds libode.so.8 in the folder, or else where the system has
    it."""
    with tempfile.TemporaryDirectory() as logs:
        environment = dict(os.environ, LD_LIBRARY_PATH=folder or "", LD_DEBUG="libs",
                           LD_DEBUG_OUTPUT=os.path.join(logs, "log"))
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
                              env=environment, timeout=100, **options)
        begun = set()
        for path in glob.glob(os.path.join(logs, "log.*")):
            with open(path, encoding="utf-8", errors="replace") as log:
                begun |= set(re.findall(r"calling init: (\S*/libode\.so\S*)", log.read()))
    if done.returncode:
        fail(f"{command} ended with status {done.returncode}\n{done.stdout}")
    ours = os.path.realpath(folder) if folder else None
    taken = {os.path.realpath(os.path.dirname(path)) for path in begun}
    if len(taken) != 1 or (ours in taken) != bool(ours):
        fail(f"{command} took {sorted(begun) or 'no libode'} and not that of {ours or 'Debian'}")
    return done.stdout


def numbers(output):
    """{name: (bound, numbers)} of what a client printed."""
    found = {}
    for name, bound, values in re.findall(r"^([^;\n]+);([^;\n]+);([^;\n]+)$", output, re.M):
        found[name] = float(bound), [float(value) for value in values.split()]
    return found


def compare(theirs, ours):
    """Says of each line whether it is the same with both, and ends the script."""
    theirs, ours = numbers(theirs), numbers(ours)
    if not theirs or theirs.keys() != ours.keys():
        fail(f"they tell different things: {sorted(theirs)} {sorted(ours)}")
    failed = 0
    for name, (bound, values) in theirs.items():
        mine = ours[name][1]
        off = [abs(a - b) / max(1, abs(a)) for a, b in zip(values, mine)]
        good = len(mine) == len(values) and all(x <= bound for x in off)  # NaN is not good
        failed += not good
        print(f"{'ok' if good else 'not ok'} {name}: off by {max(off):.2g} of {bound:g}")
        if not good:
            print(f"    libode {values}\n    ours   {mine}")
    sys.exit(1 if failed else 0)
