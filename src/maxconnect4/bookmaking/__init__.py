"""How an opening book is made: the deepest layer solved, on this machine or on many, and the others derived from it."""
