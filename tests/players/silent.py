"""Writes nothing and prints a word."""

print("thinking")
