#!/usr/bin/env python3
"""Writes a typical drawing of symbols that have no sign in Unicode, for the font of symbols: python3 symbols-typical.py DRAWINGS SYMBOLS > typical.jsonl

It is the mean of the half of a symbol's drawings that are nearest to the one in their midst, of as many strokes as most have. Strokes are
brought into the order and direction of that one first. Of a single drawing there is no mean, and nothing is written.
"""
import collections
import csv
import gzip
import itertools
import json
import math
import sys

POINTS = 24  # of a stroke, as far apart


def spaced(stroke):
    """POINTS points on the path of a stroke."""
    way = [0.0]
    for a, b in itertools.pairwise(stroke):
        way.append(way[-1] + math.dist(a, b))
    out, at = [], 1
    for i in range(POINTS):
        want = way[-1] * i / (POINTS - 1)
        while at < len(way) - 1 and way[at] < want:
            at += 1
        if len(way) == 1 or way[at] == way[at - 1]:
            out.append(stroke[min(at, len(stroke) - 1)])
            continue
        part = (want - way[at - 1]) / (way[at] - way[at - 1])
        out.append([a + part * (b - a) for a, b in zip(stroke[at - 1], stroke[at])])
    return out


def normal(strokes):
    """The strokes in a box of 1 by 1 or less around 0, 0."""
    strokes = [spaced([p[:2] for p in s]) for s in strokes]
    ends = [(min(v), max(v)) for v in ([p[i] for s in strokes for p in s] for i in (0, 1))]
    size = max(high - low for low, high in ends) or 1
    return [[[(v - (low + high) / 2) / size for v, (low, high) in zip(p, ends)] for p in s] for s in strokes]


def distance(a, b):
    return sum(math.dist(p, q) ** 2 for s, t in zip(a, b) for p, q in zip(s, t))


def alike(strokes, model):
    """The strokes in the order and directions in which they are nearest to the model's."""
    def turned(s, t):
        return min(s, s[::-1], key=lambda u: distance([u], [t]))
    return min(([turned(s, t) for s, t in zip(order, model)] for order in itertools.permutations(strokes)), key=lambda k: distance(k, model))


def typical(drawings):
    count = collections.Counter(len(d) for d in drawings).most_common(1)[0][0]
    drawings = [normal(d) for d in drawings if len(d) == count]
    if len(drawings) < 2:
        return None
    middle = min(drawings, key=lambda m: sorted(distance(alike(d, m), m) for d in drawings)[len(drawings) // 2])
    near = sorted((alike(d, middle) for d in drawings), key=lambda d: distance(d, middle))[: max(2, (len(drawings) + 1) // 2)]
    return [[[round(1000 * sum(v) / len(near)) for v in zip(*points)] for points in zip(*strokes)] for strokes in zip(*near)]


drawn = collections.defaultdict(list)
with gzip.open(sys.argv[1], "rt") as f:
    for line in f:
        d = json.loads(line)
        drawn[d["label"]].append(d["strokes"])
with open(sys.argv[2], encoding="utf-8") as f:
    for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE):
        mean = typical(drawn[row["label"]]) if not row["sign"] and drawn[row["label"]] else None
        if mean:
            print(json.dumps({"label": row["label"], "strokes": mean}, separators=(",", ":")))
