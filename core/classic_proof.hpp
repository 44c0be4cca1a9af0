// The classic game: one thread's search for a proof, as proof.hpp says. A position is worth 0 if it is a draw, n if the side
// to move wins with its n-th last stone counted from the full board, -n if it loses so. The bounds are proved in
// docs/classic.md.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "classic_order.hpp"
#include "pairing.hpp"
#include "proof.hpp"

namespace maxconnect4 {

template <class B>
class ClassicProof final : public Proof<B> {
   public:
    using Proof<B>::Proof, Proof<B>::nodes;

    // What the player to move loses if the other one has just made a four, with so many cells left.
    static int lost(int left) { return -(left / 2 + 1); }

    // The game is not over.
    int run(Sides sides, int alpha, const Pause& pause) override {
        this->call_now_and_then(pause);
        const Position<B> position{sides};
        const int left = std::popcount(cells_ & ~position.stones());
        return wins_at_once(position, cells_) ? -lost(left - 1) : search(position, left, alpha);
    }

    // What is known without a search, whatever is asked, on a board of these cells. The game is not over.
    static Range known(Position<B> position, Bits cells) {
        const int left = std::popcount(cells & ~position.stones());
        if (wins_at_once(position, cells)) return {-lost(left - 1), -lost(left - 1)};
        Node node(position, left, cells);
        Range soon = anything;
        if (ends_soon(node, soon)) return soon;
        node.my_fours = B::completing(position.mine) & node.empty;
        Range all = soon;
        for (int alpha = soon.low; alpha < soon.high; ++alpha) {
            Range range = soon;
            bounded(node, alpha, range);
            all.narrow(range);
        }
        return all;
    }

   private:
    using typename Proof<B>::Best;
    using Proof<B>::alone, Proof<B>::anything, Proof<B>::cells_, Proof<B>::columns_, Proof<B>::count_node, Proof<B>::in_image,
        Proof<B>::race_, Proof<B>::shared_key, Proof<B>::table_;

    static bool wins_at_once(Position<B> position, Bits cells) {
        return (B::completing(position.mine) & position.landings() & cells) != 0;
    }

    // A position in which the side to move cannot make a four at once.
    struct Node {
        Position<B> position;
        int left;  // empty cells
        Bits empty, playable;
        Bits their_fours;   // the empty cells that would complete one
        Bits my_fours = 0;  // only where it goes on
        Bits moves = 0;     // those that do not lose at once

        Node(Position<B> position, int left, Bits cells)
            : position(position), left(left), empty(cells & ~position.stones()),
              playable(position.landings() & cells), their_fours(B::completing(position.theirs) & empty) {}
        bool last_to_move() const { return left % 2 == 1; }
        bool is_forced() const { return (moves & (moves - 1)) == 0; }
    };

    int search(Position<B> position, int left, int alpha) {
        count_node();
        Node node(position, left, cells_);
        Range range = anything;
        if (ends_soon(node, range) || range.settles(alpha)) return range.verdict(alpha);
        if (node.is_forced()) return -search(position.after(node.moves), left - 1, -alpha - 1);
        node.my_fours = B::completing(position.mine) & node.empty;
        if (bounded(node, alpha, range)) return range.verdict(alpha);

        if (left <= untabled) return best_of_columns(node, alpha, -1).value;

        const auto [key, mirror] = shared_key(position);
        const auto place = table_.place(key);
        int first = -1;
        SharedTable::Known known;
        if (place.find(known)) {
            range.narrow(known.range);
            if (range.settles(alpha)) return range.verdict(alpha);
            first = in_image(known.column, mirror);
        }
        const std::uint64_t before = nodes();
        const auto [best, landing] = best_of_columns(node, alpha, first);
        (best > alpha ? range.low : range.high) = best;
        place.store({range, in_image(B::column_of(landing), mirror)}, nodes() - before);
        return best;
    }

    // What the next two plies decide. True if that is all: the value then is known.
    static bool ends_soon(Node& node, Range& range) {
        const int left = node.left;
        const Bits threats = node.playable & node.their_fours;
        node.moves = (threats != 0 ? threats : node.playable) & ~(node.their_fours >> 1);
        if ((threats & (threats - 1)) != 0 || (node.moves == 0 && left > 0)) {
            range.low = range.high = lost(left - 2);
            return true;
        }
        if (left <= 2) {
            range.low = range.high = 0;
            return true;
        }
        range = {lost(left - 4), -lost(left - 3)};
        return false;
    }

    // What either side can make sure of by answering the other's drops.
    static bool bounded(const Node& node, int alpha, Range& range) {
        const auto& [mine, theirs] = node.position;
        const bool last_to_move = node.last_to_move();
        // Without a line that is still open there is no win.
        if (alpha >= 0 && !B::has_four(mine | node.empty)) range.high = 0;
        if (alpha < 0 && !B::has_four(theirs | node.empty)) range.low = 0;
        if (range.settles(alpha)) return true;
        // The last player follows up.
        if (!last_to_move && alpha >= 0 && Pairing<B>(mine, node.empty, node.playable).holds(true)) range.high = 0;
        if (last_to_move && alpha < 0 && Pairing<B>(theirs, node.empty, node.playable).holds(false)) range.low = 0;
        if (range.settles(alpha)) return true;
        // Somebody has a cell that the other one will have to open up.
        for (Bits rest = node.my_fours & ~node.playable; rest != 0; rest &= rest - 1) {
            const Threat<B> threat(rest & -rest);
            if (threat.worth() <= alpha || threat.parity(node.left) == 0) continue;
            if (!Pairing<B>(theirs, node.empty, node.playable, threat).holds(false)) continue;
            range.low = std::max(range.low, threat.worth());
            return true;
        }
        for (Bits rest = node.their_fours & ~node.playable; rest != 0; rest &= rest - 1) {
            const Threat<B> threat(rest & -rest);
            if (-threat.worth() > alpha || threat.parity(node.left) != 0) continue;
            if (!Pairing<B>(mine, node.empty, node.playable, threat).holds(true)) continue;
            range.high = std::min(range.high, -threat.worth());
            return true;
        }
        return false;
    }

    struct Move {
        Bits landing;
        int urgency;
    };
    using Moves = std::array<Move, B::columns>;
    struct Following {
        Bits landing;
        SharedTable::Place place;
    };

    Best best_of_columns(const Node& node, int alpha, int first) {
        // What is known of the positions that follow is fetched while the moves are put in order.
        std::array<Following, B::columns> following;
        int followers = 0;
        if (node.left > unglanced) {
            for (Bits rest = node.moves; rest != 0; rest &= rest - 1) {
                const Bits landing = rest & -rest;
                following[followers] = {landing, table_.place(shared_key(node.position.after(landing)).key)};
                following[followers++].place.prefetch();
            }
        }
        Moves moves;
        int count = 0;
        if (const Bits winner = order(moves, count, node, first)) return {-lost(node.left - 3), winner};
        for (int i = 0; i < followers; ++i) {
            SharedTable::Known known;
            if (following[i].place.find(known) && -known.range.high > alpha) return {-known.range.high, following[i].landing};
        }
        Best best;
        const bool crowded = race_.crowded && node.left > alone;
        for (int i = 0; i < count; ++i) {
            if (crowded) this->put_off_busy(moves, i, count, node.position);
            const Bits landing = moves[i].landing;
            const Position<B> child = node.position.after(landing);
            const Race::Busy mark(race_, crowded ? child.key() : 0);
            const int value = -search(child, node.left - 1, -alpha - 1);
            best.offer(value, landing);
            if (value > alpha) break;
        }
        return best;
    }

    // Sorts the moves, the most promising one first. Returns one that wins for certain with the next stone but one, if
    // there is such: it makes two threats at once, or one above the other.
    Bits order(Moves& moves, int& count, const Node& node, int first) const {
        const Bits mine = node.position.mine;
        const Bits threes = making_threes<B>(mine, node.empty);
        const Bits good_rows = node.last_to_move() ? B::upper_cells : B::lower_cells;
        const OrderWeights& weights = order_weights[node.last_to_move()];
        for (Bits rest = node.moves; rest != 0; rest &= rest - 1) {
            const Bits landing = rest & -rest, above = landing << 1;
            const int cell = std::countr_zero(landing), column = cell / B::right;
            int urgency = weights.cell(std::abs(2 * column - (columns_ - 1)), cell % B::right);
            if (landing & threes || above & node.my_fours) {
                const Bits fours = B::completing(mine | landing) & node.empty & ~landing;
                const Bits threats = fours & ((node.playable & ~landing) | above);
                if ((threats & (threats - 1)) != 0 || (threats << 1 & fours) != 0) return landing;
                const Bits fresh = fours & ~node.my_fours;
                urgency += weights.good_four * std::popcount(fresh & good_rows) + weights.four * std::popcount(fresh & ~good_rows);
                if (threats != 0) urgency += weights.threat;
            }
            if (above & node.my_fours) urgency += weights.waste;
            if (column == first) urgency += 1 << 28;
            int at = count++;
            for (; at > 0 && moves[at - 1].urgency < urgency; --at) moves[at] = moves[at - 1];
            moves[at] = {landing, urgency};
        }
        return 0;
    }

    static constexpr int untabled = 6;    // with so few cells left a look into the table costs more than the search
    static constexpr int unglanced = 12;  // so do looks for all that may follow
};

}  // namespace maxconnect4
