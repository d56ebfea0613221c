"""C++ source that calls every public function of the listed classes, each way that its defaults
allow, in functions that nobody calls: they are there to be compiled, and for what the compiler
makes of the headers' inline functions."""
import re

SIGNATURE = re.compile(r"(?:deprecated )?(?:virtual )?(?P<returned>.*?)(?P<name>~?\w+|operator \w+)"
                       r"\((?P<parameters>.*)\)(?P<constant> const)?$")


def short_names(rows):
    """What a program calls the classes: for templates the names that the headers give them."""
    names = {kind.split("<")[0]: name for name, access, kind in rows if access == "typedef"}
    names.update({name: name for name, access, head in rows
                  if access == "class" and "<" not in head and "Container" not in name})
    return names


def declared(parameter, place):
    """`dReal[6]`, the first one, is `dReal a0[6]`."""
    kind = parameter.split(" =")[0]
    bracket = kind.find("[") if "[" in kind else len(kind)
    return f"{kind[:bracket]} a{place}{kind[bracket:]}"


def calls_of(row, short):
    """Bodies of functions: the parameters they need and what they do."""
    name, member = row[0], SIGNATURE.match(row[2])
    returned, called = member["returned"].strip(), member["name"]
    if called.startswith("~"):
        return
    parameters = re.sub(r"(\w+)<[^<>]*>", lambda found: short[found[1]], member["parameters"])
    parameters = parameters.split(", ") if parameters else []
    least = sum(" =" not in parameter for parameter in parameters)
    self = f"{'const ' if member['constant'] else ''}{short[name]} &self"
    for count in range(least, len(parameters) + 1):
        taken = [declared(parameter, place) for place, parameter in enumerate(parameters[:count])]
        given = ", ".join(f"a{place}" for place in range(count))
        if called == name:
            yield "void *", taken, f"return new {short[name]}({given});"
        elif called.startswith("operator"):
            yield called.split()[1], [self], "return self;"
        else:
            yield returned, [self] + taken, f"return self.{called}({given});"


def program(rows):
    short = short_names(rows)
    lines = ["#include <ode/ode.h>", ""]
    calls = [call for row in rows if row[1] == "public" and row[0] in short
             and "(" in row[2] for call in calls_of(row, short)]
    calls += [("void", [f"{name} &self"], f"self.~{name}();") for name in sorted(short.values())]
    for index, (returned, parameters, body) in enumerate(calls):
        lines.append(f"{returned} call_{index}({', '.join(parameters)}) {{ {body} }}")
    return "\n".join(lines) + "\n"
