#!/usr/bin/env python3
"""Writes the arrays of examples/data: a photograph as u8 [height, width, 3], and ImageNet's mean and standard deviation.

usage: python tools/make_example_data.py

Needs `pip install numpy pillow scikit-image==0.26.0`; scikit-image's wheel contains the photograph. The files are
reproducible.
"""

import hashlib
import importlib.util
from pathlib import Path

import numpy as np
from PIL import Image

PHOTO_SHA256 = "88431cd9653ccd539741b555fb0a46b61558b301d4110412b5bc28b5e3ea6cb5"
# ImageNet's channel statistics in [0, 1], as vision libraries use them; the photograph is in [0, 255].
MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)


def photo() -> np.ndarray:
    """The astronaut as u8 [512, 512, 3], from the installed scikit-image."""
    package = Path(importlib.util.find_spec("skimage").origin).parent
    path = package / "data" / "astronaut.png"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != PHOTO_SHA256:
        raise SystemExit(f"{path} has sha256 {digest}, expected {PHOTO_SHA256}")
    return np.asarray(Image.open(path).convert("RGB"))


def main() -> None:
    out = Path(__file__).resolve().parent.parent / "examples" / "data"
    out.mkdir(parents=True, exist_ok=True)
    np.save(out / "astronaut.npy", np.ascontiguousarray(photo()))
    np.save(out / "mean.npy", np.array([255 * m for m in MEAN], np.float32))
    np.save(out / "std.npy", np.array([255 * s for s in STD], np.float32))
    for name in ("astronaut", "mean", "std"):
        a = np.load(out / f"{name}.npy")
        print(f"{name}.npy  {a.dtype}{list(a.shape)}  {a.nbytes} bytes")


if __name__ == "__main__":
    main()
