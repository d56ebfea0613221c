#!/usr/bin/env python3
"""Runs the tests of a build directory and counts what really ran.

    tools/run_tests.py BUILD [arguments of `meson test`]

Counted are test cases, not programs: cmocka prints a line when a case begins and one when it
passed, the check scripts print lines `ok NAME` and `not ok NAME`. A program that fails without
saying which case (it crashed, ran out of time, a sanitizer stopped it) counts as one more failure;
one that succeeds without printing cases counts as one that passed.
The last line is `N passed, N failed`; the exit status is 0 only when something ran and nothing
failed. Skipped cases are counted in neither; they and those that failed are named before it.
Stopped by SIGTERM, it ends the tests that run and tells of those that ended before.
"""
import json
import os
import re
import signal
import subprocess
import sys


def count(output):
    """Cases passed, failed and skipped according to what a program printed."""
    begun = len(re.findall(r"^\[ RUN      \]", output, re.M))
    passed = len(re.findall(r"^\[       OK \]", output, re.M))
    # cmocka repeats the names in its summary, on stderr
    skipped = len(set(re.findall(r"^\[  SKIPPED \] (?!\d)(\S.*)", output, re.M)))
    failed = begun - passed - skipped
    passed += len(re.findall(r"^ok ", output, re.M))
    failed += len(re.findall(r"^not ok ", output, re.M))
    skipped += len(re.findall(r"^skip ", output, re.M))
    return passed, failed, skipped


def failed_cases(output):
    """The names of the cases that began and did not pass, in order."""
    fine = set(re.findall(r"^\[       OK \] (\S+)", output, re.M))
    fine |= set(re.findall(r"^\[  SKIPPED \] (\S+)", output, re.M))
    begun = re.findall(r"^\[ RUN      \] (\S+)", output, re.M)
    return [name for name in begun if name not in fine] + re.findall(r"^not ok (.*)", output, re.M)


def main():
    build, arguments = sys.argv[1], sys.argv[2:]
    log = os.path.join(build, "meson-logs", "testlog.json")
    if os.path.exists(log):
        os.remove(log)
    run = subprocess.Popen(["meson", "test", "-C", build, "--print-errorlogs", *arguments])
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: (stopped.append(True), run.terminate()))
    run.wait()
    passed = failed = 0
    skipped_programs = []
    failures = []
    if os.path.exists(log):
        with open(log, encoding="utf-8") as lines:
            for line in lines:
                result = json.loads(line)
                if result["result"] == "INTERRUPT":
                    continue
                output = result.get("stdout", "") + "\n" + result.get("stderr", "")
                ok, bad, skipped = count(output)
                if result["returncode"] not in (0, 77) and bad == 0:
                    bad = 1
                if result["returncode"] == 0 and ok + skipped == 0:
                    ok = 1
                if bad:
                    cases = failed_cases(output) or [f"exit status {result['returncode']}"]
                    failures += [f"{result['name']}: {case}" for case in cases]
                passed += ok
                failed += bad
                if skipped or result["returncode"] == 77:
                    skipped_programs.append(result["name"])
    if run.returncode != 0 and failed == 0 and not stopped:
        failed = 1  # the build failed, or meson itself
    for name in skipped_programs:
        print("skipped, wholly or in part:", name)
    for failure in failures:
        print("failed:", failure)
    print(f"{passed} passed, {failed} failed", flush=True)
    return 0 if passed > 0 and failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
