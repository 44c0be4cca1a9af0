"""The engine protocols UCI and UGI: how other people's programs talk to ours. docs/protocols.md says it to them."""
