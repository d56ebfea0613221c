"""A Lode that is installed for a test: into a temporary tree, moved away from its prefix as a
package would be."""
import os
import shutil

from check import finish, report, run


class Installed:
    """The tree, and programs that are built with it in the folder `place`. `packages` says what
    the library is called in each precision; `files` are written to that folder."""

    def __init__(self, place, build, compiler, packages, files):
        self.place, self.compiler = place, compiler.split()  # "ccache gcc" too
        self.packages = packages
        self.tree = tree = os.path.join(place, "tree")
        status, output = run(["meson", "install", "-C", build, "--no-rebuild", "--quiet",
                              "--destdir", tree])
        report("the build installs", [] if status == 0 else output.splitlines())
        if status != 0:
            finish()
        self.pkgconfig = self.find(tree, "pkgconfig")
        self.libdir = os.path.dirname(self.pkgconfig)
        self.prefix = os.path.dirname(self.find(tree, "include"))
        self.environment = dict(os.environ, PKG_CONFIG_PATH=self.pkgconfig,
                                PKG_CONFIG_SYSROOT_DIR=tree,
                                CMAKE_PREFIX_PATH=f"{self.prefix}:{self.libdir}/cmake",
                                LD_LIBRARY_PATH=self.libdir, CC=compiler)
        for name, text in files.items():
            with open(os.path.join(place, name), "w", encoding="utf-8") as out:
                out.write(text)

    @staticmethod
    def find(tree, folder):
        for directory, names, _ in os.walk(tree):
            if folder in names:
                return os.path.join(directory, folder)
        return tree

    def has(self, precision, ending):
        return os.path.exists(os.path.join(self.libdir, f"lib{self.packages[precision]}{ending}"))

    def flags(self, precision, *what):
        _, output = run(["pkg-config", *what, self.packages[precision]], env=self.environment)
        return output.split()

    def compile(self, output, *arguments):
        return run([*self.compiler, "-std=c17", "-Wall", "-Wextra", "-o", output, *arguments],
                   cwd=self.place, env=self.environment)

    def libraries(self, precision, kind):
        """The words by which pkg-config has a program linked with the library of that kind."""
        if kind == "shared":
            return self.flags(precision, "--libs")
        name = self.packages[precision]
        return [f"-l:lib{name}.a" if word == f"-l{name}" else word
                for word in self.flags(precision, "--libs", "--static")]

    def cmake(self, name, lists, *files):
        """Builds what `lists` says of a project, of files of the place; returns its folder too."""
        project = os.path.join(self.place, name)
        os.mkdir(project)
        for file in files:
            shutil.copy(os.path.join(self.place, file), project)
        with open(os.path.join(project, "CMakeLists.txt"), "w", encoding="utf-8") as out:
            out.write(lists)
        status, output = run(["cmake", "-S", project, "-B", project + "/out"],
                             env=self.environment)
        if status == 0:
            status, output = run(["cmake", "--build", project + "/out"], env=self.environment)
        return status, output, project + "/out"

    def try_program(self, name, status, output, program, expected):
        """Reports on a program that was just built: it must run and print what is expected."""
        if status == 0:
            status, output = run([program], cwd=self.place, env=self.environment)
        report(name, [] if status == 0 and expected in output else
               [f"status {status}", *output.splitlines()])
