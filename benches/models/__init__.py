"""Real models in ONNX Runtime, with and without the eltwise provider. Run as `python benches/models`."""
