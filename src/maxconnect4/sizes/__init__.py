"""The empty board of every size, solved: which sizes there are, a file of results, and a map of them."""
