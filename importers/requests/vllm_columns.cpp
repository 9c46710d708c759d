#include "importers/requests/vllm_columns.h"

#include "importers/table/table_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

namespace wattproof::importers::requests {
namespace {

constexpr double kNanosecondsInSecond = 1e9, kLongestSeconds = 1e9;
constexpr std::size_t kLongestError = 500;

std::optional<Ns> nanoseconds(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0 || seconds > kLongestSeconds)
        return std::nullopt;
    return static_cast<Ns>(std::llround(seconds * kNanosecondsInSecond));
}

}  // namespace

void VllmColumns::push(std::vector<double> &column, const JsonValue &value) {
    const bool number = value.kind == JsonValue::Kind::Integer || value.kind == JsonValue::Kind::Real;
    if (column.size() < kMostRequests)
        column.push_back(number ? value.real : std::numeric_limits<double>::quiet_NaN());
    else if (&column == &firstTokens_)
        ++beyond_;
}

bool VllmColumns::take(std::string_view path, const JsonValue &value) {
    if (!path.ends_with(']'))
        return false;
    if (path == "ttfts[]")
        push(firstTokens_, value);
    else if (path == "input_lens[]")
        push(inputs_, value);
    else if (path == "output_lens[]")
        push(outputs_, value);
    else if (path == "start_times[]")
        push(starts_, value);
    else if (path == "itls[][]")
        gap_ += value.real;
    else if (path == "errors[]")
        takeError(value);
    else
        ++unread_;
    return true;
}

void VllmColumns::takeError(const JsonValue &value) {
    const bool failed = value.kind == JsonValue::Kind::Text && !value.text.empty();
    if (failed && failures_.size() < kMostRequests)
        failures_.push_back({errors_, validUtf8(std::string_view(value.text).substr(0, kLongestError))});
    ++errors_;
}

void VllmColumns::closeList(std::string_view path) {
    if (path == "itls")
        gapsSeen_ = true;
    if (path != "itls[]")
        return;
    JsonValue sum;
    sum.kind = JsonValue::Kind::Real;
    sum.real = std::exchange(gap_, 0);
    push(gaps_, sum);
}

// Requests whose lists are all there; a document that is cut has some shorter ones.
std::size_t VllmColumns::countOf() const {
    std::size_t count = firstTokens_.size();
    for (const std::vector<double> *column : {&gaps_, &inputs_, &outputs_})
        count = column->empty() ? count : std::min(count, column->size());
    return gaps_.empty() && !gapsSeen_ ? 0 : count;
}

StatedRequest VllmColumns::requestAt(std::size_t index) const {
    StatedRequest request;
    request.name = "request";
    const auto first = nanoseconds(firstTokens_[index]);
    const auto rest = index < gaps_.size() ? nanoseconds(gaps_[index]) : std::nullopt;
    nlohmann::json attributes = {{"id", index}};
    const auto failed = std::lower_bound(failures_.begin(), failures_.end(), index,
                                         [](const Failure &f, std::size_t i) { return f.request < i; });
    request.ok = failed == failures_.end() || failed->request != index;
    if (!request.ok)
        attributes["error"] = failed->text;
    if (first && *first > 0) {
        attributes["ttft_ns"] = *first;
        request.firstToken = first;
    }
    if (index < inputs_.size() && std::isfinite(inputs_[index]))
        attributes["input_tokens"] = inputs_[index];
    if (index < outputs_.size() && std::isfinite(outputs_[index]) && outputs_[index] >= 0)
        request.units = outputs_[index];
    if (starts_.size() > index && nanoseconds(starts_[index]))
        request.start = nanoseconds(starts_[index]);
    request.dur = first.value_or(0) + rest.value_or(0);
    request.attributesJson = attributes.dump();
    return request;
}

void VllmColumns::noteLost(LogRun &run, std::size_t count) const {
    const std::size_t lost = std::max({firstTokens_.size(), gaps_.size(), outputs_.size()}) - count;
    if (lost > 0)
        run.tally().add("missing_field", 0, "requests without all of their lists were left out",
                        static_cast<std::int64_t>(lost));
    if (beyond_ > 0)
        run.tally().add(
            "too_many_requests", 0,
            "requests beyond the first " + std::to_string(kMostRequests) + " of one document were left out",
            static_cast<std::int64_t>(beyond_));
    if (unread_ > 0)
        run.tally().add("unread_section", 0,
                        "values of lists that are no times or lengths (generated texts) are not kept",
                        static_cast<std::int64_t>(unread_));
}

// Start times are of a clock that begins anywhere. The first request begins the run, whose end and length are
// stated to a second: what is to be added to every start so that they lie there.
std::optional<Ns> VllmColumns::startOffset(LogRun &run) const {
    std::optional<Ns> first;
    for (const double seconds : starts_)
        if (const auto start = nanoseconds(seconds))
            first = std::min(first.value_or(*start), *start);
    if (!first)
        return std::nullopt;
    Ns offset = 0;
    if (!run.windowBegin() || __builtin_sub_overflow(*run.windowBegin(), *first, &offset)) {
        run.settle(ClockBasis::Relative, {});
        return 0;
    }
    run.tally().add("estimated_time", 0,
                    "the first request is placed at the stated date minus the stated duration, which are given to "
                    "a second");
    return offset;
}

Status VllmColumns::write(LogRun &run) const {
    const std::size_t count = countOf();
    noteLost(run, count);
    const auto offset = startOffset(run);
    for (std::size_t i = 0; i < count; ++i) {
        StatedRequest request = requestAt(i);
        if (request.ok && !nanoseconds(firstTokens_[i])) {
            run.tally().add("missing_value", 0,
                            "requests whose time to the first token is below 0 or no number were left out");
            continue;
        }
        if (offset && !request.start) {
            run.tally().add("missing_field", 0, "requests without all of their lists were left out");
            continue;
        }
        if (request.start && __builtin_add_overflow(*request.start, offset.value_or(0), &*request.start)) {
            run.tally().add("timestamp_overflow", 0, "requests beyond any clock were left out");
            continue;
        }
        if (!request.ok)
            run.tally().add("failed_request", 0,
                            "requests failed: they have no latency, and count against attainment");
        run.countRecord();
        if (Status status = run.add(request); !status)
            return status;
    }
    return {};
}

}  // namespace wattproof::importers::requests
