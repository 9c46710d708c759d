// Reading JSON objects key by key with errors that name the key and the type it should have.
#pragma once

#include "store/result.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace wattproof::analysis {

// Takes keys out of one object. The first wrong one is kept as the error; later calls then do nothing.
class Fields {
public:
    Fields(const nlohmann::json &object, std::string path, std::string origin);

    void text(const char *key, std::string &out);
    void number(const char *key, double &out);
    void number(const char *key, std::optional<double> &out);
    void texts(const char *key, std::vector<std::string> &out);
    // The member, or null when it is absent or of another type (which is then the error).
    const nlohmann::json *object(const char *key);
    const nlohmann::json *array(const char *key);
    const nlohmann::json *any(const char *key);

    void reject(const std::string &key, const std::string &expected);
    void adopt(Fields &nested);     // takes over the error of a nested object
    [[nodiscard]] Status finish();  // an error too when a key was never asked for
    [[nodiscard]] std::string pathOf(const std::string &key) const;
    [[nodiscard]] const std::string &origin() const { return origin_; }

private:
    const nlohmann::json *find(const char *key);

    const nlohmann::json &object_;
    std::string path_, origin_;
    std::set<std::string> known_;
    std::optional<Error> error_;
};

}  // namespace wattproof::analysis
