#!/usr/bin/env python3
"""Times an expression over dask arrays on a local cluster, compiled by eltwise and of dask's own functions.

usage: dask_cluster.py [--size N] [--chunk N] [--rounds N]
Prints the best and the median time of each, and their ratios, for results that stay on the workers and for their sum. The results
are compared first. Needs eltwise, dask and distributed.
"""

import argparse
import statistics
import time

import dask.array as da
import eltwise
from distributed import Client, LocalCluster, wait

TEXT = "(0.5 - x)**2 + 0.8*(y - x**2)**2"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=4000, metavar="N", help="rows and columns of float64 (default: %(default)s)")
    parser.add_argument("--chunk", type=int, default=1000, metavar="N", help="rows and columns of a chunk (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="runs of each (default: %(default)s)")
    options = parser.parse_args()
    with (
        LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        shape, chunks = (options.size, options.size), options.chunk
        x, y = client.persist([da.random.default_rng(seed).standard_normal(shape, chunks=chunks) for seed in (1, 2)])
        wait([x, y])
        ours, dasks = eltwise.compile(TEXT)(x, y), (0.5 - x) ** 2 + 0.8 * (y - x**2) ** 2
        if not da.allclose(ours, dasks, rtol=1e-13, atol=1e-14).compute():
            raise SystemExit("error: the results differ")

        def persist(array):
            wait(client.persist(array))

        def total(array):
            array.sum().compute()

        for name, run in [("persist", persist), ("sum", total)]:
            times = {"eltwise": [], "dask": []}
            for _ in range(options.rounds):
                for who, array in [("eltwise", ours), ("dask", dasks)]:
                    start = time.perf_counter()
                    run(array)
                    times[who].append(time.perf_counter() - start)
            line = [f"{name:8}"]
            for of, reduce in [("best", min), ("median", statistics.median)]:
                mine, theirs = (1e3 * reduce(times[who]) for who in ("eltwise", "dask"))
                line.append(f"{of}: eltwise {mine:6.1f} ms, dask {theirs:6.1f} ms, ratio {mine / theirs:.2f}")
            print("  ".join(line))


if __name__ == "__main__":
    main()
