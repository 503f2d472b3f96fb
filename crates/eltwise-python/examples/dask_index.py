#!/usr/bin/env python3
"""Computes a vegetation index over an image in chunks, on a cluster of local processes.

usage: dask_index.py FOLDER [--rows N] [--columns N] [--memory BYTES]
The image has two bands of uint16, red and near infrared, in FOLDER/red and FOLDER/infrared: stacks of .npy files, which are made of
random numbers if they are not there. The index is written to FOLDER/index in the same way. With the default sizes the image has
1.6 GB and the index 1.6 GB, and each of the two workers may use 512 MiB.
"""

import argparse
from pathlib import Path

import dask.array as da
import eltwise
from distributed import Client, LocalCluster

# The enhanced vegetation index with two bands: Jiang et al., "Development of a two-band enhanced vegetation index without a
# blue band" (2008). The bands hold reflectance times 10,000.
EVI2 = eltwise.compile("""
    r = cast(red, float32) / 10000;
    n = cast(infrared, float32) / 10000;
    clip(2.5 * (n - r) / (n + 2.4 * r + 1), -1, 1)
""")


def band(path, rows, columns):
    """A band of the image, as a dask array with chunks of 500 rows."""
    if not path.is_dir():
        random = da.random.default_rng(sum(path.name.encode()))
        made = random.integers(200, 6000, (rows, columns), dtype="uint16", chunks=(500, columns))
        da.to_npy_stack(path, made)
    found = da.from_npy_stack(path)
    if found.shape != (rows, columns):
        raise SystemExit(f"error: {path} has {found.shape}, not {(rows, columns)}: give another folder, or --rows and --columns")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=20_000, metavar="N", help="default: %(default)s")
    parser.add_argument("--columns", type=int, default=20_000, metavar="N", help="default: %(default)s")
    parser.add_argument("--memory", default="512MiB", metavar="BYTES", help="limit of a worker (default: %(default)s)")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with (
        LocalCluster(n_workers=2, threads_per_worker=2, memory_limit=options.memory, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        red, infrared = (band(options.folder / name, options.rows, options.columns) for name in ("red", "infrared"))
        # One task for each chunk computes the whole expression, without temporary arrays.
        da.to_npy_stack(options.folder / "index", EVI2(red, infrared))
        index = da.from_npy_stack(options.folder / "index")
        green = (index > 0.4).mean()
        print(f"{index.shape[0]} x {index.shape[1]} pixels, {100 * green.compute():.1f} % with an index above 0.4")


if __name__ == "__main__":
    main()
