"""What the checks share: one line per thing checked, `ok NAME` or `not ok NAME`, and an exit
status. The test runner counts these lines."""
import os
import shlex
import subprocess
import sys

failures = 0


def report(name, problems):
    """Prints the verdict on one thing; `problems` is a list of lines, empty when all is well."""
    global failures
    problems = list(problems)
    print(("not ok " if problems else "ok ") + name, flush=True)
    for problem in problems[:20]:
        print("    " + problem)
    if len(problems) > 20:
        print(f"    and {len(problems) - 20} more")
    failures += bool(problems)


def skip(name, why):
    print(f"skip {name}: {why}", flush=True)


def finish():
    sys.exit(1 if failures else 0)


def run(command, **options):
    """Runs a command (a list, or one string of words); returns status and joined output."""
    words = shlex.split(command) if isinstance(command, str) else command
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)
    return done.returncode, done.stdout


def sources(root, folder, endings=(".c", ".h", ".inl", ".cpp", ".hpp")):
    """Paths below `folder`, relative to `root`."""
    for directory, _, names in sorted(os.walk(os.path.join(root, folder))):
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.relpath(os.path.join(directory, name), root)
