"""How fast a program is, and how strong: CPU time, nodes and points given away, by depth."""
