// Reads the members of a JSON object that a person wrote, and says what is wrong with it: file, key, expected
// type.
#pragma once

#include "store/result.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace wattproof::importers {

class JsonFields {
public:
    // file and path ("columns[3]") go into messages.
    JsonFields(const nlohmann::json &object, std::string file, std::string path, std::optional<Error> &error);

    [[nodiscard]] bool has(const char *key) const { return object_.is_object() && object_.contains(key); }
    std::string text(const char *key, std::string fallback = {});
    std::optional<double> number(const char *key);
    std::optional<int> integer(const char *key);
    bool flag(const char *key, bool fallback);
    // An array of strings, or one string.
    std::vector<std::string> texts(const char *key);
    // An object of words, in lower case, with the bit that each stands for.
    std::vector<std::pair<std::string, int>> bits(const char *key);
    // An object member's fields, an array member's objects; empty when the key is absent.
    std::optional<JsonFields> object(const char *key);
    std::vector<JsonFields> objects(const char *key);
    // The member as it stands, for a key with several shapes.
    const nlohmann::json *raw(const char *key);

    void require(const char *key, const char *expected);
    void fail(std::string_view key, std::string_view expected);  // `"columns[3].kind" must be <expected>`
    void rejectUnknownKeys();                                    // all keys that were not asked for
    [[nodiscard]] const std::string &file() const { return file_; }
    [[nodiscard]] bool failed() const { return error_.has_value(); }

private:
    [[nodiscard]] const nlohmann::json *find(const char *key);
    [[nodiscard]] std::string full(std::string_view key) const;

    const nlohmann::json &object_;
    std::string file_, path_;
    std::optional<Error> &error_;
    std::set<std::string, std::less<>> asked_;
};

// Parses a document; a syntax error names the file and the byte.
[[nodiscard]] Expected<nlohmann::json> parseJson(std::string_view text, const std::string &file);

}  // namespace wattproof::importers
