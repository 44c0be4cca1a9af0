"""Makes its move and prints more than anybody reads."""

from honest import position_after_move, write

for number in range(20_000):
    print("thought number", number)
write(position_after_move())
