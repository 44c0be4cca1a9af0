"""Makes its move and goes on writing the output file."""

from honest import OUTPUT, position_after_move, write

write(position_after_move())
with open(OUTPUT, "a") as file:
    while True:
        file.write("0000000\n" * 10_000)
