"""Times PyTorch with CUDA on the work of `inkshade bench`, where a machine has both: one NVIDIA card, measured by each.

    python3 torch_cuda.py

Pixels start in memory of the processor and probabilities end there; a training step brings its loss back. float32 throughout,
without the card's tensor cores, as shaders have none. Medians of as many turns as take half a second.
"""
import statistics
import time

import torch
from torch import nn

torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
DEVICE = torch.device("cuda")


def perceptron():
    return nn.Sequential(nn.Flatten(), nn.Linear(784, 800), nn.Tanh(), nn.Linear(800, 10))


def convolutional():
    return nn.Sequential(
        nn.Conv2d(1, 32, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(1024, 128), nn.ReLU(), nn.Linear(128, 10))


def median_ms(do):
    for _ in range(5):
        do()
    times, end = [], time.perf_counter() + 0.5
    while time.perf_counter() < end:
        torch.cuda.synchronize()
        start = time.perf_counter()
        do()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times)


def recognition(net, drawings):
    pixels = torch.rand(drawings, 1, 28, 28)

    def do():
        with torch.no_grad():
            net(pixels.to(DEVICE)).softmax(1).cpu()
    return median_ms(do)


def training(net, samples):
    pixels, labels = torch.rand(samples, 1, 28, 28), torch.randint(10, (samples,))
    optimiser = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    loss_of = nn.CrossEntropyLoss()

    def do():
        optimiser.zero_grad()
        loss = loss_of(net(pixels.to(DEVICE)), labels.to(DEVICE))
        loss.backward()
        optimiser.step()
        loss.item()
    return median_ms(do)


def product(rows):
    a, b = torch.rand(rows, rows, device=DEVICE), torch.rand(rows, rows, device=DEVICE)
    return median_ms(lambda: a @ b)


print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}")
for name, make, sizes, step in (("784-800-10", perceptron, (1, 16, 64, 256, 1024, 4096), 128), ("convolutional", convolutional, (1, 4, 16, 64, 256), 64)):
    net = make().to(DEVICE)
    for n in sizes:
        print(f"{name}, drawings at once: {n}: {recognition(net, n):.4f} ms")
    print(f"{name}, training step, samples: {step}: {training(net, step):.4f} ms")
for rows in (256, 512, 1024, 2048):
    print(f"product, rows: {rows}: {product(rows):.4f} ms")
