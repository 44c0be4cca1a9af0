"""The games in the frameworks that others work with. Each module needs its framework, and is imported only by name."""
