"""The parts of tools/check-structure.py."""
