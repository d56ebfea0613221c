#!/usr/bin/env python3
"""Runs lode-bench as a user would: what it lists, refuses, prints and writes.

    command.py LODE_BENCH PEER...

The peers named are those it was built with. Prints `ok NAME` or `not ok NAME` per check.
"""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SCENES = ["pyramid", "pyramids", "wall", "platform_static", "platform", "box_pile", "sphere_pile",
          "mixed_pile", "joint_grid", "ragdolls", "boxes_on_mesh", "ragdolls_on_mesh",
          "chain", "chain_1000", "crane", "bridge", "belt", "four_bars", "stewart"]
OPTIONS = ["list", "scene", "steps", "repeat", "threads", "iterations", "sub-steps", "solver", "stiff", "simd",
           "peer", "json", "csv", "trace", "plot", "counters", "kernels", "memory", "sleeping",
           "broad-phase", "narrow-phase", "rays", "mesh-build", "joints", "solvers", "frontier", "stage", "stages", "help"]
RUN_KEYS = {"scene", "engine", "precision", "simd", "threads", "solver", "stiff", "iterations", "sub_steps",
            "steps", "bodies", "contacts", "points", "rows", "step_ms", "step_ratio", "solver_ratio",
            "twin_ratio", "missed", "program_ratio", "equal_iterations", "equal_ratio", "repeats",
            "step_spread", "ratio_spread", "stages_ms", "counters",
            "contact_points_per_second", "row_iterations_per_second", "lane_occupancy", "overflow",
            "bytes_per_body", "bytes_per_contact", "quality", "bounds", "out_of_bounds",
            "worse_than_ode"}
QUALITY_KEYS = {"max_penetration", "max_joint_separation", "max_joint_angle_error",
                "kinetic_energy", "displaced_fraction", "sunk_bodies"}
COUNTER_KEYS = {"cycles", "instructions", "cache_misses"}
FILES = ["json", "csv", "trace", "plot"]

failures = 0


def check(name, good, seen=""):
    global failures
    print("ok" if good else "not ok", name)
    if not good:
        failures += 1
        print(seen, file=sys.stderr)


def run(*arguments, **settings):
    return subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False,
                          **settings)


def check_refusals():
    missing = "/nonexistent/file"
    for name, arguments, wanted in [
            ("an unknown scene is refused with the list", ["--scene", "walls"], SCENES),
            ("an unknown peer is refused", ["--peer", "unreal"], ["unreal", "none"]),
            ("an unknown solver is refused with the list", ["--solver", "magic"], ["pgs", "soft"]),
            ("an unknown stiffness is refused with the list", ["--stiff", "rubber"],
             ["never", "always"]),
            ("an unknown instruction set is refused with the list", ["--simd", "mmx"],
             ["mmx", "plain"]),
            ("no threads are refused", ["--threads", "0"], ["--threads"]),
            ("no steps are refused", ["--steps", "0"], ["--steps"]),
            ("no sub-steps are refused", ["--sub-steps", "0"], ["--sub-steps", "1 and 64"]),
            ("no repeats are refused", ["--repeat", "0"], ["--repeat", "1 and 1000"]),
            ("a picture of an unknown kind is refused", ["--plot", "a.jpg"],
             ["--plot", "a.jpg", ".svg", ".png"]),
            ("an unknown stage is refused with the list", ["--stage", "lunch"],
             ["--stage", "lunch", "narrow phase", "finalise"]),
            ("a sub-stage is refused", ["--stage", "iterate"], ["--stage", "solve"]),
            ("a file is refused where no scene is measured", ["--list", "--csv", missing],
             ["--csv", "--list"]),
            ("an unknown option is refused", ["--fast"], ["--fast", "--help"])] + [
                (f"an unwritable file for --{option} is refused before anything runs",
                 [f"--{option}", missing], [f"--{option}", missing])
                for option in ["json", "csv", "trace"]]:
        result = run(*arguments)
        good = (result.returncode == 2 and result.stdout == ""
                and all(word in result.stderr for word in wanted))
        check(name, good, result)
    with tempfile.TemporaryDirectory() as folder:
        result = run("--plot", os.path.join(folder, "a.svg"), env={**os.environ, "PATH": folder})
        check("a picture without gnuplot is refused before anything runs, with the package's name",
              result.returncode == 2 and result.stdout == ""
              and "gnuplot-nox" in result.stderr, result)


def check_stages():
    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "architecture.md"
    table = run("--stages").stdout
    check("the architecture page shows the stage table as printed",
          table.count("\n") > 10 and table in page.read_text(encoding="utf-8"), table)


def check_json(data, engines):
    check("the JSON object has machine, build and runs",
          set(data) == {"machine", "build", "runs"}, data)
    runs = data["runs"]
    check("every scene and engine has a run",
          [(r["scene"], r["engine"]) for r in runs]
          == [(scene, engine) for scene in ["wall", "chain"] for engine in engines], runs)
    check("runs have the promised fields", all(
        set(r) == RUN_KEYS and set(r["step_ms"]) == {"median", "p99", "min"}
        and set(r["quality"]) == QUALITY_KEYS == set(r["bounds"])
        and set(r["counters"]) == COUNTER_KEYS for r in runs), runs)
    walls = runs[:len(engines)]
    check("runs of one scene have the same bodies, steps and repeats", all(
        r["bodies"] == 500 and r["steps"] == 10 and r["repeats"] == 2 for r in walls), walls)
    check("step times are in order", all(
        0 < r["step_ms"]["min"] <= r["step_ms"]["median"] <= r["step_ms"]["p99"] for r in walls),
        walls)
    check("repeats have a spread", all(r["step_spread"] >= 0 for r in walls), walls)
    check("programs for ODE are compared, and nothing else", all(
        (r["missed"] is not None) == (r["engine"] in ("ode", "face"))
        and (r["program_ratio"] is not None) == (r["engine"] == "ode") for r in walls)
        or "face" not in engines, walls)
    check("a scene of quality only has no times", all(
        r["step_ms"]["median"] is None and r["quality"]["max_joint_separation"] > 0
        for r in runs[len(engines):]), runs)
    check("every stage has its counters, as numbers or as null", all(
        set(counts) == set(r["stages_ms"]) for r in runs for counts in r["counters"].values()),
        runs)


def flatten(value, prefix=""):
    """The cells that the CSV file must hold, as text."""
    if not isinstance(value, dict):
        if isinstance(value, list):
            value = " ".join(value)
        return {prefix: "" if value is None else str(value)}
    cells = {}
    for key, item in value.items():
        cells.update(flatten(item, f"{prefix}/{key}" if prefix else key))
    return cells


def same_cell(one, other):
    try:
        return abs(float(one) - float(other)) <= 1e-9 * abs(float(one))
    except ValueError:
        return one == other


def check_csv(rows, data):
    good = len(rows) == len(data["runs"])
    for row, wanted in zip(rows, map(flatten, data["runs"])):
        good = good and set(wanted) <= set(row)
        good = good and all(same_cell(row[name], wanted.get(name, "")) for name in row)
    check("the CSV file is the table of the JSON file's runs", good, (rows, data["runs"]))


def check_trace(data, engines):
    """Events nest, in every thread; sub-stages lie in their stage, stages in their step."""
    stacks, parents, names, good = {}, set(), {}, True
    last = {}
    for event in data["traceEvents"]:
        key = (event["pid"], event["tid"])
        if event["ph"] == "M":
            names.setdefault(event["name"], set()).add(event["args"]["name"])
            continue
        stack = stacks.setdefault(key, [])
        good = good and event["ts"] >= last.get(key, 0)
        last[key] = event["ts"]
        if event["ph"] == "B":
            parents.add((stack[-1] if stack else "", event["name"]))
            stack.append(event["name"])
        else:
            good = good and event["ph"] == "E" and stack.pop() == event["name"]
    check("trace events nest and their times rise", good and not any(stacks.values()), stacks)
    check("the trace has steps, their stages and sub-stages",
          {("", "step"), ("step", "solve"), ("solve", "iterate"),
           ("step", "narrow phase")} <= parents, parents)
    check("the trace has a process per scene and a thread per engine",
          names == {"process_name": {"wall", "chain"}, "thread_name": set(engines)}
          and len(stacks) == 2 * len(engines), (names, stacks.keys()))


def check_run(peers):
    """One run with every option that writes something."""
    engines = ["lode", *peers]
    have_gnuplot = shutil.which("gnuplot") is not None
    with tempfile.TemporaryDirectory() as folder:
        path = {option: os.path.join(folder, "it's." + ("svg" if option == "plot" else option))
                for option in FILES if option != "plot" or have_gnuplot}
        arguments = ["--scene", "wall", "--scene", "chain", "--steps", "10", "--repeat", "2",
                     "--counters"]
        for option, file in path.items():
            arguments += [f"--{option}", file]
        for peer in [peer for peer in peers if peer != "face"] or ["none"]:
            arguments += ["--peer", peer]  # the face comes with libode
        result = run(*arguments)
        check("a run ends with status 0", result.returncode == 0, result)
        check("without a terminal there is no progress bar", "\r" not in result.stderr, result)
        check("the tables name every engine",
              all(engine in result.stdout for engine in engines), result)
        if "face" in peers:
            check("the same program is compared on libode and on the ODE face",
                  "on libode and on Lode's ODE face, ms" in result.stdout
                  and result.stdout.count("\nwall             libode") == 1
                  and "dWorldStep" not in result.stdout, result)
        check("counters have a table, and a note where there are none",
              "Counters of lode on wall" in result.stdout
              and ("lets a program count" in result.stdout or " -\n" not in result.stdout), result)
        try:
            with open(path["json"], encoding="utf-8") as file:
                data = json.load(file)
            with open(path["csv"], encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            with open(path["trace"], encoding="utf-8") as file:
                trace = json.load(file)
            svg = xml.etree.ElementTree.parse(path["plot"]).getroot() if have_gnuplot else None
        except (OSError, ValueError, xml.etree.ElementTree.ParseError) as error:
            check("the files can be read", False, (error, result))
            return
    check_json(data, engines)
    check_csv(rows, data)
    check_trace(trace, engines)
    if have_gnuplot:
        texts = " ".join(text.strip() for text in svg.itertext())
        check("the picture names scene, engines and stages",
              all(word in texts for word in ["wall", "solve", *engines]), texts)


def check_full_disk():
    if not os.path.exists("/dev/full"):
        return
    for option in ["json", "csv", "trace"]:
        check(f"a file for --{option} that cannot be written to the end is an error",
              run("--scene", "wall", "--steps", "1", "--peer", "none", f"--{option}",
                  "/dev/full").returncode == 2)


def check_judgement():
    result = run("--scene", "pyramid", "--iterations", "1", "--peer", "none")
    check("quality out of bounds is marked and makes the status 1",
          result.returncode == 1 and "! " in result.stdout and "OUT OF BOUNDS" in result.stdout
          and "out of bounds" in result.stderr, result)
    result = run("--scene", "ragdolls", "--stiff", "always", "--sub-steps", "2", "--peer", "none")
    check("ragdolls whose joints do not stretch lie no deeper in each other than others",
          result.returncode == 0 and "in 2 sub-steps" in result.stdout, result)
    result = run("--scene", "platform_static", "--scene", "platform", "--steps", "5", "--peer",
                 "none")
    check("a scene is held against its twin",
          result.returncode == 0 and "times as long for platform as for platform_static"
          in result.stdout, result)


def check_page():
    """tools/bench_docs.py puts what programs print into a page, and leaves the rest alone."""
    program = pathlib.Path(sys.argv[1]).resolve()
    tool = pathlib.Path(__file__).resolve().parents[2] / "tools" / "bench_docs.py"
    list_line = f"<!-- run: {program.name} --list -->"
    quality_line = (f"<!-- run: {program.name} --scene chain --steps 1 --peer none | Quality -->")
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.md")
        page.write_text(f"Above.\n\n{list_line}\n```\nold\n```\n\nBetween.\n\n{quality_line}\n"
                        "```\n```\n\nBelow.\n", encoding="utf-8")
        result = subprocess.run([tool, program.parents[1], page], capture_output=True, text=True,
                                check=False)
        text = page.read_text(encoding="utf-8")
    check("the page's figures are renewed, and nothing else", result.returncode == 0
          and text.startswith(f"Above.\n\n{list_line}\n```\n{run('--list').stdout}```\n\nBetween.")
          and text.endswith("\n```\n\nBelow.\n") and "old" not in text
          and f"{quality_line}\n```\nQuality at the end" in text
          and "Whole step" not in text, (result, text))


def main():
    result = run("--list")
    names = [line.split()[0] for line in result.stdout.splitlines()]
    check("the scenes are listed", names == SCENES and result.returncode == 0, result)
    result = run("--help")
    check("help names every option", result.returncode == 0 and all(
        f"--{option}" in result.stdout for option in OPTIONS), result)
    check_refusals()
    check_stages()
    check_run(sys.argv[2:])
    check_full_disk()
    check_judgement()
    for stage in ["bounds", "solve", "finalise", "damping"]:
        result = run("--stage", stage, "--scene", "wall", "--steps", "3")
        check(f"the stage '{stage}' runs by itself", result.returncode == 0
              and f"'{stage}'" in result.stdout and "3 runs" in result.stdout
              and float(result.stdout.split()[-3]) > 0, result)
    result = run("--kernels")
    check("kernels are timed against their scalar twins",
          result.returncode == 0 and "plain" in result.stdout and "solve" in result.stdout, result)
    result = run("--memory")
    check("the cost of a snapshot is told",
          "Snapshot of 10000 resting boxes" in result.stdout and "going back" in result.stdout,
          result)
    check("the memory of a resting box is told",
          result.returncode == 0 and "body, shape, tree node" in result.stdout, result)
    result = run("--sleeping")
    check("a world that sleeps is timed", result.returncode == 0
          and "Sleeping world of 100000 boxes" in result.stdout, result)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
