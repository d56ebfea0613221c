#!/usr/bin/env python3
"""Holds the macros of the ODE face's headers against the list of ODE's, in both precisions.

    compare_macros.py LISTS COMPILER [FLAG ...]

LISTS/macros.tsv has all macros of ODE's headers, those that are names alone, and a sample of each
other: an expression that is a number, a text that it stands for, or a statement that writes `to`;
with the values of the samples. The list is held against our headers, by the flags, and where
Debian's are installed against those.
"""
import csv
import math
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

DEBIANS = pathlib.Path("/usr/include/ode/ode.h")
HEADERS = ("compatibility", "contact", "cooperative", "export-dif", "matrix_coop", "ode",
           "threading_impl", "version")
PRECISIONS = {"double": ("dSINGLE", 4e-16), "single": ("dDOUBLE", 2e-7)}  # not defined; rounding

START = """
#include <stdio.h>
#include <string.h>

#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)

static dReal u[16] = {1, 2, 4, -8, 16, 3, 5, 7, -9, 11, 13, 15, 17, 19, 21, 23};
static dReal v[16] = {2, -3, 5, 7, 11, 13, -17, 19, 23, 29, 31, -37, 41, 43, 47, 53};
static dReal to[16], nan_of[1];
#define nan nan_of[0]

static void tell(const char *name)
{
    printf("%s", name);
    for (int i = 0; i < 16; ++i)
        printf(" %.17g", (double)to[i]);
    puts("");
}

int main(void)
{
    nan = (dReal)NAN;
"""


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def includes():
    return "".join(f"#include <ode/{header}.h>\n" for header in HEADERS)


def sample(row):
    name, code = row["name"], row["sample"]
    if row["kind"] == "number":
        return f'    printf("{name} %.17g\\n", (double)({code}));\n'
    if row["kind"] == "text":
        return f'    printf("{name} %s\\n", TEXT({code}));\n'
    return f'    memset(to, 0, sizeof to);\n    {{\n        {code};\n    }}\n    tell("{name}");\n'


def run_samples(command, rows, folder):
    """{name: what it gives}"""
    source, built = folder / "macros.c", folder / "macros"
    source.write_text(includes() + START + "".join(sample(row) for row in rows) +
                      "    return 0;\n}\n")
    subprocess.run(command + ["-w", "-o", str(built), str(source), "-lm"], check=True)
    lines = subprocess.run([built], check=True, stdout=subprocess.PIPE,
                           universal_newlines=True).stdout.splitlines()
    return {line.split(" ", 1)[0]: shorten(line.split(" ", 1)[1]) for line in lines}


def shorten(text):
    """Without the zeros that a statement leaves at the end; of texts the tokens alone."""
    if re.fullmatch(r"[-+.e\w]+( [-+.e\w]+){15}", text):
        return re.sub(r"( -?0)*$", "", text)
    return re.sub(r'[ ()"]', "", text)


def defined(command, folder):
    """The macros that are left of the ODE headers, C++'s aside."""
    source = folder / "all.c"
    source.write_text(includes())
    found, file = set(), ""
    for line in subprocess.run(command + ["-E", "-dD", str(source)], check=True,
                               stdout=subprocess.PIPE,
                               universal_newlines=True).stdout.splitlines():
        place = re.match(r'# \d+ "(.*?)"', line)
        change = re.match(r"#(define|undef) (\w+)", line)
        if place:
            file = place.group(1)
        elif change and change.group(1) == "undef":
            found.discard(change.group(2))
        elif change and "/ode/" in file.replace("\\", "/"):
            found.add(change.group(2))
    return found


def is_ours_alone(name):
    return name == "LODE_ODE" or name.startswith("_d") or name.endswith("_")


def is_same(got, want, tolerance):
    if got == want:
        return True
    numbers = [text.split() for text in (got, want)]
    try:
        return len(numbers[0]) == len(numbers[1]) and all(
            math.isclose(float(a), float(b), rel_tol=tolerance) for a, b in zip(*numbers))
    except ValueError:
        return False


def check(command, rows, precision, folder):
    """What is wrong with the headers that the command finds: lists of lines for two checks."""
    other, tolerance = PRECISIONS[precision]
    rows = [row for row in rows if row["name"] != other]
    if platform.machine() != "x86_64":
        rows = [row for row in rows if row["name"] != "X86_64_SYSTEM"]
    names = {row["name"] for row in rows}
    found = defined(command, folder) | {"M_PI", "M_PI_2", "M_SQRT1_2"}  # of <math.h>, or ODE's
    wrong = [f"missing: {name}" for name in sorted(names - found)]
    wrong += [f"not listed: {name}" for name in sorted(found - names) if not is_ours_alone(name)]
    sampled = [row for row in rows if row["kind"] != "name"]
    got = run_samples(command, sampled, folder)
    values = [f"{row['name']}: {got[row['name']]}, not {row['in_' + precision]}"
              for row in sampled
              if not is_same(got[row["name"]], row["in_" + precision], tolerance)]
    return wrong, values


def main():
    lists, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    rows = read(lists / "macros.tsv")
    sides = {"our": command}
    if DEBIANS.exists():
        # Debian's dIsNan() is a function that is nowhere, without a configuration's word.
        sides["Debian's"] = [command[0]] + [f for f in command[1:] if not f.startswith("-I")] + [
            "-D_GNU_SOURCE", "-DHAVE_ISNAN", "-DHAVE_ISNANF"]
    checks = []
    with tempfile.TemporaryDirectory() as folder:
        for side, compiler in sides.items():
            for precision in PRECISIONS:
                names, values = check(compiler + [f"-DdIDE{precision.upper()}"], rows, precision,
                                      pathlib.Path(folder))
                checks += [(f"{side} headers have the listed macros, {precision}", names),
                           (f"{side} macros give what is listed, {precision}", values)]
    print(f"1..{len(checks)}")
    for index, (what, wrong) in enumerate(checks, 1):
        print(f"{'not ok' if wrong else 'ok'} {index} - {what}")
        for line in wrong:
            print(f"# {line}")
    return 1 if any(wrong for _, wrong in checks) else 0


if __name__ == "__main__":
    sys.exit(main())
