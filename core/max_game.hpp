// Max-Connect4, for the solver. Values are future margins.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "endings.hpp"
#include "game.hpp"
#include "last_player.hpp"
#include "max_search.hpp"
#include "running_up.hpp"

namespace maxconnect4 {

template <class B>
class MaxGame final : public Game {
   public:
    int first_table_size() const override { return 14; }
    std::uint64_t nodes_before_growth(std::size_t entries) const override { return entries / 2; }

    explicit MaxGame(int columns) : columns_(columns), endings_(columns) {}

    std::unique_ptr<Search> new_search(SharedTranspositionTable& table, SharedSearch& shared) const override {
        return std::make_unique<MaxSearch<B>>(columns_, endings_, table, shared);
    }

    int on_board(Sides position) const override { return B::margin(position.mine, position.theirs); }
    int gain(Sides position, Bits landing) const override { return B::made(position.mine, landing); }
    std::optional<int> end(Sides, int left) const override { return left == 0 ? std::optional(0) : std::nullopt; }
    Range range(int) const override { return {-B::windows, B::windows}; }

    int next_alpha(Range range, int guess, int) const override {
        const int around = std::clamp(guess, range.low, range.high);
        return std::min(around == range.low ? around : around - 1, range.high - 1);
    }

    // Each bound on its own.
    StaticBounds bounds(Sides root, Bits empty, Bits playable) const override {
        const bool last_to_move = std::popcount(empty) % 2 == 1;
        const Bits other = last_to_move ? root.theirs : root.mine, last = last_to_move ? root.mine : root.theirs;
        const LastPlayer<B> last_player(other, last, empty, playable);
        typename RunningUp<B>::Choice refutation{};
        RunningUp<B> running(endings_, refutation, columns_, other, last, playable);
        StaticBounds found;
        found.follow_up = last_player.follow_up();
        if (last_to_move) {
            if (const int most = last_player.start(-B::windows); most <= B::windows) found.start = most;
        }
        for (int margin = B::windows; margin >= -B::windows; --margin) {
            if (!last_to_move && last_player.meets_every_move(margin)) found.every_move = margin;
            if (!found.running_up && running.proves(!last_to_move, margin)) found.running_up = margin;
        }
        return found;
    }

   private:
    int columns_;
    Endings<B> endings_;
};

}  // namespace maxconnect4
