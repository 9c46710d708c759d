#include "analysis/thermal/throttle_masks.h"

#include "analysis/json/fields.h"
#include "resources/embedded.h"

namespace wattproof::analysis {
namespace {

using nlohmann::json;

constexpr const char *kFolder = "throttle/";

Expected<ThrottleReason> reasonFrom(const json &item, const std::string &path, const std::string &origin) {
    ThrottleReason reason;
    Fields fields(item, path, origin);
    double bit = -1;
    fields.number("bit", bit);
    fields.text("name", reason.name);
    fields.text("class", reason.clampClass);
    if (const json *holds = fields.array("holds"))
        for (const json &value : *holds) {
            if (value.is_number_integer())
                reason.holds.push_back(value.get<int>());
            else
                fields.reject("holds", "a list of bit numbers");
        }
    if (bit < 0 || bit > 63)
        fields.reject("bit", "a number from 0 to 63");
    if (reason.name.empty())
        fields.reject("name", "the name of the reason");
    reason.bit = static_cast<int>(bit);
    if (const Status status = fields.finish(); !status)
        return tl::unexpected<Error>(status.error());
    return reason;
}

}  // namespace

Expected<std::vector<ThrottleReason>> throttleReasons(const std::string &table) {
    std::vector<ThrottleReason> reasons;
    for (const resources::File &file : resources::load(kFolder)) {
        const json document = json::parse(file.content, nullptr, false);
        if (document.is_discarded() || !document.is_object() || !document.value("tables", json()).is_object())
            return failure("the throttle masks are not a JSON object with \"tables\"",
                           file.origin + ", " + file.path, {});
        const json &tables = document["tables"];
        if (!tables.contains(table) || !tables[table].is_array())
            continue;
        for (std::size_t i = 0; i < tables[table].size(); ++i) {
            auto reason =
                reasonFrom(tables[table][i], "tables." + table + "[" + std::to_string(i) + "]", file.origin);
            if (!reason)
                return passOn(reason);
            reasons.push_back(std::move(*reason));
        }
    }
    return reasons;
}

}  // namespace wattproof::analysis
