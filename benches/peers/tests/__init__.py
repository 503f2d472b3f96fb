"""Tests of this program; they need NumPy only."""
