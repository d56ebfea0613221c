#!/usr/bin/env python3
"""Writes what `lode-bench --frontier` measures into docs/fidelity.md, and draws docs/frontier.svg.

    tools/frontier_docs.py LODE_BENCH

The table lies behind the mark <!-- frontier -->. Points that fly apart are not drawn.
"""
import math
import pathlib
import re
import subprocess
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
COLOURS = {"soft step, as ever": "#d08020", "soft step, not stretching": "#1060c0",
           "direct, as ever": "#a0a0a0", "direct, not stretching": "#109060",
           "libode, QuickStep": "#b02030"}
TITLES = {"chain": "100 : 1", "chain_1000": "1,000 : 1"}
ROW = re.compile(r"(\S.*?) +(\d+) +([\d.]+) +(flies apart|[\d.e+]+) +(\S+) +(\S+)$")
WIDTH, HEIGHT, LEFT, TOP = 330, 250, 60, 40


def measure(program):
    rows, scene = [], None
    for line in subprocess.run([program, "--frontier"], capture_output=True, text=True,
                               check=True).stdout.splitlines():
        if head := re.match(r"(\w+): ", line):
            scene = head[1]
        elif row := ROW.match(line):
            rows.append((scene, *row.groups()))
    return rows


def table(rows):
    lines = ["| | sub-steps | ms a step | apart, mm | energy won | lost |", "| --- " * 6 + "|"]
    for scene, name, steps, ms, apart, won, lost in rows:
        lines.append(f"| {TITLES[scene]}, {name} | {steps} | {ms} | {apart} | {won} | {lost} |")
    return "\n".join(lines)


def axis(value, least, most, length):
    share = (math.log10(value) - math.log10(least)) / (math.log10(most) - math.log10(least))
    return length * min(max(share, 0), 1)


def panel(rows, number, title, column, least, most, unit):
    x0, y0 = LEFT + number * (WIDTH + LEFT), TOP
    middle = f'x="{x0 + WIDTH / 2}" text-anchor="middle"'
    out = [f'<rect x="{x0}" y="{y0}" width="{WIDTH}" height="{HEIGHT}" fill="none" '
           'stroke="#808080"/>',
           f'<text {middle} y="{y0 - 10}">{title}</text>',
           f'<text {middle} y="{y0 + HEIGHT + 34}">ms a step</text>']
    for power in range(round(math.log10(least)), round(math.log10(most)) + 1):
        y = y0 + HEIGHT - axis(10.0 ** power, least, most, HEIGHT)
        out.append(f'<text x="{x0 - 6}" y="{y + 4}" text-anchor="end">{10.0 ** power:g}</text>')
    for ms in (0.01, 0.02, 0.05, 0.1, 0.2):
        x = x0 + axis(ms, 0.01, 0.2, WIDTH)
        out.append(f'<text x="{x}" y="{y0 + HEIGHT + 16}" text-anchor="middle">{ms:g}</text>')
    out.append(f'<text x="{x0 + 6}" y="{y0 + 14}">{unit}</text>')
    for scene, name, steps, ms, *values in rows:
        if values[column] in ("flies apart", "-") or float(values[column]) <= 0:
            continue
        x = x0 + axis(float(ms), 0.01, 0.2, WIDTH)
        y = y0 + HEIGHT - axis(float(values[column]), least, most, HEIGHT)
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{COLOURS[name]}"/>'
                   f'<text x="{x + 6:.1f}" y="{y - 4:.1f}">{steps}</text>')
    return out


def picture(rows):
    width = 4 * (WIDTH + LEFT) + 20
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT + 120}" '
           'font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>']
    for i, scene in enumerate(TITLES):
        own = [row for row in rows if row[0] == scene]
        out += panel(own, 2 * i, f"{TITLES[scene]}, largest separation", 0, 1e-3, 1e6, "mm")
        out += panel(own, 2 * i + 1, f"{TITLES[scene]}, energy lost in a minute", 2, 1e-2, 1e2,
                     "share of what the load falls")
    for i, (name, colour) in enumerate(COLOURS.items()):
        x, y = LEFT + 200 * i, TOP + HEIGHT + 60
        out.append(f'<circle cx="{x}" cy="{y - 4}" r="4" fill="{colour}"/>'
                   f'<text x="{x + 8}" y="{y}">{name}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    rows = measure(sys.argv[1])
    page = DOCS / "fidelity.md"
    text = page.read_text()
    page.write_text(re.sub(r"(<!-- frontier -->\n)(\|.*\n)*",
                           lambda mark: mark[1] + table(rows) + "\n", text))
    (DOCS / "frontier.svg").write_text(picture(rows))


main()
