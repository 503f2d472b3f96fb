"""Broadcast operands: rows, columns, channels, pixels, masks, outer products, short periods."""

from .make import broadcast

IMAGE = (1080, 1920, 3)


def cases():
    yield from _rows_and_columns()
    yield from _channels()
    yield from _short_inner()
    yield from _both()
    yield from _other_operators()


def _rows_and_columns():
    big = (1024, 1024)
    for op in ("add", "multiply", "maximum", "less", "equal"):
        yield broadcast(op, "float32", "row", big, (1024,))
        yield broadcast(op, "float32", "column", big, (1024, 1))
        yield broadcast(op, "float32", "scalar", big, (1,))
    yield broadcast("add", "float32", "small row", (64, 64), (64,))
    yield broadcast("add", "float32", "small column", (64, 64), (64, 1))
    yield broadcast("subtract", "float32", "row first", (1024,), big)
    yield broadcast("divide", "float32", "column first", (1024, 1), big)
    yield broadcast("add", "float32", "long column", (1000, 10000), (1000, 1))
    yield broadcast("add", "float16", "row", big, (1024,))
    yield broadcast("add", "bfloat16", "row", big, (1024,))
    yield broadcast("add", "float64", "column", big, (1024, 1))


def _channels():
    for op in ("add", "multiply"):
        yield broadcast(op, "float32", "nchw", (8, 64, 56, 56), (64, 1, 1))
        yield broadcast(op, "float32", "nhwc", (8, 56, 56, 64), (64,))
    for side in (1, 2, 3, 7):
        yield broadcast("multiply", "float32", f"nchw {side}x{side}", (32, 512, side, side), (512, 1, 1))
    yield broadcast("add", "float32", "nchw 7x7", (32, 512, 7, 7), (512, 1, 1))
    yield broadcast("add", "float32", "rgb", IMAGE, (3,))
    yield broadcast("multiply", "float32", "rgb", (1, 224, 224, 3), (3,))
    yield broadcast("add", "float32", "points", (100000, 3), (3,))
    yield broadcast("add", "uint8", "rgb", IMAGE, (3,))
    yield broadcast("equal", "uint8", "rgb", (500, 500, 3), (3,))
    yield broadcast("add", "float16", "rgb", IMAGE, (3,))


def _short_inner():
    for period in (2, 3, 5, 7, 8, 12, 16, 17, 31, 33):
        yield broadcast("add", "float32", f"period {period}", (4096, period), (period,))
    for columns in (2, 3, 5, 8, 16, 17):
        yield broadcast("multiply", "float32", f"short column {columns}", (100000, columns), (100000, 1))
    yield broadcast("add", "float32", "tail 1", (300000, 2), (300000, 1))
    for inner in (2, 8, 32, 128):
        yield broadcast("subtract", "float32", f"pairs {inner}", (1, 32, 32, inner), (1024, 1, 1, inner))
    yield broadcast("add", "float32", "inner 5", (2000, 1, 5), (1, 40, 5))
    yield broadcast("add", "float32", "alternating", (64, 1, 64, 1, 8), (1, 16, 1, 8, 8))


def _both():
    for s, n in ((3, 1024), (64, 64), (1024, 3), (1024, 1024), (2048, 2048)):
        yield broadcast("multiply", "float32", "outer", (s, 1), (1, n))
    yield broadcast("multiply", "float32", "outer middle", (2, 1024, 512), (1, 1024, 1))
    yield broadcast("add", "float32", "both", (256, 1, 64), (1, 256, 1))
    yield broadcast("less", "float32", "outer", (1024, 1), (1, 1024))


def _other_operators():
    yield broadcast("add", "float32", "mask", (8, 12, 128, 128), (8, 1, 1, 128))
    yield broadcast("add", "float32", "mask rows", (8, 12, 128, 128), (8, 1, 128, 1))
    yield broadcast("where", "float32", "causal", (1, 1, 128, 128), (8, 12, 128, 128), (1,))
    yield broadcast("where", "float32", "mask row", (1024,), (1024, 1024), (1024, 1024))
    yield broadcast("where", "float32", "mask column", (1024, 1), (1024, 1024), (1024, 1024))
    yield broadcast("where", "float32", "channels", (2, 64, 56, 56), (1, 64, 1, 1), (1, 64, 1, 1))
    yield broadcast("divide", "int64", "scalar first", (1,), (16, 32))
    yield broadcast("divide", "int32", "by a scalar", (16384,), (1,))
    yield broadcast("floor_divide", "int32", "by a scalar", (16384,), (1,))
    yield broadcast("remainder", "int32", "by a scalar", (16384,), (1,))
