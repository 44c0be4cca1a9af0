"""Environments of both games for machine learning frameworks. Each module requires its framework."""
