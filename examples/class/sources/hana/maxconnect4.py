# A program for Python 2: the first open column from the centre.
import sys

rows = [list(line) for line in open(sys.argv[2]).read().split()[:6]]
player = open(sys.argv[2]).read().split()[6]
for c in (3, 2, 4, 1, 5, 0, 6):
    for row in xrange(5, -1, -1):
        if rows[row][c] == "0":
            rows[row][c] = player
            output = open(sys.argv[3], "w")
            print >> output, "\n".join("".join(row) for row in rows)
            print >> output, "2" if player == "1" else "1"
            print "column", c + 1
            sys.exit(0)
print "The board is full."
