"""Expressions of several operators; engines without fusion run one operator after the other."""

from ..case import Case
from ..data import Data

PIXELS = (1080, 1920, 3)
HIDDEN = (8, 128, 3072)
GATE = (512, 11008)


def cases():
    for n in (1024, 16384, 4194304):
        yield Case("fused", f"a*b+c/float32/n={n}", "a * b + c", (Data((n,)),) * 3)
    yield Case("fused", "a*b+c/float16/n=4194304", "a * b + c", (Data((4194304,), "float16"),) * 3)
    yield Case("fused", "a*2+1/float32/n=4194304", "a * 2.0 + 1.0", (Data((4194304,)),))
    yield Case("fused", "relu(a+b)/float32/[8,64,56,56] [64,1,1]", "relu(a + b)", _bias())
    yield Case("fused", "clamp(a*b,-1,1)/float32/n=4194304", "clamp(a * b, -1.0, 1.0)", _two(4194304))
    yield Case("fused", "sqrt(a*a+b*b)/float32/n=4194304", "sqrt(a * a + b * b)", _two(4194304))
    yield Case("fused", "(a-b)*c/float32/[1024,1024] [1024,1] [1024,1]", "(a - b) * c", _rows())
    yield Case("fused", "where(a<b,a,b*2)/float32/n=4194304", "where(a < b, a, b * 2.0)", _two(4194304))
    yield Case("fused", "gelu(a+b)/float32/[8,128,3072] [3072]", "gelu(a + b)", (Data(HIDDEN), Data((3072,))))
    yield Case("fused", "silu(a)*b/float32/[512,11008]", "silu(a) * b", (Data(GATE), Data(GATE)))
    image = (Data(PIXELS, "uint8", "positive"), Data((3,)), Data((3,), values="positive"))
    yield Case("fused", "(u8-mean)/std/float32/[1080,1920,3] [3] [3]", "(cast(a, 'float32') - b) / c", image)


def _two(n: int):
    return Data((n,)), Data((n,))


def _bias():
    return Data((8, 64, 56, 56)), Data((64, 1, 1))


def _rows():
    return Data((1024, 1024)), Data((1024, 1)), Data((1024, 1), values="positive")
