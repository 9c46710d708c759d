// Patterns for names, matched in time linear in the name: no backtracking, however long and hostile it is.
//   plain text   stands anywhere in the name
//   ^ $          at the start of a pattern: only at the name's start; at its end: only at the name's end
//   *            any text, or none
//   \d           one or more digits
//   \b           a boundary: the start or end of the name, or a neighbour that is neither letter nor digit
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers {

class NamePattern {
public:
    explicit NamePattern(std::string_view pattern);

    [[nodiscard]] bool matches(std::string_view name) const;

private:
    enum class AtomKind : unsigned char { Text, Digits, Boundary };
    struct Atom {
        AtomKind kind = AtomKind::Text;
        std::string text;
    };
    using Segment = std::vector<Atom>;      // what stands between stars

    static constexpr std::size_t kNone = std::string_view::npos;
    // End of the segment when it stands at `at`, else kNone.
    [[nodiscard]] static std::size_t matchAt(const Segment &, std::string_view name, std::size_t at);
    // End of the first place from `from` on; with `toEnd`, of the one that ends the name.
    [[nodiscard]] static std::size_t find(const Segment &, std::string_view name, std::size_t from, bool toEnd);

    std::vector<Segment> segments_;
    bool fromStart_ = false, toEnd_ = false;
};

}  // namespace wattproof::importers
