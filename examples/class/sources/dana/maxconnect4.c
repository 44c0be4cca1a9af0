/* Legal moves, but chosen without a search: the first open column from a place that depends on the board. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char rows[6][16], player[16];
    unsigned number = 7;
    if (argc != 5) return 2;
    memset(rows, '0', sizeof rows);
    for (int row = 0; row < 6; row++) rows[row][7] = '\0';
    strcpy(player, "1");
    FILE *file = fopen(argv[2], "r");
    if (file) {
        for (int row = 0; row < 6; row++)
            if (fscanf(file, "%15s", rows[row]) != 1 || strspn(rows[row], "012") != 7) return 1;
        if (fscanf(file, "%15s", player) != 1) return 1;
        fclose(file);
    }
    for (int row = 0; row < 6; row++)
        for (int c = 0; c < 7; c++) number = number * 31 + rows[row][c];
    for (int i = 0; i < 7; i++) {
        int c = (number + i) % 7;
        if (rows[0][c] != '0') continue;
        int row = 5;
        while (rows[row][c] != '0') row--;
        rows[row][c] = player[0];
        file = fopen(argv[3], "w");
        for (row = 0; row < 6; row++) fprintf(file, "%s\n", rows[row]);
        fprintf(file, "%s\n", player[0] == '1' ? "2" : "1");
        fclose(file);
        printf("column %d\n", c + 1);
        return 0;
    }
    puts("The board is full.");
    return 0;
}
