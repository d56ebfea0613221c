#!/usr/bin/env python3
"""Public headers as Doxygen wants them, so that they can be written as people want them.

    doxygen_filter.py HEADER

Doxygen runs this on each header and reads what it prints. In the house's headers a plain comment
says what it stands above: the first one speaks of the file, one above a paragraph of declarations
of each of them, one behind a field of that field. Here each becomes a comment of Doxygen's, one
for every declaration it speaks of, and characters that Doxygen takes for commands are escaped.
"""
import re
import sys

SEVERAL = re.compile(r"^( +)((?:const )?\w+) (\*?\w+(?:, \*?\w+)+);( */\*\*<.*?\*/)", re.S | re.M)
LEADING = re.compile(r"/\*.*?\*/\n?", re.S)
SPECIAL = re.compile(r"[\\@&<>#%$]")


def escape(text):
    """Outside backquotes, what Doxygen would take for commands, tags and links."""
    parts = text.split("`")
    parts[::2] = [SPECIAL.sub(lambda match: "\\" + match.group(), part) for part in parts[::2]]
    return "`".join(parts)


def lines_of(comment):
    """The text of a comment above something, without its frame."""
    inner = comment.strip()[2:-2].strip()
    return [re.sub(r"^ \* ?", "", line).rstrip() for line in inner.split("\n")]


def body_of(comment):
    """The same for Doxygen: lines that are set in by four or more are formulas or code."""
    out, inside = [], False
    for line in lines_of(comment):
        code = line.startswith("    ")
        if code != inside:
            out.append("@verbatim" if code else "@endverbatim")
            inside = code
        out.append(line if code else escape(line))
    return "\n".join(out + ["@endverbatim"] * inside)


def declarations(paragraph):
    """Cuts a paragraph into declarations: each ends with a `;` or `}` outside braces."""
    found, current, depth = [], [], 0
    for line in paragraph.split("\n"):
        current.append(line)
        code = re.sub(r"/\*.*?(\*/|$)", "", line)
        depth += code.count("{") - code.count("}")
        if depth == 0 and code.rstrip().endswith((";", "}")):
            found.append("\n".join(current))
            current = []
    return found + ["\n".join(current)] * bool("".join(current).strip())


def trailing(text):
    """Comments behind fields and declarations; one behind several fields goes to each."""
    text = re.sub(r"(?<=[^\s/])( *)/\*(?!\*)(.*?)\*/",
                  lambda match: f"{match.group(1)}/**<{escape(match.group(2))}*/", text, flags=re.S)
    return SEVERAL.sub(lambda match: "\n".join(
        f"{match.group(1)}{match.group(2)} {name};{match.group(4)}"
        for name in match.group(3).split(", ")), text)


def paragraphs(text):
    """Comments at the left edge and paragraphs of other lines, in order."""
    while text:
        match = LEADING.match(text)
        if match:
            yield match.group(), True
        else:
            match = re.match(r"\n+", text) or re.match(r"(?:[^\n]*\{\n.*?^\}[^\n]*\n|[^\n]+\n?)+?"
                                                       r"(?=\n|/\*|\Z)", text, re.S | re.M)
            yield match.group(), False
        text = text[match.end():]


def convert(name, text):
    """The header for Doxygen, and the functions that no comment speaks of."""
    out, comment, bare, first = [], None, [], True
    for piece, is_comment in paragraphs(text):
        if is_comment and first:
            out.append(f"/** @file {name}\n{body_of(piece)[len(name) + 2:]}\n*/\n")
            first = False
        elif is_comment:
            comment = piece
        elif not piece.strip():
            comment = None
            out.append(piece)
        else:
            for declaration in declarations(piece):
                if comment and not declaration.startswith(("#", "LODE_EXTERN")):
                    out.append(f"/** {body_of(comment)}\n*/\n")
                elif not comment and "LODE_API" in declaration and declaration[0] != "#":
                    bare.append(declaration)
                out.append(trailing(declaration) + "\n")
    return "".join(out), bare


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as header:
        text = header.read()
    room = path.split("/")[-2]
    print(convert(f"{room}/" + path.rsplit("/", 1)[-1], text.replace("/* ", f"/* {room}/", 1))[0])


if __name__ == "__main__":
    main()
