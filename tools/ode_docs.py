#!/usr/bin/env python3
"""Writes docs/ode_functions.md: what the ODE face makes of each function of ODE's.

    tools/ode_docs.py [--check]

The states are tests/ode/lists/states.tsv's: same; better, with how; different, with why. With
--check nothing is written: the page has to be as it would be, all functions of the lists (api.tsv,
more.tsv) have to have a state, and those that the lists "Better" and "Different" of docs/ode.md
name have to be better and different. Prints TAP.
"""
import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LISTS = ROOT / "tests" / "ode" / "lists"
PAGE = ROOT / "docs" / "ode_functions.md"
MANUAL = ROOT / "docs" / "ode.md"
STATES = ("same", "better", "different")

# In the page's order.
AREAS = {
    "init": "Begin and end",
    "config/common": "Configuration",
    "memory/error": "Memory and messages",
    "world": "Worlds",
    "body": "Bodies",
    "joint:generic": "Joints",
    "joint:group": "Groups of joints",
    "joint:Ball": "Ball joints",
    "joint:Hinge": "Hinges",
    "joint:Slider": "Sliders",
    "joint:Piston": "Pistons",
    "joint:Universal": "Universal joints",
    "joint:Hinge2": "Hinge-2 joints",
    "joint:PR": "PR joints",
    "joint:PU": "PU joints",
    "joint:Fixed": "Fixed joints",
    "joint:DBall": "Double balls",
    "joint:DHinge": "Double hinges",
    "joint:Transmission": "Transmissions",
    "joint:AMotor": "Angular motors",
    "joint:LMotor": "Linear motors",
    "joint:Plane2D": "Plane-2D joints",
    "joint:Contact": "Contact joints",
    "joint:Null": "Null joints",
    "collide:generic": "Collision",
    "space": "Spaces",
    "geom:generic": "Geoms",
    "geom:sphere": "Spheres",
    "geom:box": "Boxes",
    "geom:capsule": "Capsules",
    "geom:cylinder": "Cylinders",
    "geom:plane": "Planes",
    "geom:ray": "Rays",
    "geom:convex": "Convex solids",
    "geom:heightfield": "Height fields",
    "trimesh": "Meshes",
    "geom:transform": "Geom transforms",
    "mass": "Masses",
    "rotation": "Rotations",
    "math": "Vectors and matrices",
    "misc/random": "Random numbers and trials",
    "cooperative": "Cooperative solving",
    "threading": "Threads",
    "timer": "Timers",
    "export": "Worlds as text",
    "exports": "Names that no header has",
}


def read(name):
    with open(LISTS / name, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def page(functions, states):
    counts = {state: sum(row["state"] == state for row in states.values()) for state in STATES}
    lines = ["# ODE's functions, one by one", "",
             "What each function does here, beside Debian's libode 0.16.2: the same; better, and how; or",
             "different, and why. What all have in common, and more of the reasons, is in [ode.md](ode.md).",
             f"Of {len(functions)} functions {counts['same']} are the same, {counts['better']} better, "
             f"{counts['different']} different.", "",
             "Written by `tools/ode_docs.py` from `tests/ode/lists/states.tsv`."]
    for area, title in AREAS.items():
        lines += ["", f"## {title}", "", "| function | state | how, or why |", "| --- | --- | --- |"]
        for function in functions:
            if function["area"] == area:
                row = states[function["name"]]
                lines.append(f"| `{row['name']}` | {row['state']} | {row['remark']} |")
    return "\n".join(lines) + "\n"


def contradictions(states):
    """Functions that docs/ode.md has on a list that is not their state's."""
    text, wrong = MANUAL.read_text(encoding="utf-8"), []
    for state in STATES[1:]:
        section = re.search(rf"^## {state.title()}$(.*?)^## ", text, re.M | re.S).group(1)
        for name in re.findall(r"`(d\w+)(?:\(\))?`", section):
            if name in states and states[name]["state"] != state:
                wrong.append(f"{name} is {states[name]['state']}, and listed as {state}")
    return wrong


def check(functions, states):
    names = [function["name"] for function in functions]
    written = PAGE.read_text(encoding="utf-8").splitlines()
    incomplete = [f"without a state: {name}" for name in names if name not in states]
    incomplete += [f"in no list: {name}" for name in states if name not in names]
    incomplete += [f"in no area: {f['name']}" for f in functions if f["area"] not in AREAS]
    unexplained = [name for name, row in states.items()
                   if row["state"] not in STATES or (row["state"] == "same") != (not row["remark"])]
    stale = []
    if not incomplete:
        wanted = page(functions, states).splitlines()
        stale = [line for line in wanted if line not in written]
        stale += [line for line in written if line not in wanted]
        stale += ["other order"] if not stale and wanted != written else []
    return [("all functions have a state", incomplete),
            ("all that are not the same say how or why", unexplained),
            ("docs/ode.md says the same", contradictions(states)),
            ("docs/ode_functions.md is up to date: else run tools/ode_docs.py", stale)]


def main():
    functions = read("api.tsv") + read("more.tsv")
    states = {row["name"]: row for row in read("states.tsv")}
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(page(functions, states), encoding="utf-8")
        return 0
    checks = check(functions, states)
    print(f"1..{len(checks)}")
    for index, (what, wrong) in enumerate(checks, 1):
        print(f"{'not ok' if wrong else 'ok'} {index} - {what}")
        for line in wrong:
            print(f"# {line}")
    return 1 if any(wrong for _, wrong in checks) else 0


if __name__ == "__main__":
    sys.exit(main())
