#!/usr/bin/env python3
"""Writes what models/embedding.onnx was trained with, beside Chinese characters, into this folder: python3 embedding-turned.py DATA

Drawings of classes and by people that are kept for measuring are left out. Symbols are turned by quarters and mirrored, and each of
the seven new forms is a class of its own.
"""
import gzip
import json
import random
import re
import sys

HELD_WRITERS = re.compile(
    r"^(aga-09|apa-0[19]|apb-(01|02|16|24|27|31|35|38)|app-(04|09|11|14)|cea-06|ceb-03|ced-(14|17|18|19|26|27|32|34|41)|gmd-02"
    r"|ibm-(02|05|07|08|12)|imp-(01|22|27)|kai-0[478]|lav-03|lou-01|mot-0[18]|sie-02|syn-(05|09|11)"
    r"|tos-(01|07|08|13|19|23|39|40|48|49|50|53))$")
HELD_SYMBOLS = re.compile(
    r"^\\(Ankh|Leftrightarrow|Mobilefone|P|Pi|Re|between|circleddash|curvearrowleft|flat|geqq|gtreqless|gtrless|gtrsim|iota|ldotp"
    r"|mathcal\{[IMZ]\}|mathfrak\{N\}|mho|nexists|nless|nu|quotesinglbase|rbag|rightleftharpoons \(amssymb\)|sun|textctt|textlptr"
    r"|textltailm|textmusicalnote|textrangle|textrevepsilon|textsca|textschwa|textscn|uparrow|upvarsigma|varphi)$")
HELD_ALPHABETS = ("Balinese", "Early_Aramaic")
FORMS = [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0), (-1, 0, 0, 1), (0, 1, 1, 0), (1, 0, 0, -1), (0, -1, -1, 0)]
CHARACTERS = 60  # drawings of each character that are turned

data = sys.argv[1]


def read(name):
    with gzip.open(f"{data}/{name}", "rt") as f:
        yield from map(json.loads, f)


def write(out, drawing, k, always=False):
    a, b, c, d = FORMS[k]
    strokes = [[[round(p[0] * a + p[1] * b, 2), round(p[0] * c + p[1] * d, 2)] for p in s] for s in drawing["strokes"]]
    label = drawing["label"] + (f"/{k}" if k or always else "")
    print(json.dumps({"label": label, "strokes": strokes}, ensure_ascii=False), file=out)


characters = [d for name in ("digits", "upper", "lower", "symbols") for d in read(f"unipen/{name}.jsonl.gz")
              if not d.get("context") and not HELD_WRITERS.match(d["writer"])]
symbols = [d for d in read("symbols/drawings.jsonl.gz") if not HELD_SYMBOLS.match(d["label"])]
for k in range(8):
    shuffled = list(characters)
    if k > 0:
        random.Random(k).shuffle(shuffled)
    with open(f"symbols{k}.jsonl", "w") as out:
        for d in symbols:
            write(out, d, k)
    with open(f"unipen{k}.jsonl", "w") as out:
        seen = {}
        for d in shuffled:
            seen[d["label"]] = seen.get(d["label"], 0) + 1
            if k == 0 or seen[d["label"]] <= CHARACTERS:
                write(out, d, k)
with open("omniglot.jsonl", "w") as out:
    for d in read("omniglot/strokes.jsonl.gz"):
        if not d["label"].startswith(HELD_ALPHABETS):
            for k in range(8):
                write(out, d, k, always=True)
