#include "importers/chrome/event_stream.h"

#include <cstring>

namespace wattproof::importers::chrome {

EventStream::EventStream(Input &input, Warn warn, Head head)
    : input_(input), window_(input), warn_(std::move(warn)), head_(std::move(head)) {}

Expected<int> EventStream::peek() {
    for (;;) {
        const char *at = window_.at();
        while (at != window_.end() && isSpace(*at))
            ++at;
        window_.moveTo(at);
        if (at != window_.end())
            return static_cast<unsigned char>(*at);
        auto more = window_.more();
        if (!more)
            return passOn(more);
        if (!*more)
            return kEndOfFile;
    }
}

void EventStream::note(const Oddities &oddities, std::uint64_t offset) {
    for (std::size_t i = 0; oddities.any() && i < kOddities; ++i)
        if (oddities.counts[i] > 0)
            warn_(warningKind(static_cast<Oddity>(i)), explanation(static_cast<Oddity>(i)), offset,
                  oddities.counts[i]);
}

void EventStream::truncated(std::uint64_t offset) {
    state_ = State::End;
    if (truncatedNoted_)
        return;
    truncatedNoted_ = true;
    warn_("truncated_input",
          input_.damage().empty() ? "The file ends before its last bracket is closed; all that is whole was read."
                                  : input_.damage(),
          offset, 1);
}

Status EventStream::start() {
    auto more = window_.more();
    if (!more)
        return passOn(more);
    if (window_.held() >= 3 && std::memcmp(window_.at(), "\xef\xbb\xbf", 3) == 0)
        window_.moveTo(window_.at() + 3);
    auto first = peek();
    if (!first)
        return passOn(first);
    if (*first == kEndOfFile)
        return failure("The file is empty: it holds no data", input_.path() + ", 0 bytes",
                       "record the trace again");
    if (*first != '[' && *first != '{')
        return failure("This is not a JSON trace: a bracket was expected",
                       input_.path() + ", byte " + std::to_string(window_.offset()),
                       "give a Chrome or PyTorch profiler trace");
    return startDocument(*first);
}

Status EventStream::startDocument(int first) {
    bareArray_ = first == '[';
    needsComma_ = afterComma_ = inSamples_ = false;
    auto lone = first == '{' ? firstIsEvent() : false;
    if (!lone)
        return passOn(lone);
    bareEvents_ = *lone;
    sawEvents_ = sawEvents_ || bareArray_ || bareEvents_;
    state_ = bareArray_ || bareEvents_ ? State::Events : State::Members;
    if (!bareEvents_)
        take();
    return {};
}

// Whether the object at hand, which should hold the trace, is an event itself.
Expected<bool> EventStream::firstIsEvent() {
    Event event;
    for (;;) {
        Scanner scanner(window_.at(), window_.end());
        const Scan scan = readEvent(scanner, event);
        if (scan != Scan::Incomplete)
            return scan == Scan::Ok && event.phase != 0;
        auto more = window_.more(kSearchAhead);
        if (!more || !*more)
            return more;
    }
}

Expected<EventStream::Found> EventStream::step(Event &event) {
    if (state_ == State::Events)
        return item(event);
    if (state_ == State::Garbage)
        return searchGarbage(event);
    if (auto status = state_ == State::Start ? start() : member(); !status)
        return passOn(status);
    return Found::Nothing;
}

Expected<bool> EventStream::next(Event &event) {
    while (state_ != State::End) {
        auto found = step(event);
        if (!found)
            return passOn(found);
        if (*found == Found::Event)
            return true;
    }
    return false;
}

Expected<EventStream::Found> EventStream::item(Event &event) {
    auto c = peek();
    if (!c)
        return passOn(c);
    switch (*c) {
        case kEndOfFile:
            if (bareEvents_ && input_.damage().empty())
                state_ = State::End;
            else
                truncated(window_.offset());
            return Found::Nothing;
        case ',':
            if (!needsComma_ && !bareEvents_)
                warn_("stray_comma", explanation(Oddity::StrayComma), window_.offset(), 1);
            needsComma_ = false;
            afterComma_ = true;
            take();
            return Found::Nothing;
        case ']':
            return closeList();
        case '{':
            ++items_;
            return eventItem(event);
        case '}':
            if (bareEvents_) {
                take();
                return Found::Nothing;
            }
            [[fallthrough]];
        default:
            ++items_;
            return otherItem(event);
    }
}

Expected<EventStream::Found> EventStream::closeList() {
    if (afterComma_ && !bareEvents_)
        warn_("stray_comma", explanation(Oddity::StrayComma), window_.offset(), 1);
    afterComma_ = false;
    take();
    if (bareEvents_)
        return Found::Nothing;
    state_ = State::Members;
    if (bareArray_)
        if (auto status = trailer(); !status)
            return passOn(status);
    return Found::Nothing;
}

// Reads the event at the window's place, holding up to `most` bytes of it. On Ok the window stands behind it.
Expected<Scan> EventStream::scanEvent(Event &event, std::size_t most, bool needsPhase) {
    for (;;) {
        Scanner scanner(window_.at(), window_.end());
        const Scan scan = readEvent(scanner, event);
        if (scan == Scan::Ok && (!needsPhase || usable(event)))
            accepted(event, scanner);
        if (scan != Scan::Incomplete)
            return scan;
        auto more = window_.more(most);
        if (!more)
            return passOn(more);
        if (!*more)
            return scan;
    }
}

void EventStream::accepted(Event &event, const Scanner &scanner) {
    event.offset = window_.offset();
    note(scanner.oddities, event.offset);
    window_.moveTo(scanner.at());
}

Expected<EventStream::Found> EventStream::eventItem(Event &event) {
    auto scan = scanEvent(event, Window::kLargest, false);
    if (!scan)
        return passOn(scan);
    if (*scan != Scan::Ok)
        return damagedItem(event, *scan);
    if (needsComma_ && !bareEvents_)
        warn_("stray_comma", "Commas are missing between events.", event.offset, 1);
    needsComma_ = true;
    afterComma_ = false;
    return Found::Event;
}

// null, a number, a string, a list: no event, but no damage to what follows either.
Expected<EventStream::Found> EventStream::otherItem(Event &event) {
    RawValue value;
    Oddities oddities;
    auto scan = scanValue(value, oddities, kSearchAhead);
    if (!scan)
        return passOn(scan);
    if (*scan != Scan::Ok || value.kind == ValueKind::Unknown)
        return damagedItem(event, *scan);
    warn_("malformed_event", "Entries in the list of events that are no events were left out.", window_.offset(),
          1);
    window_.moveTo(value.kind == ValueKind::String ? value.data + value.size + 1 : value.data + value.size);
    needsComma_ = true;
    afterComma_ = false;
    return Found::Nothing;
}

// Behind a damaged place: the next object that reads as an event. Objects without a phase are parts of the damaged
// one, or hold a trace of their own.
Expected<bool> EventStream::findNextEvent(Event &event) {
    for (;;) {
        const auto *brace = static_cast<const char *>(std::memchr(window_.at(), '{', window_.held()));
        window_.moveTo(brace ? brace : window_.end());
        if (!brace) {
            auto more = window_.more();
            if (!more || !*more)
                return more;
            continue;
        }
        auto scan = scanEvent(event, kSearchAhead, true);
        if (!scan)
            return passOn(scan);
        if (*scan == Scan::Ok && usable(event))
            return true;
        take();
    }
}

Expected<EventStream::Found> EventStream::damagedItem(Event &event, Scan scan) {
    const std::uint64_t offset = window_.offset();
    take();
    auto found = findNextEvent(event);
    if (!found)
        return passOn(found);
    if (*found || scan == Scan::Bad)
        warn_("malformed_event", "Events that are not readable JSON were left out.", offset, 1);
    if (!*found) {
        truncated(offset);
        return Found::Nothing;
    }
    needsComma_ = true;
    afterComma_ = false;
    return Found::Event;
}

Expected<Scan> EventStream::scanValue(RawValue &value, Oddities &oddities, std::size_t most) {
    for (;;) {
        Scanner scanner(window_.at(), window_.end());
        const Scan scan = scanner.value(value);
        oddities = scanner.oddities;
        if (scan != Scan::Incomplete)
            return scan;
        auto more = window_.more(most);
        if (!more)
            return passOn(more);
        if (!*more)
            return scan;
    }
}

}  // namespace wattproof::importers::chrome
