"""Models converted to float16."""


def converted(path: str) -> bytes:
    """The model of a file with float16 instead of float32, inputs and outputs too."""
    import onnx
    from onnxconverter_common import float16

    return float16.convert_float_to_float16(onnx.load(path), disable_shape_infer=False).SerializeToString()
