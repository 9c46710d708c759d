#include "importers/ftrace/atrace.h"

#include "importers/ftrace/event.h"
#include "importers/table/quantity_text.h"

#include <array>

namespace wattproof::importers::ftrace {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t end = text.find_last_not_of(std::string_view(" \t\r\n\0", 5));
    return end == std::string_view::npos ? std::string_view() : text.substr(0, end + 1);
}

// The part before the first bar; the rest stays in `text`.
std::string_view take(std::string_view &text) {
    const std::size_t bar = text.find('|');
    const std::string_view part = text.substr(0, bar);
    text = bar == std::string_view::npos ? std::string_view() : text.substr(bar + 1);
    return part;
}

// The part after the last bar; what is before it stays in `text`. A name may hold bars itself.
std::string_view takeLast(std::string_view &text) {
    const std::size_t bar = text.rfind('|');
    if (bar == std::string_view::npos)
        return {};
    const std::string_view part = text.substr(bar + 1);
    text = text.substr(0, bar);
    return part;
}

bool readNumber(std::string_view text, std::int64_t &number) {
    const auto value = wholeNumber(text);
    number = value.value_or(0);
    return value.has_value();
}

bool readValue(std::string_view rest, Mark &mark) {
    std::string_view last = takeLast(rest);
    auto value = parseNumber(last, false);
    if (!value || !value->rest.empty()) {  // a category may follow the value
        last = takeLast(rest);
        value = parseNumber(last, false);
    }
    if (!value || !value->rest.empty() || rest.empty())
        return false;
    mark.value = value->value;
    mark.name = rest;
    return true;
}

bool readCookie(std::string_view rest, Mark &mark) {
    if (!readNumber(takeLast(rest), mark.cookie))
        return false;
    mark.name = rest;
    return !rest.empty();
}

// G|pid|track|name|cookie, H|pid|track|cookie or with the name as well, N|pid|track|name.
bool readTrack(std::string_view rest, Mark &mark) {
    mark.track = take(rest);
    if (mark.phase == 'N') {
        mark.name = rest;
        return !mark.track.empty();
    }
    if (mark.phase == 'H' && rest.find('|') == std::string_view::npos)
        return readNumber(rest, mark.cookie) && !mark.track.empty();
    return readCookie(rest, mark) && !mark.track.empty();
}

bool readRest(std::string_view rest, Mark &mark) {
    switch (mark.phase) {
        case 'B':
        case 'I':
            mark.name = rest;
            return !rest.empty() || mark.phase == 'B';
        case 'C':
            return readValue(rest, mark);
        case 'S':
        case 'F':
            return readCookie(rest, mark);
        default:
            return readTrack(rest, mark);
    }
}

}  // namespace

std::optional<Mark> parseMark(std::string_view text) {
    text = trimmed(text);
    if (text.empty() || std::string_view("BECSFIGHN").find(text[0]) == std::string_view::npos)
        return std::nullopt;
    if (text.size() > 1 && text[1] != '|')
        return std::nullopt;
    Mark mark;
    mark.phase = text[0];
    text.remove_prefix(std::min<std::size_t>(2, text.size()));
    const bool hasPid = readNumber(take(text), mark.pid);
    if (mark.phase == 'E')
        return mark;
    return hasPid && readRest(text, mark) ? std::optional(mark) : std::nullopt;
}

std::optional<ClockSync> parseClockSync(std::string_view text) {
    constexpr std::string_view kParent = "trace_event_clock_sync: parent_ts=";
    constexpr std::string_view kRealtime = "trace_event_clock_sync: realtime_ts=";
    text = trimmed(text);
    const bool realtime = text.starts_with(kRealtime);
    if (!realtime && !text.starts_with(kParent))
        return std::nullopt;
    const std::string_view number = text.substr(realtime ? kRealtime.size() : kParent.size());
    const auto ns = decimalToInteger(number, realtime ? 6 : 9);
    return ns ? std::optional(ClockSync{realtime, *ns}) : std::nullopt;
}

}  // namespace wattproof::importers::ftrace
