#!/usr/bin/env python3
"""The trainings of trainings.cpp in PyTorch: prints the losses that the program is compared with.

    python3 examples/tensor/trainings.py      needs PyTorch
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
STEPS, SHOWN = 30, (0, 9, 19, 29)
SEGMENTS = ["abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg"]
TEXT = "the quick brown fox jumps over the lazy dog and the dog sleeps on while the fox runs through the forest again "


def wave(sizes, frequency, amplitude):
    values = [amplitude * math.sin(frequency * i + 0.3) for i in range(math.prod(sizes))]
    return torch.tensor(values, dtype=torch.float64).to(torch.float32).reshape(sizes)


def set_waves(model, amplitude):
    with torch.no_grad():
        for number, parameter in enumerate(model.parameters()):
            parameter.copy_(wave(tuple(parameter.shape), 0.37 + 0.11 * number, amplitude))


def digits():
    places = {"a": (1, 4, 3, 12), "g": (7, 4, 9, 12), "d": (12, 4, 14, 12), "f": (2, 4, 9, 6), "b": (2, 10, 9, 12),
              "e": (7, 4, 14, 6), "c": (7, 10, 14, 12)}
    images = torch.zeros(40, 1, 16, 16)
    for n in range(40):
        for segment in SEGMENTS[n % 10]:
            top, left, bottom, right = places[segment]
            images[n, 0, top:bottom, left:right] = 1
    return images + wave((40, 1, 16, 16), 0.77, 0.2), torch.arange(40) % 10


def report(name, losses):
    print(name, ", ".join(f"{losses[i]:.6g}f" for i in SHOWN))


def cnn():
    images, classes = digits()
    model = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(),
                          nn.MaxPool2d(2), nn.Flatten(), nn.Linear(256, 10))
    set_waves(model, 0.15)
    optimizer = torch.optim.Adam(model.parameters(), 0.005)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), classes)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    report("cnn", losses)


class Block(nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.first, self.second = nn.LayerNorm(size), nn.LayerNorm(size)
        self.attention = nn.MultiheadAttention(size, heads, batch_first=True)
        self.network = nn.Sequential(nn.Linear(size, 4 * size), nn.GELU(), nn.Linear(4 * size, size))

    def forward(self, x):
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        normal = self.first(x)
        x = x + self.attention(normal, normal, normal, attn_mask=mask, need_weights=False)[0]
        return x + self.network(self.second(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.characters, self.places = nn.Embedding(27, 32), nn.Embedding(16, 32)
        self.one, self.two = Block(32, 4), Block(32, 4)
        self.norm, self.head = nn.LayerNorm(32), nn.Linear(32, 27)

    def forward(self, codes):
        x = self.characters(codes) + self.places(torch.arange(16))
        return self.head(self.norm(self.two(self.one(x))))


def gpt():
    codes = torch.tensor([0 if c == " " else ord(c) - 96 for c in TEXT])
    seen = torch.stack([codes[i * 11:i * 11 + 16] for i in range(8)])
    following = torch.stack([codes[i * 11 + 1:i * 11 + 17] for i in range(8)])
    model = GPT()
    set_waves(model, 0.1)
    optimizer = torch.optim.AdamW(model.parameters(), 3e-3)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(seen).reshape(128, 27), following.reshape(128))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    report("gpt", losses)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.mean, self.spread = nn.Linear(256, 64), nn.Linear(64, 8), nn.Linear(64, 8)
        self.decoder, self.pixels = nn.Linear(8, 64), nn.Linear(64, 256)

    def forward(self, x, noise):
        hidden = F.silu(self.encoder(x))
        mean, spread = self.mean(hidden), self.spread(hidden)
        latent = mean + torch.exp(0.5 * spread) * noise
        return self.pixels(F.silu(self.decoder(latent))), mean, spread


def vae():
    x = digits()[0].reshape(40, 256).clamp(0, 1)
    model = VAE()
    set_waves(model, 0.1)
    optimizer = torch.optim.Adam(model.parameters(), 0.003)
    losses = []
    for step in range(STEPS):
        pixels, mean, spread = model(x, wave((40, 8), 0.91 + 0.07 * step, 1.4))
        likeness = F.binary_cross_entropy_with_logits(pixels, x, reduction="sum")
        divergence = -0.5 * (1 + spread - mean.pow(2) - spread.exp()).sum()
        loss = (likeness + divergence) / 40
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    report("vae", losses)


if __name__ == "__main__":
    cnn()
    gpt()
    vae()
