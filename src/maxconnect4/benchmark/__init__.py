"""Benchmarks of players: CPU time, nodes and regret by depth."""
