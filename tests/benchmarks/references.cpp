#include "tests/benchmarks/references.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <simdjson.h>
#include <sqlite3.h>
#include <zlib.h>

namespace wattproof::bench {

namespace {

constexpr std::size_t kBuffer = std::size_t{2} << 20U;

struct CloseFile {
    void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

struct CloseGzip {
    void operator()(gzFile_s *file) const { gzclose(file); }
};
using GzipFile = std::unique_ptr<gzFile_s, CloseGzip>;

class CountingHandler : public nlohmann::json_sax<nlohmann::json> {
public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t &) override { return true; }
    bool string(string_t &) override { return true; }
    bool binary(binary_t &) override { return true; }
    bool key(string_t &) override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &) override {
        return false;
    }
    bool start_object(std::size_t) override {
        events_ += ++depth_ == 2 ? 1 : 0;
        return true;
    }
    bool end_object() override {
        --depth_;
        return true;
    }
    [[nodiscard]] std::int64_t events() const { return events_; }

private:
    int depth_ = 0;
    std::int64_t events_ = 0;
};

// Touches every value, so that numbers and strings are really decoded.
std::size_t visit(simdjson::ondemand::value value) {
    std::size_t seen = 1;
    switch (value.type()) {
        case simdjson::ondemand::json_type::object:
            for (auto field : value.get_object())
                seen += visit(field.value());
            break;
        case simdjson::ondemand::json_type::array:
            for (auto element : value.get_array())
                seen += visit(element.value());
            break;
        case simdjson::ondemand::json_type::number:
            seen += value.get_double().value() > 0 ? 1 : 0;
            break;
        case simdjson::ondemand::json_type::string:
            seen += value.get_string().value().size();
            break;
        default:
            break;
    }
    return seen;
}

bool isEvent(std::string_view line) {
    return line.size() > 4 && line.substr(0, 3) == "  {";
}

class LineParser {
public:
    void parse(std::string_view line, std::size_t capacity) {
        if (!isEvent(line))
            return;
        if (line.back() == ',')
            line.remove_suffix(1);
        auto document = parser_.iterate(line.data(), line.size(), capacity);
        for (auto field : document.get_object())
            seen_ += visit(field.value());
        ++events_;
    }
    [[nodiscard]] std::int64_t events() const { return seen_ > 0 ? events_ : 0; }

private:
    simdjson::ondemand::parser parser_;
    std::size_t seen_ = 0;
    std::int64_t events_ = 0;
};

}  // namespace

std::int64_t readOnly(const std::string &path) {
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file)
        return -1;
    std::vector<char> buffer(kBuffer);
    std::int64_t lines = 0;
    for (std::size_t got = 1; got > 0;) {
        got = std::fread(buffer.data(), 1, buffer.size(), file.get());
        lines += std::count(buffer.data(), buffer.data() + got, '\n');
    }
    return lines;
}

std::int64_t saxPass(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    CountingHandler handler;
    return nlohmann::json::sax_parse(file, &handler) ? handler.events() : -1;
}

std::int64_t simdjsonPass(const std::string &path) {
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file)
        return -1;
    std::vector<char> buffer(kBuffer + simdjson::SIMDJSON_PADDING);
    LineParser parser;
    std::size_t kept = 0;
    try {
        for (std::size_t got = 1; got > 0;) {
            got = std::fread(buffer.data() + kept, 1, kBuffer - kept, file.get());
            const std::string_view text(buffer.data(), kept + got);
            std::size_t begin = 0;
            for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', begin)) {
                parser.parse(text.substr(begin, end - begin), buffer.size() - begin);
                begin = end + 1;
            }
            kept = text.size() - begin;
            std::memmove(buffer.data(), buffer.data() + begin, kept);
        }
    } catch (const simdjson::simdjson_error &) {
        return -1;
    }
    return parser.events();
}

bool writeGzip(const std::string &path, const std::string &compressed) {
    const File from(std::fopen(path.c_str(), "rb"));
    const GzipFile to(gzopen(compressed.c_str(), "wb"));
    if (!from || !to)
        return false;
    std::vector<char> buffer(kBuffer);
    for (std::size_t got = 1; got > 0;) {
        got = std::fread(buffer.data(), 1, buffer.size(), from.get());
        if (got > 0 && gzwrite(to.get(), buffer.data(), static_cast<unsigned>(got)) <= 0)
            return false;
    }
    return true;
}

std::int64_t inflatePass(const std::string &compressed) {
    const GzipFile file(gzopen(compressed.c_str(), "rb"));
    if (!file)
        return -1;
    std::vector<char> buffer(kBuffer);
    std::int64_t lines = 0;
    for (int got = 1; got > 0;) {
        got = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
        if (got < 0)
            return -1;
        lines += std::count(buffer.data(), buffer.data() + got, '\n');
    }
    return lines;
}

std::int64_t sqliteInserts(const std::string &path, std::int64_t rows) {
    sqlite3 *database = nullptr;
    sqlite3_stmt *insert = nullptr;
    bool ok = sqlite3_open(path.c_str(), &database) == SQLITE_OK;
    ok = ok && sqlite3_exec(database,
                            "PRAGMA page_size=16384; PRAGMA journal_mode=off; PRAGMA synchronous=off;"
                            "CREATE TABLE t(a INTEGER PRIMARY KEY, b, c, d, e, f, g); BEGIN",
                            nullptr, nullptr, nullptr) == SQLITE_OK;
    ok = ok &&
         sqlite3_prepare_v2(database, "INSERT INTO t VALUES(?,?,?,?,?,?,?)", -1, &insert, nullptr) == SQLITE_OK;
    for (std::int64_t row = 0; ok && row < rows; ++row) {
        for (int column = 1; column <= 7; ++column)
            sqlite3_bind_int64(insert, column, row * column);
        ok = sqlite3_step(insert) == SQLITE_DONE && sqlite3_reset(insert) == SQLITE_OK;
    }
    sqlite3_finalize(insert);
    ok = ok && sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr) == SQLITE_OK;
    sqlite3_close(database);
    return ok ? rows : -1;
}

}  // namespace wattproof::bench
