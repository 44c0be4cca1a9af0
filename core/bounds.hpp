// What each player can make sure of, without any search. docs/solving.md proves it in words.
//
// Count the cells of each column from the top: upper, lower, upper, lower, ... An empty lower cell and the upper one
// above it are a *pair*. An upper cell that can be played at once is a *single*. The *last* player is the one who makes
// the last move of the game; the other one is to move whenever the number of empty cells is even.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "board.hpp"

namespace maxconnect4 {

template <class B>
struct Pairing {
    static constexpr Bits lower_cells = [] {
        Bits cells = 0;
        for (int row = B::rows - 2; row >= 0; row -= 2) cells |= B::row_mask(row);
        return cells;
    }();
};

// The most that the other player can gain on the last one from here, if the last player answers every drop with one on
// top of it, and a single with a single.
template <class B>
int follow_up_bound(Bits other, Bits last, Bits empty, Bits playable) {
    const Bits lower = empty & Pairing<B>::lower_cells;
    const Bits singles = playable & ~Pairing<B>::lower_cells;
    const Bits with_lower = other | lower, with_upper = last | (empty & ~lower & ~singles);
    const int on_board = B::points(other) - B::points(last);
    const auto gain = [&](Bits taken) {
        return B::points(with_lower | taken) - B::points(with_upper | (singles & ~taken)) - on_board;
    };
    const int count = std::popcount(singles);
    if (count <= 1) return gain(0);
    std::array<Bits, B::columns> single;
    for (Bits rest = singles, i = 0; rest != 0; rest &= rest - 1) single[i++] = rest & -rest;
    if (count == 2) return std::max(gain(single[0]), gain(single[1]));
    const auto middle = [](int a, int b, int c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); };
    if (count == 3) return middle(gain(single[0]), gain(single[1]), gain(single[2]));
    if (count <= 5) {
        std::array<std::array<int, 5>, 5> pair{};
        for (int a = 0; a < count; ++a)
            for (int b = a + 1; b < count; ++b) pair[a][b] = gain(single[a] | single[b]);
        // Of four, the other player takes one, the last player one, and then the better one of two. Two drops that
        // share no single are the two ways that one coupling of the four can end; it gets the second best coupling.
        const auto of_four = [&](int a, int b, int c, int d) {
            return middle(std::max(pair[a][b], pair[c][d]), std::max(pair[a][c], pair[b][d]),
                          std::max(pair[a][d], pair[b][c]));
        };
        int bound = of_four(0, 1, 2, 3);
        if (count == 5)  // the last player takes one first, the one that leaves the worst four
            bound = std::min({bound, of_four(0, 1, 2, 4), of_four(0, 1, 3, 4), of_four(0, 2, 3, 4), of_four(1, 2, 3, 4)});
        return bound;
    }
    // More of them: the last player takes the first one, if it is to move, and couples up the others as they stand.
    const int first = count % 2;
    int bound = -1000;
    for (unsigned choice = 0; choice < 1u << count / 2; ++choice) {
        Bits taken = 0;
        for (int couple = 0; couple < count / 2; ++couple) taken |= single[first + 2 * couple + (choice >> couple & 1)];
        bound = std::max(bound, gain(taken));
    }
    return bound;
}

// The least that the other player gains on the last one from here, if it makes sure of a cell of every pair, and of
// every second single. Each line that the last player could still complete is charged to one of its empty cells, each
// one that the other player lacks a single cell of to that cell; a pair saves what both its cells are charged with.
template <class B>
int splitting_bound(Bits other, Bits last, Bits empty, Bits playable, bool other_to_move) {
    const Bits pairs = empty & Pairing<B>::lower_cells;
    const Bits singles = playable & ~Pairing<B>::lower_cells;
    Bits once = 0, twice = 0;
    const auto charge = [&](Bits cells) {
        twice |= once & cells;
        once |= cells;
    };
    int open = 0;
    const Bits reach = last | empty;
    for (int d : B::directions) {
        Bits lines = reach & (reach >> d);
        lines &= lines >> 2 * d;
        const Bits fours = last & (last >> d);
        lines &= ~(fours & (fours >> 2 * d));
        if (d == 1) lines &= ~(pairs | (pairs >> 1) | (pairs >> 2));  // an upright line that needs a whole pair
        open += std::popcount(lines);
        for (int step = 3; step >= 0; --step) {
            const Bits here = lines & (empty >> step * d);
            lines &= ~here;
            charge(here << step * d);
        }
        const Bits a = other & (other >> d), b = a >> 2 * d;
        charge((a & (other >> 2 * d) & (empty >> 3 * d)) << 3 * d);
        charge((a & (other >> 3 * d) & (empty >> 2 * d)) << 2 * d);
        charge((b & other & (empty >> d)) << d);
        charge(b & (other >> d) & empty);
    }
    const int turn = other_to_move ? 1 : 0;
    return std::popcount(once & (once >> 1) & pairs) + std::popcount(twice & (twice >> 1) & pairs) +
           (std::popcount(once & singles) + turn) / 2 + (std::popcount(twice & singles) + turn) / 2 - open;
}

}  // namespace maxconnect4
