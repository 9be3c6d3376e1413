"""Benchmarks a person can run: `make bench`."""
