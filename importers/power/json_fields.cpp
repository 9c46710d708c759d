#include "importers/power/json_fields.h"

#include "importers/table/table_reader.h"

#include <algorithm>
#include <utility>

namespace wattproof::importers {

using nlohmann::json;

JsonFields::JsonFields(const json &object, std::string file, std::string path, std::optional<Error> &error)
    : object_(object), file_(std::move(file)), path_(std::move(path)), error_(error) {
    if (!object_.is_object())
        fail("", "an object");
}

std::string JsonFields::full(std::string_view key) const {
    if (path_.empty())
        return std::string(key);
    return key.empty() ? path_ : path_ + "." + std::string(key);
}

void JsonFields::fail(std::string_view key, std::string_view expected) {
    if (error_)
        return;
    const std::string name = full(key);
    error_ = Error{(name.empty() ? std::string("the document") : "the key \"" + name + "\"") + " must be " +
                       std::string(expected),
                   file_, "correct the file; docs/formats.md documents its keys"};
}

const json *JsonFields::find(const char *key) {
    asked_.insert(key);
    if (!has(key))
        return nullptr;
    return &object_.at(key);
}

const json *JsonFields::raw(const char *key) {
    return find(key);
}

std::string JsonFields::text(const char *key, std::string fallback) {
    const json *value = find(key);
    if (!value)
        return fallback;
    if (!value->is_string()) {
        fail(key, "a string");
        return fallback;
    }
    return value->get<std::string>();
}

std::optional<double> JsonFields::number(const char *key) {
    const json *value = find(key);
    if (!value)
        return std::nullopt;
    if (!value->is_number()) {
        fail(key, "a number");
        return std::nullopt;
    }
    return value->get<double>();
}

std::optional<int> JsonFields::integer(const char *key) {
    const json *value = find(key);
    if (!value)
        return std::nullopt;
    if (!value->is_number_integer() || value->get<std::int64_t>() < 0 || value->get<std::int64_t>() > 10000) {
        fail(key, "an integer between 0 and 10000");
        return std::nullopt;
    }
    return value->get<int>();
}

bool JsonFields::flag(const char *key, bool fallback) {
    const json *value = find(key);
    if (!value)
        return fallback;
    if (!value->is_boolean())
        fail(key, "true or false");
    return value->is_boolean() ? value->get<bool>() : fallback;
}

std::vector<std::string> JsonFields::texts(const char *key) {
    const json *value = find(key);
    std::vector<std::string> result;
    if (!value)
        return result;
    if (value->is_string())
        return {value->get<std::string>()};
    if (!value->is_array())
        fail(key, "a string or an array of strings");
    for (const json &item : *value) {
        if (!item.is_string()) {
            fail(key, "a string or an array of strings");
            return {};
        }
        result.push_back(item.get<std::string>());
    }
    return result;
}

std::vector<std::pair<std::string, int>> JsonFields::bits(const char *key) {
    const json *value = find(key);
    std::vector<std::pair<std::string, int>> result;
    if (!value)
        return result;
    const auto isBit = [](const json &bit) { return bit.is_number_unsigned() && bit <= 52U; };
    if (!value->is_object() || !std::all_of(value->begin(), value->end(), isBit))
        fail(key, "an object of words with their bits, between 0 and 52");
    else
        for (const auto &[word, bit] : value->items())
            result.emplace_back(lowered(word), bit.get<int>());
    return result;
}

std::optional<JsonFields> JsonFields::object(const char *key) {
    const json *value = find(key);
    if (!value)
        return std::nullopt;
    return JsonFields(*value, file_, full(key), error_);
}

std::vector<JsonFields> JsonFields::objects(const char *key) {
    const json *value = find(key);
    std::vector<JsonFields> result;
    if (!value)
        return result;
    if (!value->is_array()) {
        fail(key, "an array of objects");
        return result;
    }
    for (std::size_t i = 0; i < value->size(); ++i)
        result.emplace_back((*value)[i], file_, full(key) + "[" + std::to_string(i) + "]", error_);
    return result;
}

void JsonFields::require(const char *key, const char *expected) {
    if (!has(key))
        fail(key, std::string("there: ") + expected);
}

void JsonFields::rejectUnknownKeys() {
    if (!object_.is_object())
        return;
    for (const auto &[key, value] : object_.items())
        if (!asked_.contains(key) && !error_)
            error_ = Error{"the key \"" + full(key) + "\" is not known", file_,
                           "remove it or correct its spelling; docs/formats.md documents the keys"};
}

Expected<json> parseJson(std::string_view text, const std::string &file) {
    try {
        return json::parse(text.begin(), text.end());
    } catch (const json::parse_error &e) {
        return failure("the file is not valid JSON", file + ", byte " + std::to_string(e.byte),
                       "correct it; docs/formats.md has an example");
    } catch (const json::exception &e) {
        return failure("the file holds what cannot be kept", file + ": " + e.what(),
                       "correct it; docs/formats.md has an example");
    }
}

}  // namespace wattproof::importers
