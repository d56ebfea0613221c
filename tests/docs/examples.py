#!/usr/bin/env python3
"""The code in the documentation compiles as shown and runs.

    tests/docs/examples.py TEXT COMPILER... -- LINK_ARGUMENTS...

Every block that opens with ```c counts. One with a main() is a program of its own. All others of a
text are one program: those that begin with `static` stand first, the rest follow each other inside
main(), where LIBRARY says what they may use. Programs are compiled with warnings as errors, linked
with LINK_ARGUMENTS and run; they must end with status 0, and those of pieces must meet no error of
Lode's but the ones they ask for. A text without such a block fails: there is nothing then that a
newcomer could try. Prints `ok NAME` or `not ok NAME` per program.
"""
import os
import re
import subprocess
import sys
import tempfile

LIBRARY = """#include <lode/lode.h>

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void no_error(void *user, lode_status status, const char *function, const char *argument,
                     const char *message)
{
    (void)user;
    (void)status;
    printf("%s, %s: %s\\n", function, argument, message);
    exit(1);
}
"""


def blocks(text):
    """The pieces of C of a Markdown text, each with the line it begins on."""
    if not os.path.exists(text):
        return
    with open(text, encoding="utf-8") as lines:
        content = lines.read()
    for block in re.finditer(r"^```c[ \t]*\n(.*?)^```[ \t]*$", content, re.M | re.S):
        yield content.count("\n", 0, block.start(1)) + 1, block.group(1)


def programs(text):
    """Names and sources of the programs in a text; the compiler speaks of the text's own lines."""
    functions, story = [], []
    for line, source in blocks(text):
        place = f'#line {line} "{os.path.basename(text)}"\n{source}'
        if re.search(r"^int main\(", source, re.M):
            yield f"line {line}", place
        else:
            (functions if source.startswith("static") else story).append(place)
    if functions or story:
        yield (f"{len(functions) + len(story)} pieces as one program",
               "\n".join([LIBRARY, *functions, "int main(void)\n{",
                          "lode_set_error_hook(no_error, NULL);", *story, "return 0;\n}\n"]))


def run(command, place=None):
    """What went wrong, as lines; none if nothing did."""
    done = subprocess.run(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, timeout=120)
    if done.returncode == 0:
        return []
    return [f"exit status {done.returncode}: {' '.join(command)}", *done.stdout.splitlines()[:20]]


def try_program(source, compiler, link):
    with tempfile.TemporaryDirectory() as place:
        path, program = os.path.join(place, "example.c"), os.path.join(place, "example")
        with open(path, "w", encoding="utf-8") as out:
            out.write(source)
        warnings = ["-std=c17", "-Wall", "-Wextra", "-Werror"]
        return (run([*compiler, *warnings, path, "-o", program, *link, "-lm"])
                or run([program], place))


def main():
    split = sys.argv.index("--")
    text, compiler, link = sys.argv[1], sys.argv[2:split], sys.argv[split + 1:]
    failed = tried = 0
    for name, source in programs(text):
        problems = try_program(source, compiler, link)
        print(("not ok " if problems else "ok ")
              + f"{os.path.basename(text)}, {name}: compiles and runs as shown")
        for problem in problems:
            print("    " + problem)
        failed += bool(problems)
        tried += 1
    if not tried:
        print(f"not ok {text} shows a program in C")
    return 0 if tried and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
