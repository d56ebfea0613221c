#!/usr/bin/env python3
"""An installed Lode can be used, and misuse is told.

    install.py ROOT BUILD CC

Installs the build into a temporary tree, moved away from its prefix as a package would be, and
there: builds and runs a small program by pkg-config and by CMake, in each precision, shared and
static; builds programs whose header and library differ in precision, which must say so at their
first call; builds and runs a program that reads materials; loads both libraries into one process;
compiles the README's example as shown.
"""
import os
import re
import sys
import tempfile

from check import finish, report, run, skip
from installed import Installed

PROGRAM = r"""
#include <lode/lode.h>
#include <stdio.h>

/* drops a ball on a plane; returns 0 when it came to rest on it */
int PART(void)
{
    lode_world_def world_def = lode_world_def_default();
    world_def.gravity = (lode_vec3){0, 0, (lode_real)-9.81};
    lode_world world = lode_world_create(&world_def);
    if (world.id == 0) {
        puts("no world");
        return 3;
    }
    lode_body_def body_def = lode_body_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_body ground = lode_body_create(world, &body_def);
    lode_shape_create_plane(ground, &shape_def, (lode_vec3){0, 0, 1}, 0);
    body_def.type = LODE_DYNAMIC;
    body_def.position = (lode_vec3){0, 0, 2};
    lode_body ball = lode_body_create(world, &body_def);
    lode_shape_create_sphere(ball, &shape_def, (lode_real)0.5);
    for (int i = 0; i < 240; ++i)
        if (lode_world_step(world, (lode_real)(1.0 / 60.0)) != LODE_OK)
            return 4;
    lode_real z = lode_body_get_pose(ball).position.z;
    lode_world_destroy(world);
    printf("%s, %d bytes a real, ball at %.2f\n", lode_version(), (int)sizeof(lode_real), (double)z);
    return z > (lode_real)0.45 && z < (lode_real)0.55 ? 0 : 5;
}
"""
MAIN = "int PART(void);\nint main(void)\n{\n    return PART();\n}\n"
BOTH = """int single_part(void);
int double_part(void);
int main(void)
{
    int a = single_part(), b = double_part(), c = single_part();
    return a ? a : b ? b : c;
}
"""
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(lode 1.0 REQUIRED COMPONENTS COMPONENT)
add_executable(user part.c main.c)
target_compile_definitions(user PRIVATE PART=part)
target_link_libraries(user PRIVATE TARGET)
"""
IO_PROGRAM = r"""
#include <lode_io/materials.h>
#include <lode/lode.h>
#include <string.h>

int main(void)
{
    const char *text = "{\"contact_properties\": [{\"bounce\": 0.25}]}";
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_contact_properties p;
    if (lode_io_read_materials(world, "text", text, strlen(text)) != LODE_OK)
        return 3;
    int count = lode_world_get_contact_properties(world, &p, 1);
    return count == 1 && p.bounce == (lode_real)0.25 ? 0 : 4;
}
"""
IO_CMAKE = """cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(lode 1.0 REQUIRED COMPONENTS COMPONENT)
add_executable(user io.c)
target_link_libraries(user PRIVATE TARGET)
"""
PACKAGES = {"single": "lode", "double": "lode-double"}
BYTES = {"single": 4, "double": 8}


def right(precision):
    return f" {precision}, {BYTES[precision]} bytes a real"


def by_pkgconfig(lode, precision):
    for kind, ending in (("shared", ".so"), ("static", ".a")):
        name = f"a program by pkg-config, {precision}, {kind}"
        if not lode.has(precision, ending):
            skip(name, "not built")
            continue
        status, output = lode.compile("user", "-DPART=part", *lode.flags(precision, "--cflags"),
                                      "part.c", "main.c", *lode.libraries(precision, kind))
        lode.try_program(name, status, output, "./user", right(precision))


def by_cmake(lode, precision):
    component = {"single": "lode", "double": "double"}[precision]
    for kind, ending in (("shared", ".so"), ("static", ".a")):
        name = f"a program by CMake, {precision}, {kind}"
        if not lode.has(precision, ending):
            skip(name, "not built")
            continue
        target = f"lode::{component}" + ("-static" if kind == "static" else "")
        lists = CMAKE.replace("COMPONENTS COMPONENT", f"COMPONENTS {component}")
        status, output, built = lode.cmake(f"cmake-{precision}-{kind}",
                                           lists.replace("TARGET", target), "part.c", "main.c")
        lode.try_program(name, status, output, built + "/user", right(precision))


def by_io(lode, precision):
    """A program that reads materials: by pkg-config and by CMake, shared and static."""
    component = {"single": "io", "double": "io-double"}[precision]
    package = PACKAGES[precision].replace("lode", "lode-io")
    for kind, ending in (("shared", ".so"), ("static", ".a")):
        names = [f"materials by {way}, {precision}, {kind}" for way in ("pkg-config", "CMake")]
        if not os.path.exists(os.path.join(lode.libdir, f"lib{package}{ending}")):
            for name in names:
                skip(name, "not built")
            continue
        static = ["--static"] if kind == "static" else []
        _, output = run(["pkg-config", "--cflags", "--libs", *static, package],
                        env=lode.environment)
        own = (f"-l{package}", f"-l{PACKAGES[precision]}")
        words = [f"-l:lib{word[2:]}.a" if static and word in own else word
                 for word in output.split()]
        status, output = lode.compile("io", "io.c", *words)
        lode.try_program(names[0], status, output, "./io", "")
        target = f"lode::{component}" + ("-static" if static else "")
        lists = IO_CMAKE.replace("COMPONENTS COMPONENT", f"COMPONENTS {component}")
        status, output, built = lode.cmake(f"cmake-{component}-{kind}",
                                           lists.replace("TARGET", target), "io.c")
        lode.try_program(names[1], status, output, built + "/user", "")


def mixed(lode, header, library):
    """A program compiled for one precision and linked with the other."""
    name = f"a {header} header with the {library} library is refused at the first call"
    if not lode.has(library, ".so"):
        skip(name, "not built")
        return
    cflags = [word for word in lode.flags(library, "--cflags") if word != "-DLODE_DOUBLE"]
    if header == "double":
        cflags.append("-DLODE_DOUBLE")
    status, output = lode.compile("mixed", "-DPART=part", *cflags, "part.c", "main.c",
                                  *lode.flags(library, "--libs"))
    if status == 0:
        status, output = run(["./mixed"], cwd=lode.place, env=lode.environment)
    first = output.split("\n")[0]
    told = "lode_world_def_init" in first and "LODE_DOUBLE" in first and "no world" in output
    report(name, [] if status == 3 and told else [f"status {status}", *output.splitlines()])


def side_by_side(lode):
    """Two shared objects, each bound to its own Lode, in one process."""
    name = "both libraries work in one process"
    if not (lode.has("single", ".so") and lode.has("double", ".so")):
        skip(name, "not both built")
        return
    status, output = 0, ""
    for precision in ("single", "double"):
        if status == 0:
            status, output = lode.compile(
                f"lib{precision}_part.so", "-shared", "-fPIC", f"-DPART={precision}_part",
                *lode.flags(precision, "--cflags"), "part.c", *lode.flags(precision, "--libs"))
    if status == 0:
        status, output = lode.compile("both", "both.c", "-L.", "-lsingle_part", "-ldouble_part",
                                      "-Wl,-rpath-link," + lode.libdir)
    if status == 0:
        environment = dict(lode.environment, LD_LIBRARY_PATH=lode.libdir + ":" + lode.place)
        status, output = run(["./both"], cwd=lode.place, env=environment)
    order = re.findall(r"(\d) bytes a real", output)
    report(name, [] if status == 0 and order == ["4", "8", "4"] else
           [f"status {status}", *output.splitlines()])


def readme(lode, root):
    """The first C program of the README, as shown."""
    path = os.path.join(root, "README.md")
    text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
    block = re.search(r"^```c\n(.*?)^```", text, re.S | re.M)
    if not block:
        report("the README shows a C program", ["found none"])
        return
    if not lode.has("single", ".so"):
        skip("the README's example", "single not built shared")
        return
    with open(os.path.join(lode.place, "readme.c"), "w", encoding="utf-8") as out:
        out.write(block.group(1))
    status, output = lode.compile("readme", "-Werror", *lode.flags("single", "--cflags"),
                                  "readme.c", *lode.flags("single", "--libs"))
    if status == 0:
        status, output = run(["./readme"], cwd=lode.place, env=lode.environment)
    report("the README's example compiles as shown and runs",
           [] if status == 0 else [f"status {status}", *output.splitlines()])


def main():
    root, build, compiler = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as place:
        lode = Installed(place, build, compiler, PACKAGES,
                         {"part.c": PROGRAM, "main.c": MAIN, "both.c": BOTH,
                          "io.c": IO_PROGRAM})
        for precision in ("single", "double"):
            by_pkgconfig(lode, precision)
            by_cmake(lode, precision)
            by_io(lode, precision)
        mixed(lode, "double", "single")
        mixed(lode, "single", "double")
        side_by_side(lode)
        readme(lode, root)
    finish()


if __name__ == "__main__":
    main()
