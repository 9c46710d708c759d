#include "importers/requests/request_checks.h"

#include "importers/requests/log_run.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace wattproof::importers::requests {
namespace {

constexpr std::size_t kMostIds = std::size_t{4} << 20U;
constexpr Ns kSecond = 1'000'000'000, kDay = 86'400 * kSecond;
// Between the fastest stream of one request and the slowest, as far as a unit that is off by 1000 stands out.
constexpr double kMostTokensPerSecond = 20'000, kMostSecondsPerToken = 5, kTokensToTell = 10;
constexpr std::int64_t kRequestsToTell = 20;

// Whether the first is the second times 1000, 10⁶ or 10⁹, or a fraction as small.
bool isOffByUnit(double stated, double measured) {
    const double power = std::log10(stated / measured) / 3;
    return std::abs(power) > 0.5 && std::abs(power - std::round(power)) < 0.02;
}

}  // namespace

void RequestChecks::take(const StatedRequest &request) {
    noteId(request);
    if (request.start && *request.start < 0)
        tally_.add("negative_time", request.line, "requests begin before the zero of their clock");
    if (request.start) {
        ++timed_;
        firstStart_ = std::min(firstStart_.value_or(*request.start), *request.start);
        lastStart_ = std::max(lastStart_.value_or(*request.start), *request.start);
    }
    if (request.ok)
        noteLength(request);
}

void RequestChecks::noteId(const StatedRequest &request) {
    if (request.id.empty())
        return;
    if (ids_.size() < kMostIds)
        ids_.emplace_back(std::hash<std::string_view>{}(request.id), request.line);
    else
        tally_.add("unchecked_id", request.line,
                   "ids beyond the first " + std::to_string(kMostIds) + " were not compared with those before");
}

void RequestChecks::noteLength(const StatedRequest &request) {
    ++byMagnitude_[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(request.dur)))];
    if (request.dur == 0)
        return tally_.add("unmeasured_value", request.line,
                          "the length of some requests is 0: it was not measured");
    if (request.firstToken && *request.firstToken > request.dur)
        tally_.add(
            "contradicted_length", request.line,
            "lengths that disagree with other columns: the first token comes after the end, or start and end "
            "are further apart");
    const double seconds = static_cast<double>(request.dur) / static_cast<double>(kSecond);
    const double tokens = request.units.value_or(0);
    const bool tooShort = tokens >= kTokensToTell && tokens / seconds > kMostTokensPerSecond;
    const bool tooLong = tokens >= kTokensToTell && seconds / tokens > kMostSecondsPerToken;
    if (tooShort || tooLong || request.dur > kDay)
        tally_.add(
            "implausible_length", request.line,
            "lengths that no request is likely to have (more than 20,000 tokens a second, 5 s a token, a day): "
            "their unit may be another");
}

void RequestChecks::compare(Ns stated, Ns startToEnd, std::uint64_t line) {
    if (stated <= 0 || startToEnd <= 0)
        return;
    const auto a = static_cast<double>(stated), b = static_cast<double>(startToEnd);
    if (isOffByUnit(a, b))
        tally_.add(
            "unit_mismatch", line,
            "stated lengths are off by 1000 or more from end − start: their column has another unit than its "
            "name says; end − start counts");
    else if (std::abs(a - b) > 0.1 * std::max(a, b) && std::abs(a - b) > 0.01 * static_cast<double>(kSecond))
        tally_.add("contradicted_length", line,
                   "stated lengths differ from end − start by more than a tenth; end − start counts");
}

void RequestChecks::finish() {
    finishIds();
    finishLengths();
}

void RequestChecks::finishIds() {
    std::sort(ids_.begin(), ids_.end());
    std::int64_t repeats = 0;
    std::uint64_t firstLine = 0;
    for (std::size_t i = 1; i < ids_.size(); ++i) {
        if (ids_[i].first != ids_[i - 1].first)
            continue;
        ++repeats;
        firstLine = firstLine == 0 ? ids_[i].second : std::min(firstLine, ids_[i].second);
    }
    if (repeats > 0)
        tally_.add(
            "repeated_id", firstLine,
            "requests have the id of an earlier one (retries, or rows that were written twice): each counts",
            repeats);
}

// Only where the unit was assumed: requests that are sent all at once are longer than the sending, too.
void RequestChecks::finishLengths() {
    if (tally_.count("assumed_unit") == 0 || timed_ < kRequestsToTell || !firstStart_)
        return;
    Ns span = 0;
    if (__builtin_sub_overflow(*lastStart_, *firstStart_, &span) || span < kSecond)
        return;
    const auto bits = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(span)));
    std::int64_t longer = 0, all = 0;
    for (std::size_t i = 0; i < byMagnitude_.size(); ++i) {
        all += byMagnitude_[i];
        longer += i > bits ? byMagnitude_[i] : 0;
    }
    if (longer * 2 > all)
        tally_.add(
            "implausible_length", 0,
            "most lengths, read as seconds, are longer than the time in which all requests began: their unit "
            "may be another; give it in the column's name or by a descriptor",
            longer);
}

}  // namespace wattproof::importers::requests
