#!/usr/bin/env python3
"""Averages the parameters of ONNX files of one network: python3 average.py OUT MODEL SHARE MODEL SHARE ...

The shares add up to 1. All else in OUT, its metadata too, is that of the first model.
"""
import array
import sys

GRAPH, INITIALISER = 7, 5  # fields of a ModelProto and a GraphProto
DIMS, DATA_TYPE, FLOATS, NAME, RAW = 1, 2, 4, 8, 9  # fields of a TensorProto
FLOAT = 1  # a data type


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data, at, end):
    """Number, begin and end of the value of each field of a message."""
    while at < end:
        key, begin = varint(data, at)
        wire = key & 7
        if wire == 0:
            _, at = varint(data, begin)
        elif wire == 2:
            length, begin = varint(data, begin)
            at = begin + length
        else:
            at = begin + (8 if wire == 1 else 4)
        yield key >> 3, begin, at


def within(data, number, begin, end):
    return [(b, e) for n, b, e in fields(data, begin, end) if n == number]


def parameters(data):
    """Begin and end of the values of each float initialiser, by its name and shape."""
    found = {}
    for graph in within(data, GRAPH, 0, len(data)):
        for tensor in within(data, INITIALISER, *graph):
            kind, name, shape, values = 0, b"", b"", None
            for number, begin, end in fields(data, *tensor):
                if number == DATA_TYPE:
                    kind, _ = varint(data, begin)
                elif number == NAME:
                    name = data[begin:end]
                elif number == DIMS:
                    shape += data[begin:end] + b","
                elif number in (FLOATS, RAW):
                    values = begin, end
            if kind == FLOAT:
                found[name, shape] = values
    return found


def numbers(data):
    values = array.array("f", data)
    if sys.byteorder == "big":
        values.byteswap()
    return values


out, models, shares = sys.argv[1:2], sys.argv[2::2], [float(s) for s in sys.argv[3::2]]
if not models or len(models) != len(shares) or abs(sum(shares) - 1) > 1e-9:
    sys.exit(__doc__)
files = []
for model in models:
    with open(model, "rb") as f:
        files.append(f.read())
places = [parameters(data) for data in files]
for model, place in zip(models, places):
    if place.keys() != places[0].keys():
        sys.exit(f"{model} is not of the network of {models[0]}")
result = bytearray(files[0])
for key, (begin, end) in places[0].items():
    parts = [numbers(data[slice(*place[key])]) for data, place in zip(files, places)]
    mean = array.array("f", [sum(s * v for s, v in zip(shares, at)) for at in zip(*parts, strict=True)])
    if sys.byteorder == "big":
        mean.byteswap()
    result[begin:end] = mean.tobytes()
with open(out[0], "wb") as f:
    f.write(result)
