#!/usr/bin/env python3
"""What the example sounds.c writes is what its scene does.

    tests/examples/sounds.py PROGRAM

Runs the program and holds its WAV file against its log of impacts (J), rolling (rad/s) and sliding
(m/s): each impact has an onset, a sudden rise of energy, within 10 ms, and no onset is without an
impact; what has more energy is louder; pitch, by the times at which the wave goes through zero,
follows the speed of what rolls and of what slides. Prints `ok NAME` or `not ok NAME`.
"""
import array
import math
import os
import subprocess
import sys
import tempfile
import wave

ALLOWED = 0.010  # s between an impact and its onset
BLOCK = 0.002    # s; onsets are found in such
WINDOW = 0.1     # s, of which a pitch is told
EDGE = 0.05      # s around a window, in which nothing else sounds

failures = 0


def check(good, name, *details):
    global failures
    failures += not good
    print(("ok " if good else "not ok ") + name)
    for detail in details if not good else ():
        print(f"    {detail}")


def read_log(path):
    """Times and strengths by the sound's name."""
    events = {}
    with open(path, encoding="ascii") as lines:
        for time, name, strength in map(str.split, lines):
            events.setdefault(name, []).append((float(time), float(strength)))
    return events


def read_wave(path):
    with wave.open(path, "rb") as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        samples = array.array("h", file.readframes(file.getnframes()))
        if sys.byteorder == "big":
            samples.byteswap()
        return samples, file.getframerate()


def loudness(samples, begin, end):
    part = samples[max(begin, 0):end]
    return math.sqrt(sum(x * x for x in part) / max(len(part), 1))


def find_onsets(samples, rate):
    """Where a block is louder by half than all in the 20 ms before it, and by more than a hum; but
    for the last of them, in which the rise may have begun."""
    size, before = round(rate * BLOCK), round(0.020 / BLOCK)
    blocks = [loudness(samples, i, i + size) for i in range(0, len(samples) - size, size)]
    rises = [i for i, loud in enumerate(blocks)
             if loud > 600 + 1.5 * max(blocks[max(i - before, 0):max(i - 1, 0)], default=0)]
    return [i * BLOCK for i in rises if i - 1 not in rises and i - 2 not in rises]


def check_impacts(samples, rate, impacts):
    onsets = find_onsets(samples, rate)
    check(len(impacts) > 8, "the scene has impacts", impacts)
    missed = [hit for hit in impacts if not any(abs(hit[0] - at) <= ALLOWED for at in onsets)]
    check(not missed, "each impact has an onset within 10 ms", missed, onsets)
    idle = [at for at in onsets if not any(abs(hit[0] - at) <= ALLOWED for hit in impacts)]
    check(not idle, "each onset has an impact", idle)
    loud = [(energy, loudness(samples, round(rate * at), round(rate * (at + 0.02))))
            for at, energy in impacts]
    wrong = [(a, b) for a in loud for b in loud if a[0] > 1.3 * b[0] and a[1] <= 1.05 * b[1]]
    check(not wrong, "more energy is louder", *wrong)


def pitch(samples, rate, begin, end):
    """Hz, by the first and the last of the upward passages through zero."""
    part = samples[round(rate * begin):round(rate * end)]
    ups = [i + a / (a - b) for i, (a, b) in enumerate(zip(part, part[1:])) if a < 0 <= b]
    return (len(ups) - 1) / (ups[-1] - ups[0]) * rate if len(ups) > 2 else 0


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    out = [0] * len(values)
    for rank, i in enumerate(order):
        out[i] = rank
    return out


def rank_correlation(pairs):
    """Spearman's: 1 where the second of the pairs rises whenever the first does."""
    n = len(pairs)
    a, b = ranks([p[0] for p in pairs]), ranks([p[1] for p in pairs])
    return 1 - 6 * sum((x - y) ** 2 for x, y in zip(a, b)) / (n * (n * n - 1))


def check_pitch(samples, rate, events, name):
    mine, others = events[name], [t for other in events if other != name for t, _ in events[other]]
    pairs, begin = [], mine[0][0]
    while begin + WINDOW < mine[-1][0]:
        end = begin + WINDOW
        speeds = [speed for time, speed in mine if begin <= time < end]
        if len(speeds) > 10 and not any(begin - EDGE < t < end + EDGE for t in others):
            pairs.append((sum(speeds) / len(speeds), pitch(samples, rate, begin, end)))
        begin = end
    check(len(pairs) >= 10, f"{name}: there is enough of it", pairs)
    slow, fast = min(pairs), max(pairs)
    check(fast[0] > 2 * slow[0], f"{name}: fast and slow", slow, fast)
    check(rank_correlation(pairs) > 0.95, f"{name}: pitch follows the speed", *pairs)
    check(fast[1] > 1.5 * slow[1], f"{name}: fast is higher than slow", slow, fast)


def main():
    with tempfile.TemporaryDirectory() as place:
        paths = [os.path.join(place, name) for name in ("out.wav", "out.log")]
        subprocess.run([sys.argv[1], *paths], check=True, timeout=120)
        events = read_log(paths[1])
        samples, rate = read_wave(paths[0])
    check_impacts(samples, rate, events["clang"])
    check_pitch(samples, rate, events, "roll")
    check_pitch(samples, rate, events, "slide")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
