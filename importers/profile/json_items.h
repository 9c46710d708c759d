// A JSON document of any size as a stream of small things: the objects of the lists that the reader asks for, and
// the single values around them. Nothing else is held.
#pragma once

#include "importers/importer.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers {

struct JsonValue {
    enum class Kind : std::uint8_t { Null, Bool, Integer, Natural, Real, Text };
    Kind kind = Kind::Null;
    std::int64_t integer = 0;  // of Bool and Integer; of a Natural that fits
    double real = 0;
    std::string text;

    // A whole number; none when it is no number or does not fit.
    [[nodiscard]] std::optional<std::int64_t> whole() const;
};

// The values of one object by their path within it: "correlation_id.internal", "operations[]" for each of a list.
class JsonItem {
public:
    struct Leaf {
        std::string key;
        JsonValue value;
    };

    void clear() { count_ = 0; }
    // What comes after 65,536 values is left out.
    void add(std::string_view key, JsonValue &&value);
    [[nodiscard]] std::span<const Leaf> leaves() const { return std::span(leaves_).first(count_); }
    [[nodiscard]] const JsonValue *find(std::string_view key) const;
    [[nodiscard]] std::optional<std::int64_t> whole(std::string_view key) const;
    [[nodiscard]] std::int64_t wholeOr(std::string_view key, std::int64_t otherwise) const {
        return whole(key).value_or(otherwise);
    }
    [[nodiscard]] std::string_view text(std::string_view key) const;

private:
    std::vector<Leaf> leaves_;
    std::size_t count_ = 0;
};

// What is told of the document. Paths are dotted, with [] for the members of a list: "a.b[].c".
struct JsonVisitor {
    // Whether the objects of the list at this path are items.
    std::function<bool(std::string_view path)> isItem;
    std::function<void(std::string_view path, const JsonItem &, std::uint64_t offset)> item;
    // A single value outside of items.
    std::function<void(std::string_view path, const JsonValue &, std::uint64_t offset)> value;
    // An object that is no item has ended.
    std::function<void(std::string_view path)> closed;
    // A list outside of items has ended; of a list within a list, the path has the outer one's [].
    std::function<void(std::string_view path)> listClosed = [](std::string_view) {};
    // Asked now and then; an error stops the reading.
    std::function<Status()> checkpoint;
};

struct JsonEnd {
    bool whole = false;  // else it is cut or damaged, and ends at `offset`
    std::uint64_t offset = 0;
    bool cut = false;    // the file ends before the document does
    std::string reason;  // of damage
};

// Fails only for what the checkpoint and the input say.
[[nodiscard]] Expected<JsonEnd> readJsonItems(Input &, const JsonVisitor &);

}  // namespace wattproof::importers
