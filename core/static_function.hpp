// A static function: a small number for each key of a fixed set, stored without the keys. For a key that is not in the set
// it returns an arbitrary number.
//
// The numbers are in an array of cells of a few bits. A hash of the key selects four cells, and the number is their
// exclusive or. The array is divided into segments of equal length, and the four cells are in four consecutive segments, as
// in a binary fuse filter (T. M. Graf, D. Lemire: Binary Fuse Filters, ACM Journal of Experimental Algorithmics 27, 2022). With
// about 7 % more cells than keys, nearly every seed of the hash allows the cells to be filled by *peeling*: as long as some
// cell is used by one remaining key only, remove that key. In the reverse order, that cell then gets the value that makes
// the number of the key right, because no key that was removed later uses it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "board.hpp"

namespace maxconnect4 {

class StaticFunction {
   public:
    struct Shape {
        int bits;               // of a cell, from 1 to 8
        int segment_bits;       // the logarithm of the length of a segment
        std::uint32_t windows;  // of four consecutive segments
        std::uint64_t seed;     // of the hash

        bool is_valid() const {
            return bits >= 1 && bits <= 8 && segment_bits >= 1 && segment_bits <= most_segment_bits && windows >= 1 &&
                   windows <= most_windows;
        }
        std::size_t cells() const { return (std::size_t{windows} + 3) << segment_bits; }
        // Cells are packed, the first one in the lowest bits. One more byte, so that a cell can be read as two bytes.
        std::size_t bytes() const { return (cells() * bits + 7) / 8 + 1; }
    };
    using Content = std::span<const std::uint8_t>;

    // The content is not copied.
    StaticFunction(Shape shape, Content content) : shape_(shape), content_(content) {
        if (!shape.is_valid() || content.size() != shape.bytes())
            throw std::invalid_argument("the size of a static function does not match its shape");
    }

    unsigned operator()(Bits key) const {
        unsigned number = 0;
        for (const std::size_t cell : cells_of(shape_, key)) number ^= read(cell);
        return number;
    }

    // Finds a seed and fills the cells. All keys are different, and there are as many numbers, each of at most `bits` bits.
    static std::pair<Shape, std::vector<std::uint8_t>> build(const std::vector<Bits>& keys,
                                                             const std::vector<std::uint8_t>& numbers, int bits) {
        const int size = std::bit_width(keys.size());
        Shape shape{bits, std::clamp((size * 65 - 115) / 100, 2, most_segment_bits), 0, 0};
        // Small sets take more cells, so each failure adds 1 %.
        for (std::size_t cells = keys.size() + keys.size() * 7 / 100 + 8;; cells += cells / 100 + 4, ++shape.seed) {
            shape.windows = static_cast<std::uint32_t>(std::max<std::size_t>(cells >> shape.segment_bits, 4) - 2);
            if (const auto order = peel(shape, keys)) return {shape, filled(shape, keys, numbers, *order)};
        }
    }

   private:
    static constexpr int most_segment_bits = 18;
    static constexpr std::uint32_t most_windows = 1u << 20;
    using Cells = std::array<std::size_t, 4>;

    static Bits hash(Bits key, std::uint64_t seed) {
        key += (seed + 1) * 0x9E3779B97F4A7C15u;
        key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9u;
        key = (key ^ key >> 27) * 0x94D049BB133111EBu;
        return key ^ key >> 31;
    }

    // The high half of the hash selects the first cell, parts of the low half the place in each of the next segments.
    static Cells cells_of(const Shape& shape, Bits key) {
        const Bits hashed = hash(key, shape.seed), mask = (Bits{1} << shape.segment_bits) - 1;
        const Bits first = (hashed >> 32) * (Bits{shape.windows} << shape.segment_bits) >> 32;
        Cells cells{first};
        for (int i = 1; i < 4; ++i)
            cells[i] = (first + (Bits(i) << shape.segment_bits)) ^ (hashed >> 9 * i & mask);
        return cells;
    }

    // A key, by its index, and the cell that no later key of the order uses.
    struct Peeled {
        std::uint32_t key;
        std::uint32_t cell;
    };

    // The order in which all keys can be removed, empty if some cannot.
    static std::optional<std::vector<Peeled>> peel(const Shape& shape, const std::vector<Bits>& keys) {
        struct Use {
            std::uint32_t count = 0, keys = 0;  // the remaining keys that use the cell: their number, their exclusive or
        };
        std::vector<Use> uses(shape.cells());
        for (std::uint32_t i = 0; i < keys.size(); ++i)
            for (const std::size_t cell : cells_of(shape, keys[i])) {
                ++uses[cell].count;
                uses[cell].keys ^= i;
            }
        std::vector<Peeled> order;
        order.reserve(keys.size());
        const auto take = [&](std::size_t cell) {
            if (uses[cell].count != 1) return;
            const std::uint32_t key = uses[cell].keys;
            order.push_back({key, static_cast<std::uint32_t>(cell)});
            for (const std::size_t other : cells_of(shape, keys[key])) {
                --uses[other].count;
                uses[other].keys ^= key;
            }
        };
        std::size_t done = 0;
        for (std::size_t cell = 0; cell < uses.size(); ++cell) {
            take(cell);
            for (; done < order.size(); ++done)
                for (const std::size_t other : cells_of(shape, keys[order[done].key])) take(other);
        }
        return order.size() == keys.size() ? std::optional(std::move(order)) : std::nullopt;
    }

    static std::vector<std::uint8_t> filled(const Shape& shape, const std::vector<Bits>& keys,
                                            const std::vector<std::uint8_t>& numbers, const std::vector<Peeled>& order) {
        std::vector<std::uint8_t> content(shape.bytes());
        const StaticFunction function(shape, content);
        for (std::size_t i = order.size(); i-- > 0;) {
            const auto [key, cell] = order[i];
            const unsigned value = function(keys[key]) ^ numbers[key];  // the cell is still 0
            const std::size_t bit = cell * shape.bits;
            content[bit / 8] |= static_cast<std::uint8_t>(value << bit % 8);
            content[bit / 8 + 1] |= static_cast<std::uint8_t>(value << bit % 8 >> 8);
        }
        return content;
    }

    unsigned read(std::size_t cell) const {
        const std::size_t bit = cell * shape_.bits;
        const unsigned two = content_[bit / 8] | unsigned{content_[bit / 8 + 1]} << 8;
        return two >> bit % 8 & ((1u << shape_.bits) - 1);
    }

    Shape shape_;
    Content content_;
};

}  // namespace maxconnect4
