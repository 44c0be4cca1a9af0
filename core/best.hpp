// The evaluation `best`: a prediction of the final margin, in hundredths of a point.
//
// Most of the game is parity. Count the cells of each column from the top: upper, lower, upper, lower, ... The player
// who makes the last move of the game (the *last* player: green if the number of cells is even) can answer every move
// with one on top of it, and so tends to get the upper cells; the *other* player gets the lower ones. An upper cell
// that can be played at once is a *single*: it goes to the player who takes it first.
//
//     value for the other player = 100 x margin on the board + bend(sum, 100 x bound)
//
//   sum    a weight for each window that is still open, by its class: whose it is, upright or not, and how many of its
//          empty cells are lower, upper and single; and one for whose turn it is.
//   bound  the gain of the other player if the last player answers every move in the same column, and both take the
//          singles in turn, as well as they can. It can never gain more, and in two positions of five it gains
//          exactly that; so the sum is bent to stay below.
//
// docs/explanation/evaluations.md has the definition in full, tests/plain_best.py in plain Python.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "best_weights.hpp"
#include "board.hpp"
#include "last_player.hpp"

namespace maxconnect4 {

// The windows and cells of a board that consists of the first columns of B.
//
// A set of windows is a word with a bit for the first cell of each. All the windows that are not upright fit one word if
// the board is small: rising and falling ones start in different rows, and both are moved to the right of the columns in
// which the level ones start. Larger boards take three words.
template <class B, bool Packed>
struct BestWindows {
    static constexpr int words = Packed ? 1 : 3;
    using Set = std::array<Bits, words>;

    static constexpr bool can_pack(int columns) { return 2 * (columns - 3) * B::right <= 64 && B::rows <= 6; }

    Bits cells;
    Bits level, rising, falling;
    int moved;
    Set all;
    std::array<Set, 4> lower_at;  // those whose cell number `step` is a lower one

    constexpr explicit BestWindows(int columns)
        : cells(B::cells_in(columns)), level(B::fours(cells, B::right)), rising(B::fours(cells, B::right + 1)),
          falling(B::fours(cells, B::right - 1)), moved((columns - 3) * B::right), all(set(level, rising, falling)),
          lower_at{with_cell(B::lower_cells, 0), with_cell(B::lower_cells, 1), with_cell(B::lower_cells, 2),
                   with_cell(B::lower_cells, 3)} {}

    // The windows whose cell number `step`, from 0, is one of these.
    constexpr Set with_cell(Bits some, int step) const {
        return set(level & (some >> step * B::right), rising & (some >> step * (B::right + 1)),
                   falling & (some >> step * (B::right - 1)));
    }

   private:
    constexpr Set set(Bits levels, Bits rises, Bits falls) const {
        if constexpr (Packed) return {levels | (rises | falls) << moved};
        else return {levels, rises, falls};
    }
};

template <class B, bool Packed = BestWindows<B, true>::can_pack(B::columns)>
class BestPrediction {
   public:
    using Windows = BestWindows<B, Packed>;

    static int for_red(Bits red, Bits green) {
        constexpr bool red_is_last = B::cells % 2 == 1;
        return red_is_last ? -for_other(green, red) : for_other(red, green);
    }

    // For the player who does not make the last move of the game.
    static int for_other(Bits other, Bits last) { return for_other(whole_board, other, last); }
    static int for_other(const Windows& windows, Bits other, Bits last) {
        return BestPrediction(windows, other, last).for_other();
    }

   private:
    static constexpr Windows whole_board{B::columns};
    static constexpr Bits upright = B::window_starts(1);

    BestPrediction(const Windows& windows, Bits other, Bits last)
        : windows_(windows), other_(other), last_(last), empty_(windows.cells & ~(other | last)),
          playable_(B::landings(other | last) & windows.cells), lower_(empty_ & B::lower_cells),
          singles_(playable_ & B::upper_cells), upper_(empty_ & B::upper_cells & ~singles_),
          last_to_move_(std::popcount(empty_) % 2) {}

    int for_other() const {
        const int on_board = B::margin(other_, last_);
        const int sum = best_weights.tempo[last_to_move_] + windows_across() + upright_windows();
        return 100 * on_board + below_bound(sum, on_board);
    }

    // --- The sum over the windows

    int windows_across() const {
        std::array<typename Windows::Set, 4> others, lasts, playables;
        for (int step = 0; step < 4; ++step) {
            others[step] = windows_.with_cell(other_, step);
            lasts[step] = windows_.with_cell(last_, step);
            playables[step] = windows_.with_cell(playable_, step);
        }
        int sum = 0;
        for (int word = 0; word < Windows::words; ++word) {
            const Bits all = windows_.all[word];
            Bits with_other = 0, with_last = 0, with_playable = 0;
            std::array<Bits, 4> empty, lower, single;
            for (int step = 0; step < 4; ++step) {
                with_other |= others[step][word];
                with_last |= lasts[step][word];
                with_playable |= playables[step][word];
                empty[step] = all & ~(others[step][word] | lasts[step][word]);
                lower[step] = empty[step] & windows_.lower_at[step][word];
                single[step] = playables[step][word] & ~windows_.lower_at[step][word];
            }
            const Bits open_to_other = all & ~with_last, open_to_last = all & ~with_other;
            const Sums e(empty[0], empty[1], empty[2], empty[3]);
            const Sums l(lower[0], lower[1], lower[2], lower[3]);
            const Sums s(single[0], single[1], single[2], single[3]);
            const Bits l0 = l.none(), l1 = l.exactly_one(), l2 = l.exactly_two();
            const Bits s0 = s.none(), s1 = s.exactly_one(), s2 = s.exactly_two();
            const Bits e1 = e.exactly_one(), e2 = e.exactly_two(), e3 = e.exactly_three();
            const Bits one[] = {e1 & s1, e1 & l1 & with_playable, e1 & l1 & ~with_playable, e1 & l0 & s0};
            const Bits two[] = {e2 & l2, e2 & l1 & s0, e2 & l1 & s1, e2 & l0 & s0, e2 & l0 & s1, e2 & s2};
            const Bits three[] = {e3 & l.exactly_three(), e3 & l2 & s0, e3 & l2 & s1, e3 & l1 & s0, e3 & l1 & s1,
                                  e3 & l1 & s2, e3 & l0 & s0, e3 & l0 & s1, e3 & l0 & s2, e3 & s.exactly_three()};
            sum += weigh(one, best_weights.other.one[last_to_move_], best_weights.last.one[last_to_move_],
                         open_to_other, open_to_last);
            sum += weigh(two, best_weights.other.two, best_weights.last.two, open_to_other, open_to_last);
            sum += weigh(three, best_weights.other.three, best_weights.last.three, open_to_other, open_to_last);
            sum += best_weights.four[0] * std::popcount(e.four & l.four);
            sum += best_weights.four[1] * std::popcount(e.four & l2);
            sum += best_weights.four[2] * std::popcount(e.four & l0);
        }
        return sum;
    }

    // The empty cells of an upright window are its top ones.
    int upright_windows() const {
        const Bits open_to_other = B::fours(other_ | empty_, 1), open_to_last = B::fours(last_ | empty_, 1);
        const Bits e1 = (empty_ >> 3) & ~(empty_ >> 2), e2 = (empty_ >> 2) & ~(empty_ >> 1), e3 = (empty_ >> 1) & ~empty_;
        const Bits one[] = {e1 & (singles_ >> 3), e1 & ~(singles_ >> 3)};
        const Bits more[] = {e2, e3};
        return weigh(one, best_weights.other.one[last_to_move_], best_weights.last.one[last_to_move_], open_to_other,
                     open_to_last) +
               weigh(more, best_weights.other.vertical, best_weights.last.vertical, open_to_other, open_to_last) +
               best_weights.four[3] * std::popcount(upright & empty_);
    }

    template <int Count>
    static int weigh(const Bits (&classes)[Count], const int* for_other, const int* for_last, Bits open_to_other,
                     Bits open_to_last) {
        int sum = 0;
        for (int i = 0; i < Count; ++i)
            sum += for_other[i] * std::popcount(classes[i] & open_to_other) +
                   for_last[i] * std::popcount(classes[i] & open_to_last);
        return sum;
    }

    // --- The bound

    // The sum, bent below the bound. With more than five singles there is none.
    int below_bound(int sum, int on_board) const {
        const int count = std::popcount(singles_);
        if (count > 5) return sum;
        // The gain of the other player if it takes these singles.
        const auto gain = [&](Bits taken) {
            return B::margin(other_ | lower_ | taken, last_ | upper_ | (singles_ & ~taken)) - on_board;
        };
        // Each single that it gets can only add to this.
        const int least = gain(0);
        if (count <= 1 || sum <= 100 * least - bend_width) return bend(sum, 100 * least);
        return bend(sum, 100 * singles_in_turn(singles_, count, gain));
    }

    // The smaller of the two, with the corner rounded: a sum near the bound is more often too high than too low.
    static constexpr int bend_width = 100;
    static int bend(int sum, int bound) {
        const int above = sum - bound;
        if (above >= bend_width) return bound;
        if (above <= -bend_width) return sum;
        return bound - (bend_width - above) * (bend_width - above) / (4 * bend_width);
    }

    const Windows& windows_;
    Bits other_, last_, empty_, playable_, lower_, singles_, upper_;
    int last_to_move_;
};

// The prediction for a board of some columns, the first ones of B, for the player who does not make the last move of the
// game. The usual board has an instance of its own.
template <class B>
class Prediction {
   public:
    explicit Prediction(int columns) : packed_(std::min(columns, most_packed)), unpacked_(columns) {
        if constexpr (B::rows <= 6) {
            if (columns <= most_packed) predict_ = [](const Prediction& it, Bits other, Bits last) {
                return BestPrediction<B, true>::for_other(it.packed_, other, last);
            };
        }
        if constexpr (B::rows == 6) {
            if (columns == 7) predict_ = [](const Prediction&, Bits other, Bits last) {
                return BestPrediction<Board<7, 6>>::for_other(other, last);
            };
        }
    }

    int operator()(Bits other, Bits last) const { return predict_(*this, other, last); }

   private:
    static constexpr int most_packed = [] {
        int columns = 3;
        while (columns < B::columns && BestWindows<B, true>::can_pack(columns + 1)) ++columns;
        return columns;
    }();

    BestWindows<B, true> packed_;
    BestWindows<B, false> unpacked_;
    int (*predict_)(const Prediction&, Bits, Bits) = [](const Prediction& it, Bits other, Bits last) {
        return BestPrediction<B, false>::for_other(it.unpacked_, other, last);
    };
};

}  // namespace maxconnect4
