#include "importers/requests/recognise_log.h"

#include "importers/profile/json_items.h"
#include "importers/requests/table_log.h"
#include "importers/table/table_reader.h"

#include <algorithm>
#include <optional>
#include <set>

namespace wattproof::importers::requests {
namespace {

constexpr std::size_t kTextOfHead = 8192, kRowsLookedAt = 20, kMostPaths = 20'000;

// What rules of each shape look at; found when it is first asked for.
class Head {
public:
    explicit Head(std::span<const char> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool isJson() const {
        const std::string_view text(bytes_.data(), bytes_.size());
        const std::size_t first = text.find_first_not_of("\xef\xbb\xbf \t\r\n");
        return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
    }
    const std::vector<std::vector<std::string>> &rows() {
        if (!rows_)
            rows_ = headRows(bytes_, kRowsLookedAt);
        return *rows_;
    }
    std::string_view text() const { return {bytes_.data(), std::min(bytes_.size(), kTextOfHead)}; }
    // Of all single values: "results.mmlu.acc,none"; of members of lists: "[].ttft_s".
    const std::set<std::string, std::less<>> &paths() {
        if (!paths_)
            readPaths();
        return *paths_;
    }

private:
    void readPaths() {
        paths_.emplace();
        const auto add = [this](std::string path) {
            if (paths_->size() < kMostPaths)
                paths_->insert(std::move(path));
        };
        JsonVisitor visitor;
        visitor.isItem = [](std::string_view) { return true; };
        visitor.item = [&](std::string_view list, const JsonItem &item, std::uint64_t) {
            for (const JsonItem::Leaf &leaf : item.leaves())
                add(std::string(list) + "." + leaf.key);
        };
        visitor.value = [&](std::string_view path, const JsonValue &, std::uint64_t) { add(std::string(path)); };
        visitor.closed = [](std::string_view) {};
        visitor.checkpoint = [] { return Status(); };
        const auto input = Input::fromBytes(std::string(bytes_.data(), bytes_.size()), "head");
        static_cast<void>(readJsonItems(*input, visitor));
    }

    std::span<const char> bytes_;
    std::optional<std::vector<std::vector<std::string>>> rows_;
    std::optional<std::set<std::string, std::less<>>> paths_;
};

bool fitsPaths(const LogRules &rules, Head &head) {
    if (!head.isJson())
        return false;
    const auto isThere = [&head](const NamePattern &pattern) {
        return std::any_of(head.paths().begin(), head.paths().end(),
                           [&pattern](const std::string &path) { return pattern.matches(path); });
    };
    return fitsPatterns(rules, isThere);
}

bool fitsText(const LogRules &rules, const Head &head) {
    return fitsPatterns(rules, [&head](const NamePattern &pattern) { return pattern.matches(head.text()); });
}

bool fits(const LogRules &rules, Head &head) {
    switch (rules.shape) {
        case Shape::Table:
            return !head.isJson() && headerRow(rules, head.rows()).has_value();
        case Shape::List:
        case Shape::Object:
        case Shape::Columns:
            return fitsPaths(rules, head);
        default:
            return fitsText(rules, head);
    }
}

}  // namespace

const LogRules *findRules(std::span<const char> bytes, const std::vector<LogRules> &all, SourceKind kind,
                          const std::string &format) {
    Head head(bytes);
    const LogRules *best = nullptr;
    for (const LogRules &rules : all) {
        const bool asked = rules.kind == kind && (format.empty() || rules.format == format);
        if (asked && (!best || rules.confidence > best->confidence) && fits(rules, head))
            best = &rules;
    }
    return best;
}

}  // namespace wattproof::importers::requests
