#include "report/html/markup.h"

#include "report/report.h"

namespace wattproof::report {

Markup text(std::string_view content) {
    return {escapeHtml(content)};
}

Markup raw(std::string html) {
    return {std::move(html)};
}

Markup element(std::string_view tag, const Markup &content, std::string_view cssClass) {
    std::string html = "<" + std::string(tag);
    if (!cssClass.empty())
        html += " class=\"" + std::string(cssClass) + "\"";
    return {html + ">" + content.html + "</" + std::string(tag) + ">\n"};
}

Markup paragraph(std::string_view content, std::string_view cssClass) {
    return element("p", text(content), cssClass);
}

Markup section(std::string_view id, std::string_view title, const Markup &content) {
    return {"<section id=\"" + std::string(id) + "\">\n<h2>" + escapeHtml(title) + "</h2>\n" + content.html + "</section>\n"};
}

Markup bulletList(const std::vector<std::string> &items, std::string_view whenEmpty) {
    if (items.empty())
        return paragraph(whenEmpty, "muted");
    Markup list;
    for (const std::string &item : items)
        list += element("li", text(item));
    return element("ul", list);
}

Markup code(std::string_view sql) {
    return element("pre", element("code", text(sql)));
}

void Table::row(const std::vector<std::string> &cells) {
    std::vector<Markup> escaped;
    escaped.reserve(cells.size());
    for (const std::string &cell : cells)
        escaped.push_back(text(cell));
    rows_.push_back(std::move(escaped));
}

Markup Table::markup() const {
    const auto cssClass = [this](std::size_t column) {
        return column < columns_.size() && columns_[column].starts_with('#') ? "number" : "";
    };
    Markup head, body;
    for (std::size_t i = 0; i < columns_.size(); ++i)
        head += element("th", text(std::string_view(columns_[i]).substr(columns_[i].starts_with('#') ? 1 : 0)), cssClass(i));
    for (const std::vector<Markup> &cells : rows_) {
        Markup line;
        for (std::size_t i = 0; i < cells.size(); ++i)
            line += element("td", cells[i], cssClass(i));
        body += element("tr", line);
    }
    return element("div", element("table", raw(element("thead", element("tr", head)).html + element("tbody", body).html)),
                   "scroll");
}

}  // namespace wattproof::report
