"""The engine protocols UCI and UGI, by which other programs use this engine: see docs/reference/protocols.md."""
