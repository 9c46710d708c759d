// Text to id, for the import's hot path: one open-addressing table over texts that lie in large blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace wattproof::store {

class StringPool {
public:
    StringPool();

    struct Entry {
        std::int64_t id;
        bool isNew;
        std::string_view text;  // the pool's own copy
    };
    Entry intern(std::string_view text);
    // A text that has this id already.
    void add(std::string_view text, std::int64_t id);
    void startAt(std::int64_t nextId) { nextId_ = nextId; }
    [[nodiscard]] std::int64_t lastId() const { return nextId_ - 1; }

private:
    struct Slot {
        std::uint64_t hash = 0;
        std::int64_t id = 0;  // 0 = free
        std::string_view text;
    };
    Slot &slotOf(std::string_view text, std::uint64_t hash);
    std::string_view keep(std::string_view text);
    void fill(Slot &slot, std::string_view text, std::uint64_t hash, std::int64_t id);
    void grow();

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
    std::vector<std::unique_ptr<char[]>> blocks_;
    std::size_t blockLeft_ = 0;
    char *blockNext_ = nullptr;
    std::int64_t nextId_ = 1;
};

}  // namespace wattproof::store
