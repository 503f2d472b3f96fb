"""Comparison of eltwise with other engines; see README.md."""
