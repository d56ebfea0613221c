#!/usr/bin/env python3
"""Holds the public headers of the ODE face against the lists of ODE's interface.

    compare_headers.py LISTS COMPILER [FLAG ...]

Compiles a program that names all functions with their prototypes, all types with their definitions
and all constants with their values; and prints sizes and places of the structures' fields, in both
precisions, with our headers, by the flags, and where Debian's are installed with those.
LISTS/layouts.txt has what it prints where longs and pointers have 64 bits.
"""
import csv
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

PRECISIONS = ("double", "single")
HEADERS = """collision collision_space collision_trimesh common compatibility contact cooperative
error export-dif mass matrix matrix_coop memory misc objects ode odeconfig odeinit odemath
odemath_legacy precision rotation threading threading_impl timer version""".split()
DEBIANS = pathlib.Path("/usr/include/ode/ode.h")


def read(folder, name):
    with open(folder / name, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def check_function(row):
    """A pointer of the function's type to the function."""
    name = row["name"]
    pointer, found = re.subn(rf"\b{name}\s*\(", f"(*check_{name})(", row["prototype"], count=1)
    assert found, row
    return f"{pointer} = {name};"


def has_no_name(row):
    """A typedef of an enumeration or a structure without a tag, which the list names after it."""
    return row["definition"].split()[0] in ("enum", "struct") and \
        row["definition"].split()[-1] == row["name"]


def check_type(row):
    if row["kind"] != "typedef":
        return ""
    if has_no_name(row) or "va_list" in row["definition"]:
        return f"{row['name']} *check_{row['name']};"
    definition = "__typeof__(REAL(0.0))" if row["name"] == "dReal" else row["definition"]
    return (f"_Static_assert(__builtin_types_compatible_p({row['name']}, {definition}), "
            f"\"{row['name']}\");")


def check_constant(row):
    return f"_Static_assert({row['constant']} == {row['value']}, \"{row['constant']}\");"


def fields_of(row):
    if row["kind"] not in ("struct", "untagged") or row["definition"] == "opaque":
        return []
    return [field.split()[-1] for field in row["definition"].split(";")]


def layout(rows):
    lines = []
    for row in rows:
        fields = fields_of(row)
        type_name = ("struct " if row["kind"] == "struct" else "") + row["name"]
        if fields:
            lines.append(f"    printf(\"{row['name']} %zu\", sizeof({type_name}));")
        for field in fields:
            lines.append(f"    printf(\" {field} %zu\", offsetof({type_name}, {field}));")
        if fields:
            lines.append("    puts(\"\");")
        if row["kind"] == "typedef" and has_no_name(row):
            lines.append(f"    printf(\"{row['name']} %zu\\n\", sizeof({row['name']}));")
    return lines


def program(folder):
    types = read(folder, "types.tsv")
    lines = [f"#include <ode/{header}.h>" for header in HEADERS]
    lines += ["#include <stddef.h>", "#include <stdio.h>", ""]
    lines += [check_constant(row) for row in read(folder, "enums.tsv")]
    lines += [check_type(row) for row in types]
    lines += [check_function(row) for row in read(folder, "api.tsv")]
    lines += ["", "int main(void)", "{"] + layout(types) + ["    return 0;", "}"]
    return "\n".join(lines) + "\n"


def compile_and_run(command, source, folder):
    """The errors, and what the program prints; functions need not be there, so it is not linked
    with any."""
    checked = subprocess.run(command + ["-fsyntax-only", "-w", str(source)], check=False,
                             stderr=subprocess.PIPE, universal_newlines=True)
    errors = [line for line in checked.stderr.splitlines() if "error" in line]
    if errors:
        return errors, ""
    bare = folder / "layout.c"
    bare.write_text("\n".join(line for line in source.read_text().splitlines()
                              if "check_" not in line))
    built = folder / "layout"
    subprocess.run(command + ["-w", "-o", str(built), str(bare)], check=True)
    return [], subprocess.run([built], check=True, stdout=subprocess.PIPE,
                              universal_newlines=True).stdout


def differences(ours, others):
    return ([f"ours: {line}" for line in ours if line not in others] +
            [f"not: {line}" for line in others if line not in ours])


def errors_and_layouts(command, source, folder):
    """Of both precisions."""
    errors, layouts = [], []
    for precision in PRECISIONS:
        found, printed = compile_and_run(command + [f"-DdIDE{precision.upper()}"], source, folder)
        errors += [f"{precision}: {line}" for line in found]
        layouts += [f"{precision} {line}" for line in printed.splitlines()]
    return errors, layouts


def main():
    lists, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "interface.c"
        source.write_text(program(lists))
        errors, ours = errors_and_layouts(command, source, folder)
        checks = [("our headers have the listed functions, types and constants", errors)]
        if sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64"):
            listed = (lists / "layouts.txt").read_text().splitlines()
            checks.append(("structures have the listed layouts", differences(ours, listed)))
        if DEBIANS.exists():
            compiler = [command[0]] + [flag for flag in command[1:] if not flag.startswith("-I")]
            errors, theirs = errors_and_layouts(compiler, source, folder)
            checks.append(("so have Debian's, of which the lists are", errors))
            checks.append(("structures have the same layouts", differences(ours, theirs)))
    print(f"1..{len(checks)}")
    for index, (what, wrong) in enumerate(checks, 1):
        print(f"{'not ok' if wrong else 'ok'} {index} - {what}")
        for line in wrong:
            print("# " + line.replace("\n", "\n# "))
    return 1 if any(wrong for _, wrong in checks) else 0


if __name__ == "__main__":
    sys.exit(main())
