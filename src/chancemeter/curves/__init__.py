"""Scores to one 2×2 table for each threshold, and everything that can be read off them."""
