"""The classes that ODE's C++ headers declare, member by member.

Reads what the compiler's preprocessor leaves of <ode/ode.h>. A member is a row: class, access and
signature, without names of parameters and without the bodies of functions. Classes themselves and
their short names are rows too.
"""
import csv
import itertools
import re
import subprocess
import sys

TOKEN = re.compile(r"\w+|::|\S")
WORDS = {"const", "unsigned", "long", "int", "void", "bool", "char"}
ACCESS = {"public", "protected", "private"}
KINDS = {"class": "private", "struct": "public"}
DEPRECATED = "__attribute__ ( ( __deprecated__ ) )"


def tokens_of(compiler):
    """Of the headers that the compiler finds by its flags, without system headers' directives."""
    text = subprocess.run(compiler + ["-x", "c++", "-E", "-P", "-"], input="#include <ode/ode.h>\n",
                          check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return TOKEN.findall("\n".join(lines))


def closing(tokens, start):
    """Where the bracket at `start` closes."""
    depth = 0
    for place in range(start, len(tokens)):
        depth += tokens[place] in ("(", "{", "[")
        depth -= tokens[place] in (")", "}", "]")
        if not depth:
            return place
    raise ValueError("a bracket stays open")


def spell(tokens):
    """As C++ is written; equal for the same tokens."""
    text = " ".join(tokens).replace(DEPRECATED, "deprecated")
    text = re.sub(r" ?(::|[<(\[]) ?", r"\1", text)
    text = re.sub(r" ([>)\],;])", r"\1", text)
    return re.sub(r"([*&~]) (?=[\w*&])", r"\1", text)


def split(tokens, separator=","):
    """At separators that are in no brackets."""
    parts, depth = [[]], 0
    for token in tokens:
        depth += token in "([<{"
        depth -= token in ")]>}"
        if token == separator and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def parameter(tokens):
    """Its type, and = with a default if it has one."""
    kind, default = (split(tokens, "=") + [[]])[:2]
    array = kind[kind.index("["):] if "[" in kind else []
    kind = kind[:len(kind) - len(array)]
    named = re.match(r"[a-zA-Z_]", kind[-1]) and kind[-1] not in WORDS and \
        any(re.match(r"\w", token) and token != "const" for token in kind[:-1])
    return (kind[:-1] if named else kind) + array + (["="] + default if default else [])


def member(tokens, name, own_arguments):
    """The signature of one member of class `name`; its own name does without arguments."""
    text = " ".join(tokens)
    if own_arguments:
        text = text.replace(f"{name} {own_arguments}", name)
    tokens = text.split()
    if tokens[0] == "typedef" or "(" not in tokens:
        return spell(tokens)
    start = tokens.index("(")
    if DEPRECATED in text:
        start = tokens.index("(", closing(tokens, start) + 1)
    end = closing(tokens, start)
    parameters = itertools.chain.from_iterable(
        [","] + parameter(part) for part in split(tokens[start + 1:end]))
    tail = itertools.takewhile(lambda token: token != ":", tokens[end + 1:])  # not what it begins
    return spell(tokens[:start + 1] + list(parameters)[1:] + [")"] + list(tail))


def members(body, access, name, own_arguments):
    """Pairs of access and signature; `access` is that of the first members."""
    start, place = 0, 0
    while place < len(body):
        if body[place] in ACCESS and body[place + 1] == ":":
            access, place = body[place], place + 2
            start = place
        elif body[place] in ";{":
            if place > start:
                yield access, member(body[start:place], name, own_arguments)
            place = start = (closing(body, place) if body[place] == "{" else place) + 1
        else:
            place += 1


def classes(tokens):
    """Rows of all classes, and structures with functions, that have ODE's names."""
    for place, token in enumerate(tokens):
        if token == "typedef" and "Template" in tokens[place + 1]:
            text = spell(tokens[place + 1:tokens.index(";", place)])
            alias = text.split()[-1]
            yield alias, "typedef", text[:-len(alias)].strip()
        if token not in KINDS or tokens[place - 1] in "<,":
            continue
        first = place + 1
        if tokens[first] == "__attribute__":
            first = closing(tokens, first + 1) + 1
        start = next(at for at in range(first, len(tokens)) if tokens[at] in "{;*)")
        head, name = tokens[place + 1:start], tokens[first]
        body = tokens[start + 1:closing(tokens, start)] if tokens[start] == "{" else []
        if not re.match(r"d[A-Z]", name) or "(" not in body:
            continue
        arguments = ""
        if tokens[place - 1] == ">":
            opening = max(at for at in range(place) if tokens[at] == "template")
            words = [word for word in tokens[opening:place] if word.startswith("d")]
            arguments = "< " + " , ".join(words) + " >"
        yield name, "class", spell(arguments.split() + head)
        for access, signature in members(body, KINDS[token], name, arguments):
            yield name, access, signature


def with_virtual(rows):
    """`virtual` is written where it may be left out, too: in joints that override."""
    virtual = {signature for name, _, signature in rows if name == "dJointTemplate"}
    for name, access, signature in rows:
        yield name, access, \
            "virtual " + signature if "virtual " + signature in virtual else signature


def read_headers(compiler):
    return sorted(set(with_virtual(list(classes(tokens_of(compiler))))))


def read_list(path):
    with open(path, newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["class"], row["access"], row["member"]) for row in rows]


if __name__ == "__main__":  # the list, of the headers that a compiler finds
    print("class\taccess\tmember")
    print("\n".join("\t".join(row) for row in read_headers(sys.argv[1:])))
