#include "importers/requests/figures.h"

#include "importers/requests/direction.h"
#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"

#include <algorithm>
#include <cmath>

namespace wattproof::importers::requests {
namespace {

constexpr std::size_t kLongestName = 300, kMostPending = 200'000, kMostVerdicts = 20'000;

std::optional<double> figureNumber(std::string_view text) {
    const auto number = parseNumber(text, false);
    const bool plain = number && (number->rest.empty() || number->rest == "%");
    return plain ? std::optional(number->rest == "%" ? number->value / 100 : number->value) : std::nullopt;
}

std::optional<bool> truthOf(std::string_view text) {
    const std::string word = lowered(text);
    if (word == "true" || word == "1" || word == "yes" || word == "higher")
        return true;
    if (word == "false" || word == "0" || word == "no" || word == "lower")
        return false;
    return std::nullopt;
}

std::string sliceText(const std::vector<CellTexts::Attribute> &slices) {
    std::string text;
    for (const auto &[key, value] : slices) {
        text += text.empty() ? "" : ", ";
        text += figureNumber(value) ? validUtf8(key) + "=" + validUtf8(value)
                                    : validUtf8(value.substr(0, kLongestName));
    }
    return text;
}

bool allDigits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Where the last member of a path begins: "metrics.latency.p(99.9)" ends in one with a point.
std::size_t lastMember(std::string_view path) {
    const std::size_t until = path.ends_with(')') ? path.rfind('(') : std::string_view::npos;
    const std::size_t point = path.rfind('.', until);
    return point == std::string_view::npos ? 0 : point + 1;
}

}  // namespace

void FigureRows::take(const CellTexts &cells, const std::vector<CellTexts::Attribute> &slices,
                      std::uint64_t line) {
    run_.countRecord();
    const std::string slice = sliceText(slices);
    if (!run_.rules().series.empty())
        return addSamples(cells, slice, line);
    const bool named = !cells.of(Field::Value).empty() || cells.attributes.empty();
    if (run_.rules().has(Field::Value) && named) {
        const std::string_view metric = cells.of(Field::Metric);
        addFigure(metric.empty() ? std::string_view(run_.rules().metricName) : metric, slice,
                  cells.of(Field::Value), cells, line);
    }
    for (const auto &[key, text] : cells.attributes)
        addFigure(key, slice, text, cells, line);
}

void FigureRows::addFigure(std::string_view metric, const std::string &slice, std::string_view text,
                           const CellTexts &cells, std::uint64_t line) {
    const auto value = figureNumber(text);
    if (!value || metric.empty())
        return run_.tally().add("missing_value", line,
                                "figures without a name or a number were left out: they are unknown, not 0");
    QualityRow row;
    row.metric = validUtf8(metric.substr(0, kLongestName));
    row.slice = slice;
    row.value = *value;
    row.threshold = figureNumber(cells.of(Field::Threshold));
    row.higherIsBetter =
        truthOf(cells.of(Field::Higher))
            .value_or(run_.rules().moreIsBetter.value_or(higherIsBetter(run_.rules(), metric, metric, slice)));
    run_.add(std::move(row));
}

void FigureRows::addSamples(const CellTexts &cells, const std::string &slice, std::uint64_t line) {
    if (!clock_)
        clock_ = run_.newClock(StampUnit::Auto);
    const auto at = clock_->read(cells.of(Field::Time));
    if (!at)
        return run_.tally().add("malformed_row", line, "rows without a readable time were skipped");
    run_.settle(*clock_);
    for (const auto &[key, text] : cells.attributes) {
        const std::string name = lowered(key);
        const auto rule =
            std::find_if(run_.rules().series.begin(), run_.rules().series.end(),
                         [&name](const SeriesRule &series) { return anyMatches(series.names, name); });
        if (rule == run_.rules().series.end())
            continue;
        const auto value = figureNumber(text);
        const auto scale = unitScale(rule->unit);
        if (value && scale)
            run_.addSample(validUtf8(key) + (slice.empty() ? "" : " " + slice), *rule, *at, scale->apply(*value));
        else
            run_.tally().add("missing_value", line, "cells without a value are unknown, not 0");
    }
}

// Slice and metric of a path: what stands between its first and last member, and the last.
std::pair<std::string, std::string> FigureValues::named(std::string_view path) const {
    const Shape shape = run_.rules().shape;
    if (shape == Shape::KeyValue || shape == Shape::MlLog || shape == Shape::Equals)
        return {std::string(), validUtf8(path.substr(0, kLongestName))};
    const std::string &strip = run_.rules().strip;
    if (!strip.empty() && path.ends_with(strip))
        path.remove_suffix(strip.size());
    const std::size_t last = lastMember(path);
    const std::size_t first = path.find('.');
    std::string_view slice;
    if (last > 0 && first + 1 < last)
        slice = path.substr(first + 1, last - first - 2);
    if (slice.ends_with(".values"))
        slice.remove_suffix(std::string_view(".values").size());
    return {validUtf8(slice.substr(0, kLongestName)), validUtf8(path.substr(last, kLongestName))};
}

void FigureValues::take(std::string_view path, std::string_view text) {
    const LogRules &rules = run_.rules();
    for (const std::string *when : {&rules.windowBegin, &rules.windowEnd, &rules.windowDuration})
        if (!when->empty() && path == *when)
            window_.insert_or_assign(*when, std::string(text.substr(0, kLongestName)));
    if (!rules.higherPath.empty() && path.starts_with(rules.higherPath + ".")) {
        if (const auto truth = truthOf(text); truth && higher_.size() < kMostVerdicts)
            higher_.insert_or_assign(named(path), *truth);
        return;
    }
    if (anyMatches(rules.unread, path))
        return run_.tally().add("unread_section", 0, "settings and repeated sections of the file are not shown");
    if (anyMatches(rules.metadata, path) || !anyMatches(rules.figures, path))
        return run_.addMetadata(path, text);
    run_.countRecord();
    const auto value = figureNumber(text);
    if (!value)
        return run_.tally().add("missing_value", 0,
                                "figures without a number were left out: they are unknown, not 0");
    const auto [slice, metric] = named(path);
    if (pending_.size() < kMostPending)
        pending_.push_back({slice, metric, *value, higherIsBetter(rules, path, metric, slice)});
    else
        run_.tally().add("too_many_figures", 0,
                         "figures beyond the first " + std::to_string(kMostPending) + " were left out");
}

std::optional<Ns> FigureValues::stated(LogClock &clock, const std::string &path) {
    const auto it = window_.find(path);
    const auto at = it == window_.end() ? std::nullopt : clock.read(usualStamp(it->second));
    if (at)
        run_.settle(clock);
    return at;
}

// Begin and end; one of them may be told by the other and the length.
void FigureValues::settleWindow() {
    const LogRules &rules = run_.rules();
    LogClock clock = run_.newClock(StampUnit::Auto);
    auto begin = stated(clock, rules.windowBegin), end = stated(clock, rules.windowEnd);
    const auto length = window_.find(rules.windowDuration);
    const auto ns = length == window_.end() ? std::nullopt : lengthText(length->second, "s");
    Ns other = 0;
    if (!begin && end && ns && *ns >= 0 && !__builtin_sub_overflow(*end, *ns, &other))
        begin = other;
    else if (begin && !end && ns && *ns >= 0 && !__builtin_add_overflow(*begin, *ns, &other))
        end = other;
    run_.setWindow(begin, end);
}

void FigureValues::finish() {
    for (Pending &figure : pending_) {
        const auto verdict = higher_.find({figure.slice, figure.metric});
        const bool more = verdict != higher_.end() ? verdict->second : figure.moreIsBetter;
        run_.add({std::move(figure.metric), std::move(figure.slice), figure.value, std::nullopt, more});
    }
    pending_.clear();
    settleWindow();
}

std::string usualStamp(std::string_view text) {
    text = trimmed(text);
    const auto part = [text](std::size_t at, std::size_t length) { return std::string(text.substr(at, length)); };
    if (text.size() == 15 && text[8] == '-' && allDigits(text.substr(0, 8)) && allDigits(text.substr(9)))
        return part(0, 4) + "-" + part(4, 2) + "-" + part(6, 2) + " " + part(9, 2) + ":" + part(11, 2) + ":" +
               part(13, 2);
    const bool monthFirst = text.size() > 11 && text[2] == '-' && text[5] == '-' && allDigits(text.substr(0, 2)) &&
                            allDigits(text.substr(3, 2)) && allDigits(text.substr(6, 4));
    return monthFirst ? part(6, 4) + "-" + part(0, 2) + "-" + part(3, 2) + part(10, text.size())
                      : std::string(text);
}

}  // namespace wattproof::importers::requests
