#!/usr/bin/env python3
"""The API reference builds without a warning and says something about every public function.

    tests/docs/reference.py ROOT DOXYGEN

Doxygen's XML is searched for each function that a header in include/lode*/ declares: a function that
no comment speaks of, or that the filter (tools/doxygen_filter.py) loses, fails. So does a header
that the landing page does not name. Prints `ok NAME` or `not ok NAME` per thing checked.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

failures = 0


def report(name, problems):
    global failures
    print(("not ok " if problems else "ok ") + name)
    for problem in problems[:20]:
        print("    " + problem)
    failures += bool(problems)


def declared(header):
    """Names of the functions a header declares; comments and preprocessor lines apart."""
    with open(header, encoding="utf-8") as text:
        code = re.sub(r"/\*.*?\*/|^#.*?$", "", text.read(), flags=re.S | re.M)
    return set(re.findall(r"^(?:LODE_API|LODE_IO_API|static inline)[^;{(]*?\b(lode_\w+)\(", code, re.M))


def described(place):
    """Function names in Doxygen's XML, each with how much text stands with it."""
    found = {}
    for path in glob.glob(os.path.join(place, "xml", "*_8h.xml")):
        for member in xml.parse(path).iter("memberdef"):
            if member.get("kind") == "function":
                texts = [part for tag in ("briefdescription", "detaileddescription")
                         for part in member.find(tag).itertext()]
                found[member.find("name").text] = len("".join(texts).strip())
    return found


def main():
    root, doxygen = sys.argv[1:3]
    headers = sorted(glob.glob(os.path.join(root, "include", "lode*", "*.h")))
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run([doxygen, "docs/Doxyfile"], cwd=root, text=True, check=False,
                              env=dict(os.environ, REFERENCE_DIR=place), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        report("the reference builds without warnings",
               done.stdout.splitlines() or ["exit status"] * bool(done.returncode))
        index = os.path.join(place, "html", "index.html")
        with open(os.path.join(root, "docs", "reference.md"), encoding="utf-8") as text:
            landing = text.read()
        report("it has a landing page", [] if os.path.exists(index) else ["no index.html"])
        found = described(place)
    for header in headers:
        name = os.path.relpath(header, os.path.join(root, "include"))
        missing = [f"{function}() is not in the reference" if function not in found else
                   f"no comment speaks of {function}()" for function in sorted(declared(header))
                   if not found.get(function)]
        if name not in landing:
            missing.append("docs/reference.md does not name it")
        report(f"{name}: {len(declared(header))} functions in the reference", missing)
    if not sum(len(declared(header)) for header in headers) > 100:
        report("public functions are found", ["the search in include/lode/ finds next to none"])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
