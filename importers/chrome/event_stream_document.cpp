// What surrounds the lists: the members of the outermost object, and what follows the end of a trace.
#include "importers/chrome/event_stream.h"
#include "importers/chrome/value_skipper.h"

namespace wattproof::importers::chrome {
namespace {

constexpr std::size_t kHeadValue = std::size_t{4} << 20U;  // larger members of the head are not kept
constexpr std::string_view kSeveral = "Several traces follow one another in the file; all were read.";
constexpr std::string_view kEventsKey = "\"traceEvents\"";

// Up to where a string that goes on at `at` can be read without cutting an escape; `closed` when its end is there.
const char *wholeText(const char *at, const char *end, bool &closed) {
    constexpr std::ptrdiff_t kLongestEscape = 12;  // a surrogate pair
    for (closed = false; at != end && !closed;) {
        if (*at == '\\' && end - at < kLongestEscape)
            return at;
        closed = *at == '"';
        at += closed ? 0 : (*at == '\\' ? 2 : 1);
    }
    return at;
}

}  // namespace

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
    if (*c == '[' && (key == "traceEvents" || key == "samples")) {
        take();
        inSamples_ = key == "samples";
        sawEvents_ = sawEvents_ || !inSamples_;
        needsComma_ = afterComma_ = false;
        state_ = State::Events;
        return {};
    }
    if (const auto text = texts_.find(key); *c == '"' && text != texts_.end())
        return streamText(text->second);
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

Status EventStream::streamText(const Text &text) {
    std::string scratch;
    bool closed = false;
    for (take(); !closed;) {
        const char *at = window_.at(), *stop = wholeText(at, window_.end(), closed);
        if (stop != at)
            text(plainText({at, static_cast<std::size_t>(stop - at), ValueKind::String, true, true}, scratch),
                 window_.offset());
        window_.moveTo(closed ? stop + 1 : stop);
        auto more = closed ? true : window_.more();
        if (!more)
            return passOn(more);
        if (!*more) {
            truncated(window_.offset());
            break;
        }
    }
    text({}, window_.offset());
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
    for (;;) {
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
    if (*c == '{' || *c == '[') {
        warn_("concatenated_trace", kSeveral, window_.offset(), 1);
        state_ = State::Start;
    } else if (*c != kEndOfFile) {
        warn_("trailing_garbage", "What follows the end of the trace is none, and was searched for more events.",
              window_.offset(), 1);
        state_ = State::Garbage;
    } else if (!input_.damage().empty()) {
        truncated(window_.offset());
    }
    return {};
}

// Writers that crashed leave pieces of several traces in one file.
Expected<EventStream::Found> EventStream::searchGarbage(Event &event) {
    inSamples_ = false;
    auto found = findNextEvent(event);
    if (!found)
        return passOn(found);
    state_ = *found ? State::Events : State::End;
    if (!*found)
        return Found::Nothing;
    warn_("concatenated_trace", kSeveral, event.offset, 1);
    ++items_;
    bareEvents_ = true;
    return Found::Event;
}

}  // namespace wattproof::importers::chrome
