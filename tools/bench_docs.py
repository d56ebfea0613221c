#!/usr/bin/env python3
"""Renews the figures of docs/benchmarks.md.

    tools/bench_docs.py BUILD [PAGE]

The page says itself where figures belong and what gives them, in lines of two kinds:

    <!-- run: lode-bench --peer ode -->
    <!-- run: lode-bench-double --peer ode | Whole step, Solver -->
    <!-- threads 2: pyramids, box_pile -->

The block that follows is replaced: after `run`, a block of code, by what the program prints, whole
or only the sections whose titles begin so; after `threads`, a table, by median step times with one
thread and with that many in turn. Programs run in the root of the repository. Run it on a quiet
machine; it takes a few minutes.
"""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

TURNS = 5
ROOT = pathlib.Path(__file__).resolve().parents[1]
RUN = re.compile(r"(<!-- run: (?P<command>[^|>]*?)(?: \| (?P<titles>[^>]*?))? -->\n)```\n.*?```\n",
                 re.S)
THREADS = re.compile(r"(<!-- threads (?P<count>\d+): (?P<scenes>[^>]*?) -->\n)(?:\|.*\n)*")


def run(build, command):
    """What a lode-bench prints; it may find fault with the quality, which the page then shows."""
    name, *arguments = command
    done = subprocess.run([build / "bench" / name, *arguments], cwd=ROOT, capture_output=True,
                          text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    sys.stderr.write(done.stderr)
    return done.stdout


def select(output, titles):
    """The sections, parted by empty lines, whose titles begin with one of these."""
    if not titles:
        return output
    wanted = tuple(title.strip() for title in titles.split(","))
    return "\n".join(section.strip("\n") + "\n" for section in output.split("\n\n")
                     if section.lstrip("\n").startswith(wanted))


def medians(build, scenes, threads):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "runs.json")
        scenes = [word for scene in scenes for word in ("--scene", scene)]
        run(build, ["lode-bench", "--peer", "none", "--threads", str(threads), "--json", path,
                    *scenes])
        with open(path, encoding="utf-8") as file:
            return {r["scene"]: r["step_ms"]["median"] for r in json.load(file)["runs"]}


def threads_table(build, scenes, count):
    """One thread and many in turn: other work on the machine hits neighbours in time alike."""
    rows = [f"| scene | 1 | {count} | ratio |", "| --- | --- | --- | --- |"]
    for scene in scenes:
        turns = [[medians(build, [scene], threads)[scene] for threads in (1, count)]
                 for _ in range(TURNS)]
        one, many, ratio = (statistics.median(column) for column in
                            zip(*((one, many, one / many) for one, many in turns)))
        rows.append(f"| `{scene}` | {one:.3f} | {many:.3f} | {ratio:.2f} |")
    return "\n".join(rows) + "\n"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    page = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else ROOT / "docs" / "benchmarks.md"
    text = page.read_text(encoding="utf-8")
    if not RUN.search(text):
        sys.exit(f"{page} has no line that says what to run")
    text = RUN.sub(lambda match: f"{match[1]}```\n"
                   + select(run(build, match["command"].split()), match["titles"]) + "```\n", text)
    text = THREADS.sub(lambda match: match[1] + threads_table(
        build, [scene.strip() for scene in match["scenes"].split(",")], int(match["count"])), text)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
