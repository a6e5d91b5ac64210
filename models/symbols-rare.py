#!/usr/bin/env python3
"""Writes drawings of rare symbols for the training of models/symbols.onnx: python3 symbols-rare.py DRAWINGS SYMBOLS LETTERS > rare.jsonl

Symbols that LaTeX prints alike share their drawings; those of which nobody drew any are put together of drawings of others, mirrored,
squeezed, or placed beside one another, and small Fraktur letters are plain ones. Those of few drawings are named again.
"""
import collections
import csv
import gzip
import itertools
import json
import sys

ENOUGH = 12  # drawings of a symbol, together with those that are named again


def placed(strokes, left, top, right, bottom):
    """The strokes, moved and stretched into a box."""
    xs, ys = ([p[i] for s in strokes for p in s] for i in (0, 1))
    def scale(v, vs, low, high):
        span = max(vs) - min(vs)
        return (low + high) / 2 if span == 0 else low + (v - min(vs)) * (high - low) / span
    return [[[round(scale(p[0], xs, left, right)), round(scale(p[1], ys, top, bottom))] for p in s] for s in strokes]


def mirrored(strokes):
    return [[[1000 - x, y] for x, y, *_ in s] for s in strokes]


def read(path):
    with gzip.open(path, "rt") as f:
        for line in f:
            yield json.loads(line)


drawn = collections.defaultdict(list)
for d in read(sys.argv[1]):
    drawn[d["label"]].append([[p[:2] for p in s] for s in d["strokes"]])

DASH, COLON, EQUALS = "\\textendash", "\\colon", "="
drawn[EQUALS] = [placed(a, 0, 0, 1000, 40) + placed(b, 0, 400, 1000, 440) for a, b in zip(drawn[DASH], drawn[DASH][1:])]
BOXES = {COLON: (90, 560), DASH: (600, 40), EQUALS: (600, 300), "\\sim": (600, 220), "\\approx": (600, 380)}  # width and height


def beside(*parts):
    """Drawings of the parts from left to right, middles on one line."""
    for strokes in itertools.islice(zip(*(drawn[p][i:] for i, p in enumerate(parts))), ENOUGH):
        x, out = 0, []
        for part, s in zip(parts, strokes):
            width, height = BOXES[part]
            out += placed(s, x, 500 - height / 2, x + width, 500 + height / 2)
            x += width + 110
        yield out


def inside(part):
    return [placed(a, 0, 0, 1000, 1000) + placed(b, 120, 60, 880, 940) for a, b in zip(drawn["\\square"], drawn[part])]


made = {
    "\\Box": drawn["\\square"], "\\Square": drawn["\\square"], "\\Diamond": drawn["\\diamond"], "\\bigsqcap": drawn["\\sqcap"],
    "\\nsucceq": [mirrored(s) for s in drawn["\\npreceq"]],
    "\\CheckedBox": inside("\\checkmark"), "\\XBox": inside("\\times"),
    "\\boxbar": [placed(a, 0, 0, 1000, 1000) + placed(b, 490, 0, 510, 1000) for a, b in zip(drawn["\\square"], drawn["|"])],
    "\\dblcolon": beside(COLON, COLON),
    "\\coloneqq": beside(COLON, EQUALS), "\\Coloneqq": beside(COLON, COLON, EQUALS), "\\coloneq": beside(COLON, DASH),
    "\\eqqcolon": beside(EQUALS, COLON), "\\Eqqcolon": beside(EQUALS, COLON, COLON), "\\eqcolon": beside(DASH, COLON),
    "\\Eqcolon": beside(DASH, COLON, COLON), "\\colonsim": beside(COLON, "\\sim"), "\\Colonsim": beside(COLON, COLON, "\\sim"),
    "\\colonapprox": beside(COLON, "\\approx"), "\\Colonapprox": beside(COLON, COLON, "\\approx"),
}
for corner, bracket in {"\\ulcorner": "\\lceil", "\\urcorner": "\\rceil", "\\llcorner": "\\lfloor", "\\lrcorner": "\\rfloor"}.items():
    made[corner] = [placed(s, 0, 0, 800, 1000) for s in drawn[bracket]]
for d in read(sys.argv[3]):
    made.setdefault("\\mathfrak{%s}" % d["label"], []).append([[p[:2] for p in s] for s in d["strokes"]])

rows = list(csv.DictReader(open(sys.argv[2]), delimiter="\t", quoting=csv.QUOTE_NONE))
for row in rows:
    label, own = row["label"], drawn[row["label"]]
    if len(own) >= ENOUGH:
        continue
    alike = [s for r in rows if r["shape"] == row["shape"] and r is not row for s in drawn[r["label"]]]
    others = alike or ([] if own else list(made.get(label, [])))
    again = (own * ENOUGH)[: 2 * len(own)]
    for strokes in ((again if not alike else []) + others)[: ENOUGH - len(own)]:
        print(json.dumps({"label": label, "strokes": strokes}, separators=(",", ":")))
