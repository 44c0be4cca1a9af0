// The transposition table of the solver: bounds of positions, shared by all threads without locks.
//
// An entry is one word, so it is read and written whole, so that no thread reads half an entry. The key of a
// position is hashed by a bijection: some bits of the hash select the bucket, and the entry holds the others, so that
// two positions are never confused. Therefore a table has a minimum size, which grows with the board.
//
//     bits  63 ............ 21  20 .. 15  14 ... 9  8 .... 5  4 .. 0
//           rest of the key     low       high      column    work
//
// `low` and `high` bound the future margin of the side to move; values that do not fit are widened, never cut. `work`
// is the logarithm of the nodes behind the entry, 0 for an empty one.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "board.hpp"
#include "memory.hpp"

namespace maxconnect4 {

// low <= value <= high
struct Range {
    int low, high;

    // Whether it decides if the value exceeds alpha, and the bound that does.
    bool cuts_off(int alpha) const { return low > alpha || high <= alpha; }
    int cut_off_value(int alpha) const { return low > alpha ? low : high; }
    void narrow(Range by) { *this = {std::max(low, by.low), std::min(high, by.high)}; }
};

class SharedTranspositionTable {
   public:
    static constexpr int unknown = 1000;  // beyond every margin

    struct Entry {
        Range range;
        int column;  // the best move so far, or the one that caused the cut-off
    };

    // Keys have `key_bits` bits. The table starts with 2^first_size buckets, or more if its minimum requires it, and
    // grow() enlarges it up to the limit.
    SharedTranspositionTable(int key_bits, std::size_t limit_bytes, int first_size)
        : key_bits_(key_bits), limit_(std::min(key_bits, static_cast<int>(std::bit_width(limit_bytes / sizeof(Bucket))) - 1)),
          size_(std::min(limit_, std::max(first_size, least_size(key_bits)))), memory_(bytes(size_)) {}

    static std::size_t least_bytes(int key_bits) { return bytes(least_size(key_bits)); }

    class Slot;
    // The slot of a key, whether or not it is occupied.
    Slot slot(Bits key) const;

    std::size_t entries() const { return (std::size_t{1} << size_) * entries_per_bucket; }
    bool can_grow() const { return size_ < limit_; }

    // Grows to four times the size, up to the limit, and keeps its entries. If the memory cannot be allocated, or `stop()`,
    // which is polled, returns true, the table stays unchanged. No other thread may use it meanwhile.
    template <class Stop>
    void grow(Stop stop) {
        try {
            SharedTranspositionTable larger(key_bits_, Exactly{limit_, std::min(size_ + 2, limit_)});
            for (std::size_t i = 0; i < std::size_t{1} << size_; ++i) {
                if (i % poll_interval == 0 && stop()) return;
                for (const Word& word : buckets()[i].words) larger.rehash(word.load(std::memory_order_relaxed), i, size_);
            }
            *this = std::move(larger);
        } catch (const std::bad_alloc&) {
            limit_ = size_;
        }
    }

    // Makes all entries easier to replace, if the table is nearly full: they come from positions searched before. Some
    // stay as they are if `stop()` returns true.
    template <class Stop>
    void age(Stop stop) {
        if (used_permille() < 750) return;
        for (std::size_t i = 0; i < std::size_t{1} << size_; ++i) {
            if (i % poll_interval == 0 && stop()) return;
            for (Word& word : buckets()[i].words) {
                const Bits entry = word.load(std::memory_order_relaxed);
                const Bits work = entry & work_mask;
                if (work > 1) word.store((entry & ~work_mask) | (work + 1) / 2, std::memory_order_relaxed);
            }
        }
    }

    // The share of the largest size that is in use, in thousandths.
    int permille() const { return used_permille() >> (limit_ - size_); }

   private:
    // The share of the current size that is in use, from its first buckets.
    int used_permille() const {
        std::size_t used = 0, seen = 0;
        for (std::size_t i = 0; i < std::size_t{1} << size_ && i < 64; ++i, seen += entries_per_bucket)
            for (const Word& word : buckets()[i].words) used += word.load(std::memory_order_relaxed) != 0;
        return static_cast<int>(1000 * used / seen);
    }

    using Word = std::atomic<Bits>;
    static_assert(Word::is_always_lock_free && sizeof(Word) == sizeof(Bits));
    static constexpr int entries_per_bucket = 8;
    struct alignas(64) Bucket {
        std::array<Word, entries_per_bucket> words;
    };

    static constexpr int data_bits = 21;
    static constexpr Bits work_mask = 31;
    static constexpr std::size_t poll_interval = 1 << 12;  // buckets between two calls of `stop`

    // Sizes are logarithms of the number of buckets.
    static constexpr int least_size(int key_bits) { return std::max(0, key_bits - (64 - data_bits)); }
    static constexpr std::size_t bytes(int size) { return sizeof(Bucket) << size; }

    struct Exactly {
        int limit, size;
    };
    SharedTranspositionTable(int key_bits, Exactly sizes)
        : key_bits_(key_bits), limit_(sizes.limit), size_(sizes.size), memory_(bytes(sizes.size)) {}

    // Different for different keys, of as many bits, with the high bits depending on all of them: multiplying by an odd
    // number can be undone, and so can adding a number's own high half to its low half.
    Bits hashed(Bits key) const {
        const Bits mask = ~Bits{0} >> (64 - key_bits_);
        key = (key * 0x9E3779B97F4A7C15u) & mask;
        key ^= key >> (key_bits_ / 2);
        return (key * 0xD6E8FEB86659FD93u) & mask;
    }

    Bucket* buckets() const { return static_cast<Bucket*>(memory_.start()); }

    // Copies an entry of bucket `index` of a smaller table.
    void rehash(Bits entry, std::size_t index, int smaller) {
        if (entry == 0) return;
        const int rest_bits = key_bits_ - smaller;
        const Bits key = static_cast<Bits>(index) << rest_bits | entry >> data_bits;
        const Bits rest = key & ~(~Bits{0} << (key_bits_ - size_));
        for (Word& word : buckets()[key >> (key_bits_ - size_)].words) {
            if (word.load(std::memory_order_relaxed) != 0) continue;
            word.store(rest << data_bits | (entry & ~(~Bits{0} << data_bits)), std::memory_order_relaxed);
            return;
        }
    }

    int key_bits_, limit_, size_;
    ZeroedMemory memory_;  // an entry of zeros is an empty one
};

class SharedTranspositionTable::Slot {
   public:
    Slot() = default;
    void prefetch() const { __builtin_prefetch(bucket_); }

    // False if the position is not in the table.
    bool find(Entry& known) const {
        for (const Word& word : bucket_->words) {
            const Bits entry = word.load(std::memory_order_relaxed);
            if (entry >> data_bits != rest_ || entry == 0) continue;
            known = unpacked(entry);
            return true;
        }
        return false;
    }

    // Merges with the entry of the same position, or replaces the entry with the fewest nodes.
    void store(Entry known, std::uint64_t nodes) const {
        const int work = std::clamp(static_cast<int>(std::bit_width(nodes)), 1, static_cast<int>(work_mask));
        Word* victim = nullptr;
        Bits least = work_mask + 1;
        for (Word& word : bucket_->words) {
            const Bits entry = word.load(std::memory_order_relaxed);
            if (entry != 0 && entry >> data_bits == rest_) {  // another thread may have narrowed it
                known.range.narrow(unpacked(entry).range);
                victim = &word;
                break;
            }
            if ((entry & work_mask) < least) {
                least = entry & work_mask;
                victim = &word;
            }
        }
        victim->store(rest_ << data_bits | packed(known) | static_cast<Bits>(work), std::memory_order_relaxed);
    }

   private:
    friend class SharedTranspositionTable;
    Slot(Bucket* bucket, Bits rest) : bucket_(bucket), rest_(rest) {}

    // Bounds are kept in six bits: -31 to 30, and a number at either end for none.
    static constexpr int offset = 32;
    static Bits packed(const Entry& known) {
        const int low = known.range.low < -31 ? -32 : std::min(known.range.low, 30);
        const int high = known.range.high > 30 ? 31 : std::max(known.range.high, -31);
        return static_cast<Bits>(low + offset) << 15 | static_cast<Bits>(high + offset) << 9 |
               static_cast<Bits>(known.column) << 5;
    }
    static Entry unpacked(Bits entry) {
        const int low = static_cast<int>(entry >> 15 & 63) - offset, high = static_cast<int>(entry >> 9 & 63) - offset;
        return {{low == -32 ? -unknown : low, high == 31 ? unknown : high}, static_cast<int>(entry >> 5 & 15)};
    }

    Bucket* bucket_ = nullptr;
    Bits rest_ = 0;
};

inline SharedTranspositionTable::Slot SharedTranspositionTable::slot(Bits key) const {
    const Bits mixed = hashed(key);
    const int rest_bits = key_bits_ - size_;
    return {buckets() + (mixed >> rest_bits), mixed & ~(~Bits{0} << rest_bits)};
}

}  // namespace maxconnect4
