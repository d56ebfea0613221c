#!/usr/bin/env python3
"""Runs lode-bench as a user would: what it lists, refuses, prints and writes.

    command.py LODE_BENCH PEER...

The peers named are those it was built with. Prints `ok NAME` or `not ok NAME` per check.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SCENES = ["pyramid", "pyramids", "wall", "box_pile", "sphere_pile", "joint_grid"]
RUN_KEYS = {"scene", "engine", "precision", "simd", "threads", "solver", "iterations", "steps",
            "bodies", "contacts", "rows", "step_ms", "stages_ms", "contact_points_per_second",
            "row_iterations_per_second", "bytes_per_body", "bytes_per_contact", "quality"}
QUALITY_KEYS = {"max_penetration", "max_joint_separation", "kinetic_energy", "displaced_fraction"}

failures = 0


def check(name, good, seen=""):
    global failures
    print("ok" if good else "not ok", name)
    if not good:
        failures += 1
        print(seen, file=sys.stderr)


def run(*arguments):
    return subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False)


def check_refusals():
    for name, arguments, wanted in [
            ("an unknown scene is refused with the list", ["--scene", "walls"], SCENES),
            ("an unknown peer is refused", ["--peer", "unreal"], ["unreal", "none"]),
            ("an unknown solver is refused with the list", ["--solver", "magic"], ["pgs", "soft"]),
            ("an unknown instruction set is refused with the list", ["--simd", "mmx"],
             ["mmx", "plain"]),
            ("no threads are refused", ["--threads", "0"], ["--threads"]),
            ("no steps are refused", ["--steps", "0"], ["--steps"]),
            ("an unwritable JSON file is refused before anything runs",
             ["--json", "/nonexistent/file"], ["--json", "/nonexistent/file"]),
            ("an unknown option is refused", ["--fast"], ["--fast", "--help"])]:
        result = run(*arguments)
        good = (result.returncode == 2 and result.stdout == ""
                and all(word in result.stderr for word in wanted))
        check(name, good, result)


def check_stages():
    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "architecture.md"
    table = run("--stages").stdout
    check("the architecture page shows the stage table as printed",
          table.count("\n") > 10 and table in page.read_text(encoding="utf-8"), table)


def check_json(peers):
    engines = ["lode", *peers]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.json")
        arguments = ["--scene", "wall", "--steps", "10", "--json", path]
        for peer in peers or ["none"]:
            arguments += ["--peer", peer]
        result = run(*arguments)
        check("a run ends with status 0", result.returncode == 0, result)
        check("without a terminal there is no progress bar", "\r" not in result.stderr, result)
        check("the tables name every engine",
              all(engine in result.stdout for engine in engines), result)
        try:
            with open(path, encoding="utf-8") as file:
                data = json.load(file)
        except (OSError, ValueError) as error:
            check("the JSON file can be read", False, error)
            return
    check("the JSON object has machine, build and runs",
          set(data) == {"machine", "build", "runs"}, data)
    runs = data["runs"]
    check("every engine has a run", [r["engine"] for r in runs] == engines, runs)
    check("runs have the promised fields", all(
        set(r) == RUN_KEYS and set(r["step_ms"]) == {"median", "p99", "min"}
        and set(r["quality"]) == QUALITY_KEYS for r in runs), runs)
    check("runs of one scene have the same bodies and steps", all(
        r["bodies"] == 500 and r["steps"] == 10 and r["scene"] == "wall" for r in runs), runs)
    check("step times are in order", all(
        0 < r["step_ms"]["min"] <= r["step_ms"]["median"] <= r["step_ms"]["p99"] for r in runs),
        runs)
    if os.path.exists("/dev/full"):
        check("a JSON file that cannot be written to the end is an error",
              run("--scene", "wall", "--steps", "1", "--peer", "none", "--json",
                  "/dev/full").returncode == 2)


def main():
    result = run("--list")
    names = [line.split()[0] for line in result.stdout.splitlines()]
    check("the scenes are listed", names == SCENES and result.returncode == 0, result)
    result = run("--help")
    check("help names every option", result.returncode == 0 and all(
        f"--{option}" in result.stdout for option in
        ["list", "scene", "steps", "threads", "iterations", "solver", "simd", "peer", "json",
         "kernels", "help"]), result)
    check_refusals()
    check_stages()
    check_json(sys.argv[2:])
    result = run("--kernels")
    check("kernels are timed against their scalar twins",
          result.returncode == 0 and "plain" in result.stdout and "solve" in result.stdout, result)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
