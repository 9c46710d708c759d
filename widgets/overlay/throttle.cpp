#include "widgets/overlay/throttle.h"

#include "analysis/thermal/throttle_masks.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

namespace wattproof::widgets {
namespace {

using analysis::ThrottleReason;
using Reasons = std::map<std::string, std::set<std::string>>;  // class -> names

constexpr int kBits = 64;

bool isSet(std::uint64_t mask, int bit) {
    return (mask >> static_cast<unsigned>(bit) & 1U) != 0;
}

// A user's own setting holds nothing back; being idle is a class of its own.
std::string classOf(const ThrottleReason &reason) {
    if (reason.clampClass != "none")
        return reason.clampClass;
    return reason.name.find("idle") != std::string::npos ? "idle" : "";
}

void addReasons(double value, const std::vector<ThrottleReason> &table, Reasons &into) {
    if (!(value >= 0) || value >= 0x1p64)
        return;
    const auto mask = static_cast<std::uint64_t>(value);
    std::uint64_t known = 0;
    for (const ThrottleReason &reason : table) {
        known |= std::uint64_t{1} << static_cast<unsigned>(reason.bit);
        const auto more = [mask](int bit) { return isSet(mask, bit); };
        const bool saidMoreExactly = std::any_of(reason.holds.begin(), reason.holds.end(), more);
        if (const std::string group = classOf(reason);
            isSet(mask, reason.bit) && !saidMoreExactly && !group.empty())
            into[group].insert(reason.name);
    }
    for (int bit = 0; bit < kBits; ++bit)
        if (isSet(mask & ~known, bit))
            into["other"].insert("bit " + std::to_string(bit));
}

std::string joined(const std::set<std::string> &names) {
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

Ns standsUntil(const std::vector<store::CounterBucket> &buckets, std::size_t i, Ns period) {
    const bool last = i + 1 == buckets.size();
    return last || buckets[i + 1].gapBefore ? buckets[i].end + std::max<Ns>(period, 1) : buckets[i + 1].ts;
}

}  // namespace

const std::vector<std::string> &throttleClasses() {
    static const std::vector<std::string> classes{"thermal", "power", "current", "other", "idle"};
    return classes;
}

std::vector<std::string> rowsWith(const std::vector<std::string> &before, const std::vector<ThrottleSpan> &spans) {
    std::set<std::string> seen(before.begin(), before.end());
    for (const ThrottleSpan &span : spans)
        seen.insert(span.throttleClass);
    std::vector<std::string> rows;
    for (const std::string &group : throttleClasses())
        if (seen.contains(group))
            rows.push_back(group);
    return rows;
}

std::string throttleWord(const std::string &throttleClass) {
    if (throttleClass == "thermal")
        return "thermal";
    if (throttleClass == "power")
        return "power cap";
    if (throttleClass == "current")
        return "current limit";
    return throttleClass == "idle" ? "idle" : "other limit";
}

Expected<std::vector<ThrottleSpan>> throttleSpans(const CounterRow &mask,
                                                  const std::vector<store::CounterBucket> &buckets, Ns period) {
    auto table = analysis::throttleReasons(mask.flagTable);
    if (!table)
        return passOn(table);
    std::vector<ThrottleSpan> spans;
    std::map<std::string, std::size_t> open;  // class -> its latest span
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        Reasons reasons;
        for (const double value : {buckets[i].first, buckets[i].min, buckets[i].max, buckets[i].last})
            addReasons(value, *table, reasons);
        const TimeRange range{buckets[i].ts, standsUntil(buckets, i, period)};
        for (const auto &[group, names] : reasons) {
            const std::string text = joined(names);
            const auto before = open.find(group);
            if (before != open.end() && spans[before->second].range.end >= range.begin &&
                spans[before->second].reasons == text) {
                spans[before->second].range.end = range.end;
                continue;
            }
            open[group] = spans.size();
            spans.push_back({range, group, text, mask.device});
        }
    }
    return spans;
}

}  // namespace wattproof::widgets
