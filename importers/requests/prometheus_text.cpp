#include "importers/requests/prometheus_text.h"

#include "importers/requests/report_text.h"
#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"

#include <algorithm>

namespace wattproof::importers::requests {
namespace {

constexpr std::size_t kMostTypes = 10'000, kMostUntimed = 2000, kLongestSeries = 500;

std::string_view takeWord(std::string_view &line) {
    line = trimmed(line);
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(word.size());
    line = trimmed(line);
    return word;
}

// Where the name and its labels end: labels may hold blanks and brackets within quotes.
std::size_t endOfSeries(std::string_view line) {
    bool quoted = false, labels = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quoted && c == '\\')
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == '{')
            labels = true;
        else if (!quoted && c == '}')
            return i + 1;
        else if (!labels && (c == ' ' || c == '\t'))
            return i;
    }
    return labels ? std::string_view::npos : line.size();
}

bool isCounterName(std::string_view metric) {
    return metric.ends_with("_total") || metric.ends_with("_sum") || metric.ends_with("_count") ||
           metric.ends_with("_bucket");
}

}  // namespace

// Milliseconds since 1970, or in OpenMetrics seconds: told apart by size.
std::optional<Ns> PrometheusText::timeOf(std::string_view text) {
    if (!clock_)
        clock_ = run_.newClock(StampUnit::Auto);
    return clock_->read(text);
}

void PrometheusText::takeComment(std::string_view line) {
    line.remove_prefix(1);
    const std::string_view word = takeWord(line);
    if (word == "TYPE") {
        const std::string_view metric = takeWord(line);
        if (kinds_.size() < kMostTypes)
            kinds_.insert_or_assign(std::string(metric),
                                    line == "counter" ? CounterKind::Counter : CounterKind::Gauge);
    } else if (word == "scrape" || word == "timestamp" || word == "time") {
        scrape_ = timeOf(line);
    }
}

void PrometheusText::take(std::string_view line, std::uint64_t number) {
    if (line.starts_with('#'))
        return takeComment(line);
    const std::size_t end = endOfSeries(line);
    std::string_view rest = end == std::string_view::npos ? std::string_view() : line.substr(end);
    const std::string_view text = takeWord(rest);
    const auto value = parseNumber(text, false);
    if (!value || !value->rest.empty()) {
        const bool unknown = text == "NaN" || text == "+Inf" || text == "-Inf";
        return run_.tally().add(
            unknown ? "missing_value" : "malformed_row", number,
            unknown ? "values that are no numbers are unknown, not 0" : "lines that are no metrics were skipped");
    }
    std::optional<Ns> at = scrape_;
    rest = trimmed(rest.substr(0, rest.find('#')));  // OpenMetrics has an example of a bucket behind it
    if (!rest.empty())
        at = timeOf(rest);
    run_.countRecord();
    const std::string_view series = line.substr(0, std::min(end, kLongestSeries));
    if (!at) {
        if (untimed_.size() < kMostUntimed || untimed_.contains(std::string(series)))
            untimed_.insert_or_assign(std::string(series), value->value);
        else
            run_.tally().add(
                "unread_section", number,
                "series beyond the first " + std::to_string(kMostUntimed) + " without a time were left out");
        return;
    }
    const std::string_view metric = series.substr(0, series.find('{'));
    const auto kind = kinds_.find(metric);
    SeriesRule rule;
    rule.unit = "1";
    rule.quantity = std::string(metric);
    rule.kind = isCounterName(metric) ? CounterKind::Counter : CounterKind::Gauge;
    if (kind != kinds_.end())
        rule.kind = kind->second;
    run_.settle(*clock_);
    run_.addSample(validUtf8(series), rule, *at, value->value);
}

void PrometheusText::finish() {
    for (const auto &[series, value] : untimed_)
        run_.addMetadata(series, plainNumber(value));
    if (!untimed_.empty())
        run_.tally().add("missing_time", 0,
                         "values without a time are kept as metadata, the last of each: they make no curve",
                         static_cast<std::int64_t>(untimed_.size()));
}

}  // namespace wattproof::importers::requests
