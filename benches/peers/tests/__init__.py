"""Tests of the harness itself; they need NumPy only."""
