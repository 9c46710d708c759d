#include "importers/requests/request_row.h"

#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

namespace wattproof::importers::requests {
namespace {

constexpr std::size_t kLongestText = 500;
constexpr Ns kHalfDay = Ns{43'200} * 1'000'000'000;
constexpr std::string_view kOkWords[] = {"ok",       "success", "successful", "succeeded", "true",     "1",
                                         "yes",      "pass",    "passed",     "completed", "complete", "done",
                                         "finished", "stop",    "length",     "valid"};
constexpr std::string_view kFailedWords[] = {
    "error",   "timeout",  "failed", "failure", "false",     "0",           "no",   "cancelled", "canceled",
    "aborted", "rejected", "shed",   "dropped", "exception", "unavailable", "fail", "timed out", "invalid"};
constexpr std::string_view kNoError[] = {"", "none", "null", "nan", "n/a", "0", "-", "false", "[]", "{}", "ok"};
constexpr std::string_view kMalformed =
    "rows that are no requests (damaged, cut, without readable times) were skipped";

template <class Words>
bool isOneOf(const Words &words, std::string_view text) {
    return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

std::size_t indexOf(Field field) {
    return static_cast<std::size_t>(field);
}

int digitsOfUnit(std::string_view unit) {
    return unit == "ns" ? 0 : unit == "us" ? 3 : unit == "ms" ? 6 : 9;
}

// Numbers stay numbers; a text is cut where it is longer than a label.
nlohmann::json jsonOf(std::string_view text) {
    std::int64_t whole = 0;
    const char *end = text.data() + text.size();
    if (const auto [stop, error] = std::from_chars(text.data(), end, whole); error == std::errc{} && stop == end)
        return whole;
    if (const auto number = parseNumber(text, false); number && number->rest.empty())
        return number->value;
    return validUtf8(text.substr(0, kLongestText));
}

}  // namespace

void CellTexts::clear() {
    text.fill({});
    bound.fill(nullptr);
    attributes.clear();
}

void CellTexts::take(const BoundField &field, std::string_view key, std::string_view cell) {
    if (field.field == Field::None || cell.empty())
        return;
    if (field.field == Field::Attribute || field.field == Field::Figure)
        return attributes.push_back({key, cell});
    const std::size_t at = indexOf(field.field);
    if (bound[at] && bound[at]->rank <= field.rank)
        return;
    bound[at] = &field;
    text[at] = cell;
}

std::optional<bool> statusWord(std::string_view text) {
    const std::string word = lowered(trimmed(text));
    if (isOneOf(kOkWords, word))
        return true;
    if (isOneOf(kFailedWords, word))
        return false;
    int code = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), code);
    const bool http = error == std::errc{} && end == word.data() + word.size() && code >= 100 && code <= 599;
    return http ? std::optional(code < 400) : std::nullopt;
}

std::optional<Ns> lengthText(std::string_view text, std::string_view unit) {
    if (const auto exact = decimalToInteger(text, digitsOfUnit(unit)))
        return exact;
    const auto number = parseNumber(text, false);
    if (!number)
        return std::nullopt;
    UnitScale scale{"s", 1, std::pow(10.0, 9 - digitsOfUnit(unit))};
    if (!number->rest.empty()) {
        const auto own = unitScale(number->rest);
        if (!own || own->unit != "s")
            return std::nullopt;
        scale = *own;
    }
    const double ns = std::round(scale.apply(number->value) * 1e9);
    return std::abs(ns) < 9.2e18 ? std::optional(static_cast<Ns>(ns)) : std::nullopt;
}

std::optional<Ns> RequestReader::stamp(std::optional<LogClock> &clock, const CellTexts &cells, Field field) {
    const std::string_view text = cells.of(field);
    if (text.empty())
        return std::nullopt;
    if (!clock)
        clock = run_.newClock(stampUnitFromWord(cells.bound[indexOf(field)]->unit).value_or(StampUnit::Auto));
    const auto ns = clock->read(text);
    if (ns)
        run_.settle(*clock);
    return ns;
}

std::optional<Ns> RequestReader::length(const CellTexts &cells, Field field, std::uint64_t line) {
    const std::string_view text = cells.of(field);
    if (text.empty())
        return std::nullopt;
    const std::string &unit = cells.bound[indexOf(field)]->unit;
    const auto ns = lengthText(text, unit);
    const bool ownUnit = text.back() == 's';
    if (ns && !ownUnit && (unit.empty() || unit == "auto"))
        run_.tally().add("assumed_unit", line,
                         "neither name nor value of a latency states its unit: seconds were assumed");
    return ns;
}

bool RequestReader::succeeded(const CellTexts &cells, std::uint64_t line) {
    const std::string_view status = cells.of(Field::Status);
    const bool error = !isOneOf(kNoError, lowered(trimmed(cells.of(Field::Error))));
    if (status.empty())
        return !error;
    const auto word = statusWord(status);
    if (!word)
        run_.tally().add("unknown_status", line,
                         "statuses such as \"" + validUtf8(status.substr(0, 60)) +
                             "\" are not known; such requests count as failed");
    return word.value_or(false) && !error;
}

// None where the two are of different clocks, or further apart than any clock goes.
std::optional<Ns> RequestReader::between(Ns start, Ns end) const {
    Ns dur = 0;
    if (start_->basis() != end_->basis() || __builtin_sub_overflow(end, start, &dur))
        return std::nullopt;
    const bool pastMidnight = start_->basis() == ClockBasis::TimeOfDay && dur < -kHalfDay;
    return pastMidnight ? dur + 2 * kHalfDay : dur;
}

// Start and length; false, and counted, where a request that succeeded lacks one that its log has.
bool RequestReader::place(StatedRequest &request, const CellTexts &cells, std::uint64_t line) {
    const auto start = stamp(start_, cells, Field::Start), end = stamp(end_, cells, Field::End);
    auto dur = length(cells, Field::Duration, line);
    if (start && end) {
        const auto measured = between(*start, *end);
        if (!measured)
            return run_.tally().add("malformed_row", line, kMalformed), false;
        if (dur && request.ok)
            run_.checks().compare(*dur, *measured, line);
        dur = measured;
    }
    request.start = start;
    Ns begin = 0;
    if (!start && end && dur && !__builtin_sub_overflow(*end, *dur, &begin))
        request.start = begin;
    else if (!start && end && !request.ok)
        request.start = end;
    const bool unread = (!cells.of(Field::Start).empty() && !start) || (!cells.of(Field::End).empty() && !end) ||
                        (!cells.of(Field::Duration).empty() && !dur);
    const bool timedLog = start_.has_value() || end_.has_value();
    if (unread || (timedLog && !request.start))
        return run_.tally().add("malformed_row", line, kMalformed), false;
    if (!dur && request.ok)
        return run_.tally().add("missing_field", line, "requests without a length or an end were left out"), false;
    request.dur = dur.value_or(0);
    if (request.dur < 0)
        return run_.tally().add("negative_duration", line, "requests that end before they begin were left out"),
               false;
    return true;
}

std::optional<Ns> RequestReader::firstToken(const CellTexts &cells, std::uint64_t line) {
    const auto ttft = length(cells, Field::FirstToken, line);
    if (ttft && *ttft == 0)
        run_.tally().add("unmeasured_value", line,
                         "a time to the first token of 0 means that none came: it is left out");
    else if (ttft && *ttft < 0)
        run_.tally().add("negative_time", line, "times to the first token below 0 were left out");
    return ttft && *ttft > 0 ? ttft : std::nullopt;
}

std::string RequestReader::attributesOf(const CellTexts &cells, const StatedRequest &request) {
    nlohmann::json object = nlohmann::json::object();
    if (!cells.of(Field::Id).empty())
        object["id"] = jsonOf(cells.of(Field::Id));
    if (request.firstToken)
        object["ttft_ns"] = *request.firstToken;
    for (const auto &[key, text] : cells.attributes)
        object[validUtf8(key)] = jsonOf(text);
    if (!cells.of(Field::Error).empty() && !isOneOf(kNoError, lowered(trimmed(cells.of(Field::Error)))))
        object["error"] = validUtf8(cells.of(Field::Error).substr(0, kLongestText));
    if (!cells.of(Field::Status).empty())
        object["status"] = validUtf8(cells.of(Field::Status).substr(0, kLongestText));
    return object.dump();
}

Status RequestReader::take(const CellTexts &cells, std::uint64_t line) {
    StatedRequest request;
    request.id = cells.of(Field::Id);
    request.line = line;
    request.ok = succeeded(cells, line);
    if (!place(request, cells, line))
        return {};
    const std::string_view group = cells.of(Field::Group);
    request.name = group.empty() ? "request" : validUtf8(group.substr(0, kLongestText));
    if (const std::string_view tokens = cells.of(Field::Tokens); !tokens.empty()) {
        const auto number = parseNumber(tokens, false);
        if (number && number->rest.empty() && number->value >= 0)
            request.units = number->value;
        else
            run_.tally().add("missing_value", line, "numbers of tokens that cannot be read are unknown, not 0");
    }
    request.firstToken = firstToken(cells, line);
    request.attributesJson = attributesOf(cells, request);
    if (!request.ok)
        run_.tally().add("failed_request", line,
                         "requests failed: they have no latency, and count against attainment");
    run_.countRecord();
    return run_.add(request);
}

}  // namespace wattproof::importers::requests
