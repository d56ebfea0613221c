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
WIDTH, HEIGHT, LEFT, TOP = 330, 250, 60, 56
GLYPH, LINE, DOT = 6.5, 11, 4 # of a letter its width and height, of a point its radius
PLACES = ((6, -4), (6, 12), (-6, -4), (-6, 12), (0, -8), (0, 16)) # of a label, from its point


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


def ticks(values):
    """Powers of ten around all values, none of which lies on the frame."""
    logs = [math.log10(value) for value in values]
    return [10.0 ** power for power in range(math.floor(min(logs) - 0.1),
                                             math.ceil(max(logs) + 0.1) + 1)]


def steps(values):
    """The same of 1, 2, 5, 10 ..."""
    numbers = [digit * 10.0 ** power for power in range(-6, 7) for digit in (1, 2, 5)]
    first = max(i for i, number in enumerate(numbers) if number < 0.95 * min(values))
    last = min(i for i, number in enumerate(numbers) if number > 1.05 * max(values))
    return numbers[first:last + 1]


def along(value, marks, length):
    return length * math.log(value / marks[0]) / math.log(marks[-1] / marks[0])


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def label(x, y, text, taken):
    """Where a label of the point at x, y overlaps least of what is there, and its anchor."""
    best = None
    for dx, dy in PLACES:
        width = GLYPH * len(text)
        left = x + dx - (width if dx < 0 else width / 2 if dx == 0 else 0)
        box = (left, y + dy - LINE, left + width, y + dy)
        hits = sum(overlap(box, other) for other in taken)
        if best is None or hits < best[0]:
            best = (hits, x + dx, y + dy, box, {-1: "end", 0: "middle", 1: "start"}[
                (dx > 0) - (dx < 0)])
    taken.append(best[3])
    return best[1], best[2], best[4]


def panel(rows, number, title, unit, column):
    x0, y0 = LEFT + number * (WIDTH + LEFT), TOP
    middle = f'x="{x0 + WIDTH / 2}" text-anchor="middle"'
    drawn = [(name, count, float(ms), float(values[column]))
             for _, name, count, ms, *values in rows
             if values[column] not in ("flies apart", "-") and float(values[column]) > 0]
    across, up = steps([row[2] for row in drawn]), ticks([row[3] for row in drawn])
    out = [f'<rect x="{x0}" y="{y0}" width="{WIDTH}" height="{HEIGHT}" fill="none" '
           'stroke="#808080"/>',
           f'<text {middle} y="{y0 - 26}" font-weight="bold">{title}</text>',
           f'<text {middle} y="{y0 - 10}">{unit}</text>',
           f'<text {middle} y="{y0 + HEIGHT + 34}">ms a step</text>']
    for mark in up:
        y = y0 + HEIGHT - along(mark, up, HEIGHT)
        out.append(f'<text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end">{mark:g}</text>')
    for mark in across:
        x = x0 + along(mark, across, WIDTH)
        out.append(f'<text x="{x:.1f}" y="{y0 + HEIGHT + 16}" text-anchor="middle">{mark:g}</text>')
    points = [(x0 + along(row[2], across, WIDTH), y0 + HEIGHT - along(row[3], up, HEIGHT), *row)
              for row in drawn]
    taken = [(x - DOT, y - DOT, x + DOT, y + DOT) for x, y, *_ in points]
    for x, y, name, count, *_ in points:
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT}" fill="{COLOURS[name]}"/>')
        tx, ty, anchor = label(x, y, count, taken)
        out.append(f'<text x="{tx:.1f}" y="{ty:.1f}" text-anchor="{anchor}" '
                   f'fill="{COLOURS[name]}">{count}</text>')
    return out


def picture(rows):
    width = 4 * (WIDTH + LEFT) + 20
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{TOP + HEIGHT + 80}" '
           'font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>']
    for i, scene in enumerate(TITLES):
        own = [row for row in rows if row[0] == scene]
        out += panel(own, 2 * i, f"{TITLES[scene]}, largest separation", "mm", 0)
        out += panel(own, 2 * i + 1, f"{TITLES[scene]}, energy lost in a minute",
                     "share of what the load falls", 2)
    for i, (name, colour) in enumerate(COLOURS.items()):
        x, y = LEFT + 200 * i, TOP + HEIGHT + 60
        out.append(f'<circle cx="{x}" cy="{y - 4}" r="{DOT}" fill="{colour}"/>'
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
