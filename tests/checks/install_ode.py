#!/usr/bin/env python3
"""Programs for ODE can be built with an installed Lode.

    install_ode.py ROOT BUILD CC CXX|none

Installs the build into a temporary tree, and there: builds a small program for ODE by pkg-config,
by ode-config and by CMake, in each precision, shared and static, in C and in C++, and runs it; it
prints what the library says of its precision, and moves as it should. Versions must be those that
the headers tell, and sonames ODE's. What ODE itself has installed is not overwritten unasked.
"""
import os
import re
import sys
import tempfile

from check import finish, report, run, skip
from installed import Installed

PROGRAM = r"""
#include <ode/ode.h>
#include <stdio.h>

#ifndef LODE_ODE
#error "not Lode's headers"
#endif

static dWorldID world;
static dSpaceID space;
static dJointGroupID contacts;

static void near_callback(void *data, dGeomID a, dGeomID b)
{
    dContact contact[4];
    (void)data;
    int n = dCollide(a, b, 4, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < n; ++i) {
        contact[i].surface.mode = 0;
        contact[i].surface.mu = dInfinity;
        dJointAttach(dJointCreateContact(world, contacts, &contact[i]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

/* drops a ball on a plane; returns 0 when it came to rest on it */
int main(void)
{
    dInitODE2(0);
    world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, (dReal)-9.81);
    space = dHashSpaceCreate(0);
    contacts = dJointGroupCreate(0);
    dCreatePlane(space, 0, 0, 1, 0);
    dBodyID ball = dBodyCreate(world);
    dMass mass;
    dMassSetSphere(&mass, 1000, (dReal)0.5);
    dBodySetMass(ball, &mass);
    dBodySetPosition(ball, 0, 0, 2);
    dGeomSetBody(dCreateSphere(space, (dReal)0.5), ball);
    for (int i = 0; i < 240; ++i) {
        dSpaceCollide(space, 0, near_callback);
        dWorldQuickStep(world, (dReal)(1.0 / 60.0));
        dJointGroupEmpty(contacts);
    }
    dReal z = dBodyGetPosition(ball)[2];
    printf("%s, %d bytes a real, single %d, double %d, %s, ball at %.2f\n", dODE_VERSION,
           (int)sizeof(dReal), dCheckConfiguration("ODE_single_precision"),
           dCheckConfiguration("ODE_double_precision"), dGetConfiguration(), (double)z);
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
    return z > (dReal)0.45 && z < (dReal)0.55 ? 0 : 5;
}
"""
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(user LANGUAGE)
find_package(NAME 0.16 REQUIRED COMPONENTS)
add_executable(user program.ENDING)
target_link_libraries(user PRIVATE TARGET)
"""
# as projects do it that know no targets
CMAKE_VARIABLES = """cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(ODE REQUIRED COMPONENTS)
if(NOT ODE_VERSION VERSION_EQUAL "VERSION")
    message(FATAL_ERROR "ODE_VERSION is ${ODE_VERSION}")
endif()
add_definitions(${ODE_DEFINITIONS})
include_directories(${ODE_INCLUDE_DIRS})
add_executable(user program.c)
target_link_libraries(user ${ODE_LIBRARIES})
"""
PACKAGES = {"single": "ode-single", "double": "ode"}
TARGETS = {"single": "ODE::single", "double": "ODE::ODE"}
TARGET_ENDINGS = {"shared": "", "static": "-static"}
COMPONENTS = {"single": " COMPONENTS single", "double": ""}
ENDINGS = {"shared": ".so", "static": ".a"}


class Case:
    """The ODE face in one precision: what its programs print, and the names it goes by."""

    def __init__(self, ode, precision, version):
        self.ode, self.precision, self.version = ode, precision, version
        self.package = PACKAGES[precision]
        # ODE's own library has more to say of its configuration
        self.printed = f"{version}, " + {
            "single": "4 bytes a real, single 1, double 0",
            "double": "8 bytes a real, single 0, double 1"}[precision]
        self.printed += ", ODE ODE_EXT_trimesh ODE_EXT_threading ODE_THR_builtin_impl "
        self.printed += f"ODE_{precision}_precision, ball"

    def kinds(self, name, wanted=("shared", "static")):
        """Those of the wanted kinds of library that there are."""
        for kind in wanted:
            ending = ENDINGS[kind]
            if self.ode.has(self.precision, ending):
                yield f"{name}, {self.precision}, {kind}", kind
            else:
                skip(f"{name}, {self.precision}, {kind}", "not built")

    def by_pkgconfig(self):
        for name, kind in self.kinds("a program for ODE by pkg-config"):
            status, output = self.ode.compile(
                "user", *self.ode.flags(self.precision, "--cflags"), "program.c",
                *self.ode.libraries(self.precision, kind))
            self.ode.try_program(name, status, output, "./user", self.printed)

    def config(self, *options):
        """Words that the script of the tree prints, of the place where the tree is now."""
        script = os.path.join(self.ode.prefix, "bin", self.package + "-config")
        status, output = run([script, f"--prefix={self.ode.prefix}", *options])
        return output.split() if status == 0 else [f"status {status}"]

    def by_script(self):
        name = f"a program for ODE by {self.package}-config, {self.precision}"
        status, output = self.ode.compile("user", *self.config("--cflags"), "program.c",
                                          *self.config("--libs"))
        self.ode.try_program(name, status, output, "./user", self.printed)

    def by_cmake(self, language, package, wanted):
        ending = {"C": "c", "CXX": "cpp"}[language]
        name = f"a program for ODE by CMake's {package}, {language}"
        for name, kind in self.kinds(name, wanted):
            lists = CMAKE
            for word, value in (("NAME", package), ("LANGUAGE", language), ("ENDING", ending),
                                (" COMPONENTS", COMPONENTS[self.precision]),
                                ("TARGET", TARGETS[self.precision] + TARGET_ENDINGS[kind])):
                lists = lists.replace(word, value)
            status, output, built = self.ode.cmake(f"{package}-{language}-{self.precision}-{kind}",
                                                   lists, "program." + ending)
            self.ode.try_program(name, status, output, built + "/user", self.printed)

    def by_cmake_variables(self):
        lists = CMAKE_VARIABLES.replace('"VERSION"', f'"{self.version}"')
        lists = lists.replace(" COMPONENTS", COMPONENTS[self.precision])
        status, output, built = self.ode.cmake(f"variables-{self.precision}", lists, "program.c")
        self.ode.try_program(f"a program for ODE by CMake's variables, {self.precision}", status,
                             output, built + "/user", self.printed)

    def names(self):
        _, output = run(["pkg-config", "--modversion", self.package], env=self.ode.environment)
        told = {"pkg-config": output.strip(), "ode-config": " ".join(self.config("--version"))}
        report(f"the version of {self.package} is that of the headers",
               [f"{who}: {what}" for who, what in told.items() if what != self.version])
        library = os.path.join(self.ode.libdir, f"lib{self.package}.so")
        if os.path.exists(library):
            _, output = run(["readelf", "-d", library])
            soname = re.search(r"SONAME.*\[(.*)\]", output)
            report(f"the soname of {self.package} is that of ODE",
                   [] if soname and soname.group(1) == f"lib{self.package}.so.8" else [output])

    def script_options(self):
        """The interface that ODE's script has, on which programs' configure scripts rest."""
        script = os.path.join(self.ode.prefix, "bin", self.package + "-config")
        wrong = []
        for options, expected in ((["--prefix=/a", "--prefix"], (0, "/a")),
                                  (["--prefix=/a", "--exec-prefix"], (0, "/a")),
                                  (["--exec-prefix=/b", "--prefix=/a", "--exec-prefix"], (0, "/b")),
                                  (["--version"], (0, self.version)),
                                  (["--nonsense"], (1, None)), ([], (1, None))):
            status, output = run([script, *options])
            if (status, output.strip() if expected[1] else None) != expected:
                wrong.append(f"{options}: status {status}: {output}")
        report(f"{self.package}-config knows its options", wrong)


def by_another_name(ode, printed):
    """A program in single precision that was linked with a libode.so.8, as ODE's own build has it,
    finds our single one by a link of that name."""
    name = "a program of another ODE in single precision"
    if not (ode.has("double", ".so") and ode.has("single", ".so")):
        skip(name, "not both built shared")
        return
    status, output = ode.compile("foreign", "-DdIDESINGLE", *ode.flags("double", "--cflags"),
                                 "program.c", *ode.flags("double", "--libs"))
    if status == 0:
        links = os.path.join(ode.place, "links")
        os.mkdir(links)
        os.symlink(os.path.join(ode.libdir, "libode-single.so.8"),
                   os.path.join(links, "libode.so.8"))
        status, output = run(["./foreign"], cwd=ode.place,
                             env=dict(ode.environment, LD_LIBRARY_PATH=links))
    report(name, [] if status == 0 and printed in output else
           [f"status {status}", *output.splitlines()])


def needs_component(ode):
    """Where only the other precision is installed, find_package says so."""
    name = "CMake tells that a precision is not there"
    if not (ode.has("double", ".so") and ode.has("single", ".so")):
        skip(name, "not both built shared")
        return
    for ending in (".so", ".a"):
        path = os.path.join(ode.libdir, "libode" + ending)
        if os.path.exists(path):
            os.remove(path)
    status, output, _ = ode.cmake("missing", CMAKE_VARIABLES.replace(" COMPONENTS", ""),
                                  "program.c")
    report(name, [] if status != 0 and "double precision" in output else output.splitlines())


def spares(root, place):
    """A libode of others in the prefix is not overwritten unless that is asked for."""
    libdir = os.path.join(place, "prefix/lib")
    os.makedirs(libdir)
    with open(os.path.join(libdir, "libode.so.8"), "w", encoding="utf-8"):
        pass
    wrong = []
    for setting, expected in (("auto", 0), ("double", 1)):
        build = os.path.join(place, "spare-" + setting)
        status, output = run(["meson", "setup", build, root, f"--prefix={place}/prefix",
                              "--libdir=lib", "-Dtests=false", "-Dbench=false", "-Dsimd=false",
                              "-Dallocator=libc", f"-Dode={setting}"])
        if status == 0:
            status, plan = run(["meson", "introspect", build, "--installed"])
            installed = f"{libdir}/libode.so.8" in plan
            warned = "ODE is installed in" in output
            if status != 0 or installed != expected or warned == expected:
                wrong.append(f"-Dode={setting}: {output}")
        else:
            wrong += output.splitlines()
    report("a libode of others is not overwritten unasked", wrong)


def main():
    root, build, compiler, cpp_compiler = sys.argv[1:5]
    with open(os.path.join(root, "include/ode/version.h"), encoding="utf-8") as text:
        version = re.search(r'dODE_VERSION "(.*)"', text.read()).group(1)
    with tempfile.TemporaryDirectory() as place:
        ode = Installed(place, build, compiler, PACKAGES,
                        {"program.c": PROGRAM, "program.cpp": PROGRAM})
        ode.environment["CXX"] = cpp_compiler
        there = [precision for precision in PACKAGES
                 if any(ode.has(precision, ending) for ending in ENDINGS.values())]
        if not there:
            skip("programs for ODE", "the build does not install ODE's interface (-Dode)")
        for precision in there:
            case = Case(ode, precision, version)
            case.names()
            case.script_options()
            case.by_pkgconfig()
            case.by_script()
            case.by_cmake("C", "ODE", ("shared", "static"))
            if cpp_compiler != "none":
                case.by_cmake("CXX", "ode", ("shared",))
            case.by_cmake_variables()
            if precision == "single":
                by_another_name(ode, case.printed)
        needs_component(ode)
        spares(root, place)
    finish()


if __name__ == "__main__":
    main()
