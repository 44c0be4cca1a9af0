// Zeroed memory for tables, in huge pages where the system has them: freeing a hundred
// thousand small pages would delay the end of a stopped search.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace maxconnect4 {

class ZeroedMemory {
   public:
    explicit ZeroedMemory(std::size_t bytes) {
        const std::size_t alignment = bytes >= huge_page ? huge_page : 64;
        std::size_t space = bytes + alignment;
        block_.reset(std::calloc(1, space));
        if (block_ == nullptr) throw std::bad_alloc();
        start_ = block_.get();
        std::align(alignment, bytes, start_, space);
#ifdef __linux__
        if (bytes >= huge_page) madvise(start_, bytes, MADV_HUGEPAGE);
#endif
    }
    void* start() const { return start_; }

   private:
    static constexpr std::size_t huge_page = std::size_t{2} << 20;
    struct Free {
        void operator()(void* block) const { std::free(block); }
    };
    std::unique_ptr<void, Free> block_;
    void* start_ = nullptr;
};

}  // namespace maxconnect4
