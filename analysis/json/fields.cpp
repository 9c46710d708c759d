#include "analysis/json/fields.h"

namespace wattproof::analysis {

using nlohmann::json;

Fields::Fields(const json &object, std::string path, std::string origin)
    : object_(object), path_(std::move(path)), origin_(std::move(origin)) {
    if (!object_.is_object())
        error_ = Error{(path_.empty() ? "the document" : path_) + " must be an object", origin_, {}};
}

std::string Fields::pathOf(const std::string &key) const {
    return path_.empty() ? key : path_ + "." + key;
}

const json *Fields::find(const char *key) {
    known_.insert(key);
    if (error_)
        return nullptr;
    const auto it = object_.find(key);
    return it == object_.end() || it->is_null() ? nullptr : &*it;
}

void Fields::reject(const std::string &key, const std::string &expected) {
    if (!error_)
        error_ = Error{"\"" + pathOf(key) + "\" must be " + expected, origin_, {}};
}

void Fields::text(const char *key, std::string &out) {
    const json *value = find(key);
    if (value == nullptr)
        return;
    if (value->is_string())
        out = value->get<std::string>();
    else
        reject(key, "text");
}

void Fields::number(const char *key, std::optional<double> &out) {
    const json *value = find(key);
    if (value == nullptr)
        return;
    if (value->is_number())
        out = value->get<double>();
    else
        reject(key, "a number");
}

void Fields::number(const char *key, double &out) {
    std::optional<double> value;
    number(key, value);
    out = value.value_or(out);
}

void Fields::texts(const char *key, std::vector<std::string> &out) {
    const json *list = array(key);
    if (list == nullptr)
        return;
    for (const json &item : *list) {
        if (!item.is_string())
            return reject(key, "a list of texts");
        out.push_back(item.get<std::string>());
    }
}

const json *Fields::object(const char *key) {
    const json *value = find(key);
    if (value == nullptr || value->is_object())
        return value;
    reject(key, "an object");
    return nullptr;
}

const json *Fields::array(const char *key) {
    const json *value = find(key);
    if (value == nullptr || value->is_array())
        return value;
    reject(key, "a list");
    return nullptr;
}

const json *Fields::any(const char *key) {
    return find(key);
}

void Fields::adopt(Fields &nested) {
    if (const Status status = nested.finish(); !status && !error_)
        error_ = status.error();
}

Status Fields::finish() {
    if (error_)
        return tl::unexpected<Error>(*error_);
    for (const auto &[key, value] : object_.items()) {
        if (!known_.contains(key))
            return failure("\"" + pathOf(key) + "\" is not a known key", origin_,
                           "correct its spelling or remove it");
    }
    return {};
}

}  // namespace wattproof::analysis
