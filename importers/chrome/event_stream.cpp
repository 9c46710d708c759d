#include "importers/chrome/event_stream.h"

#include "importers/chrome/value_skipper.h"

#include <cstring>

namespace wattproof::importers::chrome {
namespace {

constexpr std::size_t kHeadValue = std::size_t{4} << 20U;    // larger members of the head are not kept
constexpr std::size_t kSearchAhead = std::size_t{1} << 20U;  // an event looked for behind damage fits into this
constexpr std::string_view kEventsKey = "\"traceEvents\"";

bool isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

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
    take();
    bareArray_ = *first == '[';
    sawEvents_ = bareArray_;
    state_ = bareArray_ ? State::Events : State::Members;
    return {};
}

Expected<bool> EventStream::next(Event &event) {
    for (;;) {
        Status status;
        if (state_ == State::Start) {
            status = start();
        } else if (state_ == State::Members) {
            status = member();
        } else if (state_ == State::End) {
            return false;
        } else {
            auto found = item(event);
            if (!found)
                return passOn(found);
            if (*found == Found::Event)
                return true;
        }
        if (!status)
            return passOn(status);
    }
}

Expected<EventStream::Found> EventStream::item(Event &event) {
    auto c = peek();
    if (!c)
        return passOn(c);
    switch (*c) {
        case kEndOfFile:
            truncated(window_.offset());
            return Found::Nothing;
        case ',':
            if (!needsComma_)
                warn_("stray_comma", explanation(Oddity::StrayComma), window_.offset(), 1);
            needsComma_ = false;
            afterComma_ = true;
            take();
            return Found::Nothing;
        case ']': {
            if (afterComma_)
                warn_("stray_comma", explanation(Oddity::StrayComma), window_.offset(), 1);
            take();
            state_ = State::Members;
            if (bareArray_)
                if (auto status = trailer(); !status)
                    return passOn(status);
            return Found::Nothing;
        }
        case '{':
            ++items_;
            return eventItem(event);
        default:
            ++items_;
            return otherItem(event);
    }
}

// Reads the event at the window's place, holding up to `most` bytes of it. On Ok the window stands behind it.
Expected<Scan> EventStream::scanEvent(Event &event, std::size_t most) {
    for (;;) {
        Scanner scanner(window_.at(), window_.end());
        const Scan scan = readEvent(scanner, event);
        if (scan == Scan::Ok)
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
    auto scan = scanEvent(event, Window::kLargest);
    if (!scan)
        return passOn(scan);
    if (*scan != Scan::Ok)
        return damagedItem(event, *scan);
    if (needsComma_)
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
// one.
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
        auto scan = scanEvent(event, kSearchAhead);
        if (!scan)
            return passOn(scan);
        if (*scan == Scan::Ok && event.phase != 0)
            return true;
        if (*scan != Scan::Ok)
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

Status EventStream::member() {
    auto c = peek();
    if (!c)
        return passOn(c);
    if (*c == kEndOfFile) {
        truncated(window_.offset());
        return {};
    }
    if (*c == ',' || *c == '}') {
        take();
        return *c == '}' ? trailer() : Status();
    }
    RawValue name;
    Oddities oddities;
    auto scan = scanValue(name, oddities, kSearchAhead);
    if (!scan)
        return passOn(scan);
    if (*scan != Scan::Ok || name.kind != ValueKind::String)
        return damagedHead();
    const std::string key(name.text());
    window_.moveTo(name.data + name.size + 1);
    c = peek();
    if (!c)
        return passOn(c);
    if (*c != ':')
        return damagedHead();
    take();
    return memberValue(key);
}

Status EventStream::memberValue(const std::string &key) {
    auto c = peek();
    if (!c)
        return passOn(c);
    if (key == "traceEvents" && *c == '[' && !sawEvents_) {
        take();
        sawEvents_ = true;
        state_ = State::Events;
        return {};
    }
    RawValue value;
    Oddities oddities;
    auto scan = scanValue(value, oddities, kHeadValue);
    if (!scan)
        return passOn(scan);
    if (*scan == Scan::Bad)
        return damagedHead();
    if (*scan == Scan::Incomplete)
        return skipLargeValue(key);
    note(oddities, window_.offset());
    head_(key, value, window_.offset());
    window_.moveTo(value.kind == ValueKind::String ? value.data + value.size + 1 : value.data + value.size);
    return {};
}

Status EventStream::skipLargeValue(const std::string &key) {
    const std::uint64_t offset = window_.offset();
    ValueSkipper skipper;
    for (;;) {
        window_.moveTo(skipper.skip(window_.at(), window_.end()));
        if (skipper.done())
            break;
        auto more = window_.more();
        if (!more)
            return passOn(more);
        if (!*more) {
            truncated(window_.offset());
            return {};
        }
    }
    head_(key, {}, offset);
    return {};
}

// The outermost object is damaged: the events may still be ahead.
Status EventStream::damagedHead() {
    warn_("malformed_event", "Damaged text outside the list of events was skipped.", window_.offset(), 1);
    while (!sawEvents_) {
        const std::string_view held(window_.at(), window_.held());
        const std::size_t found = held.find(kEventsKey);
        if (found != std::string_view::npos) {
            window_.moveTo(window_.at() + found);
            return {};
        }
        if (held.size() > kEventsKey.size())
            window_.moveTo(window_.end() - kEventsKey.size());
        auto more = window_.more();
        if (!more)
            return passOn(more);
        if (!*more)
            break;
    }
    state_ = State::End;
    return {};
}

Status EventStream::trailer() {
    state_ = State::End;
    auto c = peek();
    if (!c)
        return passOn(c);
    if (*c != kEndOfFile)
        warn_("trailing_garbage", "What follows the end of the trace was not read.", window_.offset(), 1);
    if (!input_.damage().empty())
        truncated(window_.offset());
    return {};
}

}  // namespace wattproof::importers::chrome
