"""Pages between guard pages, and which of their bytes belong to an array."""

import ctypes
import mmap

import numpy as np

#: Bytes of memory per array: one page.
PAGE_BYTES = mmap.PAGESIZE
PROT_NONE = 0


class GuardedPage:
    """A page between two guard pages."""

    libc = ctypes.CDLL(None, use_errno=True)

    def __init__(self):
        self.map = mmap.mmap(-1, 3 * PAGE_BYTES)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.map))
        for page in (0, 2):
            if self.libc.mprotect(ctypes.c_void_p(self.address + page * PAGE_BYTES), PAGE_BYTES, PROT_NONE):
                raise OSError(ctypes.get_errno(), "mprotect")
        self.bytes = np.frombuffer(self.map, np.uint8, PAGE_BYTES, PAGE_BYTES)


def page_of(array):
    """The bytes of the page that an array is in, or None."""
    base = array.base if isinstance(array, np.ndarray) else None
    while base is not None and isinstance(base.base, np.ndarray):
        base = base.base
    return base if isinstance(base, np.ndarray) and base.dtype == np.uint8 and base.shape == (PAGE_BYTES,) else None


def elements_per_byte(array):
    """For each byte of the page that an array is in, the number of the array's elements that include it."""
    count = np.zeros(PAGE_BYTES, np.intp)
    first = array.__array_interface__["data"][0] - page_of(array).__array_interface__["data"][0]
    for index in np.ndindex(array.shape):
        at = first + sum(i * s for i, s in zip(index, array.strides))
        count[at : at + array.dtype.itemsize] += 1
    return count
