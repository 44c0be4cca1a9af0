// The evaluations: heuristic estimates at the depth limit.
//
// Each is a struct with two functions, both from the view of the player who searches:
//   before_full(own, other, own_is_red)   some cell is empty
//   full(own, other, own_is_red)          none is
// They are not all antisymmetric (`table` counts the own points alone), so the search must say whose view it takes.
// `lines` and `windows` count the windows that hold stones of one colour only.
#pragma once

#include <array>

#include "best.hpp"
#include "board.hpp"

namespace maxconnect4 {

// The windows without a stone of `other`, by the number of stones of `own` in them: element k counts those with k.
template <class B>
std::array<int, 5> window_counts(Bits own, Bits other) {
    std::array<int, 5> counts{};
    for (int d : B::directions) {
        const Bits free = B::window_starts(d) & ~(other | other >> d | other >> 2 * d | other >> 3 * d);
        const Sums stones(own, own >> d, own >> 2 * d, own >> 3 * d);
        counts[0] += std::popcount(free & stones.none());
        counts[1] += std::popcount(free & stones.exactly_one());
        counts[2] += std::popcount(free & stones.exactly_two());
        counts[3] += std::popcount(free & stones.exactly_three());
        counts[4] += std::popcount(free & stones.four);
    }
    return counts;
}

// The number of windows through each stone, summed. Each binary digit of the table is a mask of cells, so that a
// population count for each digit gives the sum.
template <class B>
int table_sum(Bits stones) {
    constexpr int count = B::windows_through(B::cell(B::columns / 2, B::rows / 2)) < 16 ? 4 : 5;
    static constexpr auto digits = [] {
        std::array<Bits, count> masks{};
        for (int column = 0; column < B::columns; ++column)
            for (int row = 0; row < B::rows; ++row)
                for (int digit = 0; digit < count; ++digit)
                    if (B::windows_through(B::cell(column, row)) >> digit & 1) masks[digit] |= B::cell(column, row);
        return masks;
    }();
    int sum = 0;
    for (int digit = 0; digit < count; ++digit) sum += std::popcount(stones & digits[digit]) << digit;
    return sum;
}

template <class B>
struct Sign {
    static int before_full(Bits own, Bits other, bool) {
        const int lead = B::margin(own, other);
        return lead > 0 ? 999 : lead < 0 ? -999 : 0;
    }
    static int full(Bits own, Bits other, bool) {
        return 1000 * B::margin(own, other) + 500 * (threes(own) - threes(other));
    }
    static int threes(Bits stones) {
        int count = 0;
        for (int d : B::directions) count += std::popcount(stones & (stones >> d) & (stones >> 2 * d));
        return count;
    }
};

template <class B>
struct Table {
    static int before_full(Bits own, Bits other, bool) {
        return B::points(own) + table_sum<B>(own) - table_sum<B>(other);
    }
    static int full(Bits own, Bits other, bool red) { return before_full(own, other, red); }
};

template <class B>
struct Table138 {
    static int before_full(Bits own, Bits other, bool own_is_red) {
        const int green_minus_red = own_is_red ? table_sum<B>(other) - table_sum<B>(own) : table_sum<B>(own) - table_sum<B>(other);
        return 138 + green_minus_red + 2 * B::points(own) - B::points(other);
    }
    static int full(Bits own, Bits other, bool own_is_red) { return before_full(own, other, own_is_red); }
};

template <class B>
struct Lines {
    static constexpr int large = 1'000'000;  // more than the windows of any board can add up to
    static int before_full(Bits own, Bits other, bool) { return weighed(own, other) - weighed(other, own); }
    static int full(Bits own, Bits other, bool) {
        const int lead = B::margin(own, other);
        return lead > 0 ? large : lead < 0 ? -large : 0;
    }
    static int weighed(Bits own, Bits other) {
        const auto count = window_counts<B>(own, other);
        return 1000 * count[4] + 50 * count[3] + 10 * count[2];
    }
};

template <class B>
struct Windows {
    static int before_full(Bits own, Bits other, bool) {
        const auto ours = window_counts<B>(own, other);
        return weighed(ours) + 5 * ours[0] - weighed(window_counts<B>(other, own));
    }
    static int full(Bits own, Bits other, bool red) { return before_full(own, other, red); }
    static int weighed(const std::array<int, 5>& count) {
        return 100'000 * count[4] + 1000 * count[3] + 100 * count[2] + 10 * count[1];
    }
};

template <class B>
struct Margin {
    static int before_full(Bits own, Bits other, bool) { return B::margin(own, other); }
    static int full(Bits own, Bits other, bool) { return B::margin(own, other); }
};

template <class B>
struct Best {
    static int before_full(Bits own, Bits other, bool own_is_red) {
        return own_is_red ? BestPrediction<B>::for_red(own, other) : -BestPrediction<B>::for_red(other, own);
    }
    static int full(Bits own, Bits other, bool) { return B::margin(own, other); }
};

}  // namespace maxconnect4
