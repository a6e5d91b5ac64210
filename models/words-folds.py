#!/usr/bin/env python3
"""What strangers of strange tablets lose: python3 words-folds.py DATA FOLDER EPOCHS [INKSHADE]

Trains the network `words` five times on the files of DATA: on all contributors, and four times without a quarter of them. Every sixth writer of
each contributor is left out of all five. Prints what is read wrong of the contributors left out, 30 words of a writer at most, and of the sixth of
the writers, the same words by the network that learned from others of the contributor and by the one that did not. FOLDER keeps what was made.
"""
import gzip
import hashlib
import json
import os
import statistics
import subprocess
import sys

# Contributors of nearly as many words each; ap, ce and hp are sites of several, of which some people wrote for two.
FOLDS = [
    (),
    ("sta",),
    ("ap", "nic", "int", "ugi", "par"),
    ("ce", "phi", "pap", "anj", "huj"),
    ("hp", "kar", "not", "att", "pcl", "dar", "imt", "rim"),
]
FILES = ["words/all", "unipen/digits", "unipen/upper", "unipen/lower", "unipen/symbols"]
MOST = 30  # words of a writer that are read


def kept(writer):
    """Whether nothing of a writer is learned from."""
    return hashlib.sha256(writer.encode()).digest()[0] % 6 == 0


def lines(path):
    with gzip.open(path, "rt", encoding="utf-8") as f:
        for text in f:
            yield json.loads(text)["writer"], text


def write(path, texts):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as f:
        f.writelines(texts)


def trained(number, left):
    """The model of a fold, trained unless FOLDER has it."""
    model, paths = f"{folder}/{number}.onnx", [f"{folder}/{number}/{name}.jsonl.gz" for name in FILES]
    if not os.path.exists(model) or os.path.exists(model + ".training"):
        for path, name in zip(paths, FILES):
            write(path, (text for writer, text in lines(f"{data}/{name}.jsonl.gz") if not kept(writer) and not writer.startswith(left or "-")))
        unfinished = ["--continue"] if os.path.exists(model + ".training") else []
        subprocess.run([inkshade, "train", "--data", *paths, "--network", "words", "--hold-out", "0.1", "--seed", "1", "--epochs", epochs, "--device", "cpu", "--out", model, *unfinished], check=True)
    return model


def wrong(model, path, language):
    """Characters wrong, and all, of the words in a file."""
    done = subprocess.run([inkshade, "eval", "--line", "--model", model, "--ignore-case", "--language", language, "--device", "cpu", "--json", path], check=True, stdout=subprocess.PIPE)
    result = json.loads(done.stdout)
    return result["character_errors"], result["characters"]


def percent(counts):
    return 100 * sum(c[0] for c in counts) / sum(c[1] for c in counts)


def spread(values):
    return f"{statistics.mean(values):.1f} ± {statistics.pstdev(values):.1f}"


if len(sys.argv) < 4:
    sys.exit(__doc__)
data, folder, epochs = sys.argv[1:4]
inkshade = (sys.argv[4:] or ["inkshade"])[0]
words = {}  # of each contributor and side: words of all writers, and of the kept sixth
count = {}
for writer, text in lines(f"{data}/words/all.jsonl.gz"):
    count[writer] = count.get(writer, 0) + 1
    if count[writer] <= MOST:
        words.setdefault((writer[:3], kept(writer)), []).append(text)
for (name, of_sixth), texts in words.items():
    write(f"{folder}/read/{name}-{of_sixth}.jsonl.gz", texts)
models = [trained(i, left) for i, left in enumerate(FOLDS)]
for language in "none", "english":
    strange, left_out, learned = {}, {}, {}
    for i, left in list(enumerate(FOLDS))[1:]:
        fold = []
        for name, of_sixth in sorted(words):
            if name.startswith(left):
                path = f"{folder}/read/{name}-{of_sixth}.jsonl.gz"
                counts = wrong(models[i], path, language)
                fold.append(counts)
                strange.setdefault(name, []).append(counts)
                if of_sixth:
                    left_out[name], learned[name] = counts, wrong(models[0], path, language)
        print(f"{language}: without {', '.join(left)}: {percent(fold):.1f} % of {sum(c[1] for c in fold)} characters wrong", flush=True)
    print(f"{language}: {len(strange)} contributors left out: {spread([percent(c) for c in strange.values()])} %")
    print(f"{language}: the sixth of the writers of {len(learned)} contributors: {spread([percent([c]) for c in learned.values()])} % where others of the contributor were learned from, {percent(learned.values()):.1f} % of all;", end=" ")
    print(f"{spread([percent([c]) for c in left_out.values()])} % where not, {percent(left_out.values()):.1f} % of all")
