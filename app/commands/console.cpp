#include "app/commands/console.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "report/report.h"

namespace wattproof::app {
namespace {

std::size_t width(const std::string &text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string &text, std::size_t to, bool right) {
    const std::string blanks(to > width(text) ? to - width(text) : 0, ' ');
    return right ? blanks + text : text + blanks;
}

std::string progressText(const ProgressReport &r, double seconds) {
    std::string line = r.stage;
    if (r.total > 0)
        line += "  " + report::percent(static_cast<double>(r.done) / static_cast<double>(r.total));
    if (seconds > 0.2 && r.done > 0) {
        const double rate = static_cast<double>(r.done) / seconds;
        line += "  " + report::quantity(rate, r.unit == "bytes" ? "B/s" : r.unit + "/s");
        if (r.total > r.done)
            line += "  " + report::duration(static_cast<Ns>(static_cast<double>(r.total - r.done) / rate * 1e9)) + " left";
    }
    return line;
}

}  // namespace

std::string textTable(const std::vector<std::string> &columns, const std::vector<std::vector<std::string>> &rows,
                      const std::vector<bool> &rightAligned) {
    std::vector<std::size_t> widths;
    for (const std::string &column : columns)
        widths.push_back(width(column));
    for (const auto &row : rows)
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i]));
    const auto line = [&](const std::vector<std::string> &cells) {
        std::string out;
        for (std::size_t i = 0; i < cells.size() && i < widths.size(); ++i)
            out += (i > 0 ? "  " : "") + padded(cells[i], widths[i], i < rightAligned.size() && rightAligned[i]);
        out.erase(out.find_last_not_of(' ') + 1);
        return out + "\n";
    };
    std::string out = line(columns);
    for (const auto &row : rows)
        out += line(row);
    return out;
}

std::string csvLine(const std::vector<std::string> &cells) {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0)
            out += ',';
        if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
            out += cells[i];
            continue;
        }
        out += '"';
        for (const char c : cells[i])
            out += c == '"' ? std::string("\"\"") : std::string(1, c);
        out += '"';
    }
    return out + "\r\n";
}

ProgressFn terminalProgress() {
    if (isatty(STDERR_FILENO) == 0)
        return {};
    const auto stage = std::make_shared<std::string>();
    const auto start = std::make_shared<std::chrono::steady_clock::time_point>(std::chrono::steady_clock::now());
    return [stage, start](const ProgressReport &r) {
        const auto now = std::chrono::steady_clock::now();
        if (*stage != r.stage) {
            *stage = r.stage;
            *start = now;
        }
        const std::chrono::duration<double> elapsed = now - *start;
        std::fprintf(stderr, "\r\033[K%s", progressText(r, elapsed.count()).c_str());
        std::fflush(stderr);
    };
}

void endProgress() {
    if (isatty(STDERR_FILENO) != 0)
        std::fputs("\r\033[K", stderr);
}

}  // namespace wattproof::app
