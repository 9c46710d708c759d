// Small pieces of HTML. Every text that goes in is escaped here, so that no section can forget it; `Markup` is the type of
// what is escaped already.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wattproof::report {

struct Markup {
    std::string html;

    Markup &operator+=(const Markup &other) {
        html += other.html;
        return *this;
    }
};

[[nodiscard]] Markup text(std::string_view);
[[nodiscard]] Markup raw(std::string html);                        // trusted markup of our own
[[nodiscard]] Markup element(std::string_view tag, const Markup &content, std::string_view cssClass = {});
[[nodiscard]] Markup paragraph(std::string_view content, std::string_view cssClass = {});
[[nodiscard]] Markup section(std::string_view id, std::string_view title, const Markup &content);
[[nodiscard]] Markup bulletList(const std::vector<std::string> &items, std::string_view whenEmpty);
[[nodiscard]] Markup code(std::string_view sql);

// A table; cells whose column name starts with '#' are numbers: right-aligned, tabular figures.
class Table {
public:
    explicit Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}
    void row(std::vector<Markup> cells) { rows_.push_back(std::move(cells)); }
    void row(const std::vector<std::string> &cells);
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    [[nodiscard]] Markup markup() const;

private:
    std::vector<std::string> columns_;
    std::vector<std::vector<Markup>> rows_;
};

}  // namespace wattproof::report
