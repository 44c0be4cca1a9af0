// The weights of `best`, in hundredths of a point. Written by benchmarks/tune_best.py; best.hpp explains them.
#pragma once

namespace maxconnect4 {

// L lower, U upper, S single: the empty cells of a window, in the order of best.hpp.
struct WindowWeights {
    int one[2][4];    // [the last player is to move]: S, L that can be played at once, L that cannot yet, U
    int two[6];       // LL LU LS UU US SS
    int three[10];    // LLL LLU LLS LUU LUS LSS UUU UUS USS SSS
    int vertical[2];  // upright windows with two, with three empty cells
};

struct BestWeights {
    WindowWeights other, last;  // windows of the other player, of the last player
    int four[4];                // wholly empty windows: all lower, half lower, none lower, upright
    int tempo[2];               // [the last player is to move]
};

inline constexpr BestWeights best_weights = {
    {{{57, 68, 72, 27}, {38, 38, 81, 28}},
     {34, 20, 30, 1, 10, 17},
     {6, 18, 21, 10, 14, 18, 6, -4, 4, 9},
     {10, -3}},
    {{{-45, -36, -28, -78}, {-66, -63, -18, -75}},
     {-7, -30, -16, -46, -34, -24},
     {-22, -5, -1, -17, -9, -4, -23, -23, -13, -3},
     {-15, -5}},
    {-15, 11, -10, -3},
    {99, -31}};

}  // namespace maxconnect4
