// The objects that were asked for last, by their key: a table in front of a hash map whose askers take turns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace wattproof::importers::perfetto {

template <class Object>
class Recent {
public:
    // Null when another has taken its place since.
    [[nodiscard]] Object *find(std::uint64_t key) const {
        const Entry &entry = entries_[place(key)];
        return entry.key == key ? entry.object : nullptr;
    }
    void put(std::uint64_t key, Object &object) { entries_[place(key)] = {key, &object}; }

private:
    struct Entry {
        std::uint64_t key = 0;
        Object *object = nullptr;
    };
    static constexpr unsigned kBits = 8;
    static std::size_t place(std::uint64_t key) { return (key * 0x9e3779b97f4a7c15ULL) >> (64U - kBits); }

    std::array<Entry, std::size_t{1} << kBits> entries_{};
};

}  // namespace wattproof::importers::perfetto
