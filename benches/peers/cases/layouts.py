"""Operands that are views: transposed, permuted, strided, reversed, unaligned."""

from ..case import Case
from ..data import Data, Slice, Transpose

T = Transpose((1, 0))
EVEN = Slice((slice(None), slice(None, None, 2)))
EVERY_OTHER = Slice((slice(None, None, 2),))
BACKWARDS = Slice((slice(None, None, -1),))
MIRRORED = Slice((slice(None), slice(None, None, -1)))
SHIFTED = Slice((slice(1, None),))
CUT = Slice((slice(None), slice(0, 1000)))
HWC = Transpose((0, 3, 1, 2))


def _case(title: str, *inputs: Data, op: str = "add") -> Case:
    expression = f"{op}(a)" if len(inputs) == 1 else f"{op}(a, b)"
    return Case("layouts", f"{op}/{inputs[0].dtype}/{title}", expression, inputs)


def cases():
    for dtype, n in (("float32", 2048), ("float32", 128), ("float64", 1024), ("float16", 1024), ("uint8", 2048)):
        x, t = Data((n, n), dtype), Data((n, n), dtype, view=T)
        yield _case(f"a.T + b {n}", t, x)
    x, t = Data((2048, 2048)), Data((2048, 2048), view=T)
    yield _case("a.T + b.T 2048", t, t)
    yield _case("a + b.T 2048", x, t)
    yield _case("abs(a.T) 2048", t, op="abs")
    yield _case("a[:, ::2] + b[:, ::2] 2048", Data((2048, 2048), view=EVEN), Data((2048, 2048), view=EVEN))
    yield _case("a[::2] + b 32768", Data((32768,), view=EVERY_OTHER), Data((16384,)))
    yield _case("a[::-1] + b 16384", Data((16384,), view=BACKWARDS), Data((16384,)))
    yield _case("a[:, ::-1] + b 1024", Data((1024, 1024), view=MIRRORED), Data((1024, 1024)))
    yield _case("a[1:] + b[1:] 16385", Data((16385,), view=SHIFTED), Data((16385,), view=SHIFTED))
    yield _case("a[:, :1000] + b[:, :1000] 1024", Data((1024, 1024), view=CUT), Data((1024, 1024), view=CUT))
    yield _case("nchw + permuted nhwc", Data((8, 64, 56, 56)), Data((8, 56, 56, 64), view=HWC))
    yield _case("rgb planes [3,1080,1920]", Data((1080, 1920, 3), view=Transpose((2, 0, 1))), op="abs")
    yield _case("a.T + row 1024", Data((1024, 1024), view=T), Data((1024,)))
