// The null-window search of one thread: a proof that the value of a position exceeds alpha, or that it does not. This is
// the part that both games share.
//
// The contract of search(position, empty cells, alpha), fail-soft with a null window: it returns a number v, and the true
// value t of the position for the side to move satisfies
//     v <= alpha  =>  t <= v        v > alpha  =>  t >= v.
// The transposition table, the move ordering and other threads change its time, never this contract.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "board.hpp"
#include "game.hpp"

namespace maxconnect4 {

template <class B>
class NullWindowSearch : public Search {
   public:
    NullWindowSearch(int columns, SharedTranspositionTable& table, SharedSearch& shared)
        : columns_(columns), cells_(B::cells_in(columns)), table_(table), shared_(shared) {}

    std::uint64_t nodes() const final { return nodes_.load(std::memory_order_relaxed); }

    void use_layer(const BookLayer* layer) final {
        layer_ = layer;
        layer_left_ = layer == nullptr ? -1 : std::popcount(cells_) - layer->plies();
    }

   protected:
    static constexpr int infinity = SharedTranspositionTable::unknown;
    static constexpr Range unbounded{-infinity, infinity};

    struct Best {
        int value = -infinity;
        Bits landing = 0;

        void offer(int other_value, Bits other_landing) {
            if (other_value > value) *this = {other_value, other_landing};
        }
    };

    // Sets the function that is called every thousand nodes.
    void set_pause(const Pause& pause) { pause_ = &pause; }

    void count_node() {
        const std::uint64_t count = nodes() + 1;
        nodes_.store(count, std::memory_order_relaxed);
        if ((count & 0x3FF) == 0 && (shared_.abort.load(std::memory_order_relaxed) || (*pause_)())) throw SearchAborted{};
    }

    SharedKey shared_key(Position<B> position) const {
        const Bits key = position.key() & (cells_ | cells_ << 1);
        return SharedKey::of(key, B::mirrored(key) >> (B::columns - columns_) * B::right);
    }
    // The value in the opening book of a position with `layer_left_` empty cells.
    int layer_value(Position<B> position) const {
        const Position<B> red_to_move = layer_->plies() % 2 == 0 ? position : Position<B>{position.theirs, position.mine};
        return layer_->value(shared_key(red_to_move).key);
    }
    // The same column in the mirror image, if `mirrored`.
    int in_image(int column, bool mirrored) const { return mirrored ? columns_ - 1 - column : column; }

    // Defer moves that another thread is searching (as in simplified ABDADA).
    template <class Moves>
    void defer_busy_moves(Moves& moves, int next, int count, Position<B> position) const {
        for (int i = next + 1; i < count && shared_.is_busy(position.after(moves[next].landing).key()); ++i)
            std::rotate(moves.begin() + next, moves.begin() + next + 1, moves.begin() + count);
    }
    static constexpr int most_single_threaded = 14;  // empty cells: smaller searches end before another thread can help

    int columns_;
    Bits cells_;
    int layer_left_ = -1;  // the number of empty cells in the layer of the opening book, -1 without one
    SharedTranspositionTable& table_;
    SharedSearch& shared_;

   private:
    const BookLayer* layer_ = nullptr;
    const Pause* pause_ = nullptr;
    std::atomic<std::uint64_t> nodes_{0};
};

}  // namespace maxconnect4
