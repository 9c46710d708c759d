#include "importers/chrome/event.h"

#include <cstring>

namespace wattproof::importers::chrome {
namespace {

// Beyond this an args object is kept as one value: bounds the memory that a hostile event can ask for.
constexpr std::size_t kMaxArguments = 4096;

template <std::size_t N>
bool is(std::string_view key, const char (&word)[N]) {
    return std::memcmp(key.data(), word, N - 1) == 0;
}

// By length first: the keys of every member of every event come by here.
RawValue Event::*fieldOf(std::string_view key) {
    switch (key.size()) {
        case 1:
            return is(key, "s") ? &Event::scope : nullptr;
        case 2:
            return is(key, "ts") ? &Event::ts : is(key, "id") ? &Event::id : is(key, "bp") ? &Event::bindingPoint : nullptr;
        case 3:
            if (is(key, "dur"))
                return &Event::dur;
            if (is(key, "pid"))
                return &Event::pid;
            if (is(key, "tid"))
                return &Event::tid;
            return is(key, "cat") ? &Event::category : is(key, "id2") ? &Event::id2 : nullptr;
        case 4:
            return is(key, "name") ? &Event::name : is(key, "args") ? &Event::args : nullptr;
        case 5:
            return is(key, "scope") ? &Event::scope : nullptr;
        case 7:
            return is(key, "bind_id") ? &Event::bindId : is(key, "flow_in") ? &Event::flowIn : nullptr;
        case 8:
            return is(key, "flow_out") ? &Event::flowOut : nullptr;
        default:
            return nullptr;
    }
}

// What surrounds each member of an object; `take` reads the value. Ok at the closing brace.
template <class Take>
Scan forEachMember(Scanner &scanner, Take take) {
    scanner.skip();
    scanner.skipSpace();
    if (scanner.atEnd())
        return Scan::Incomplete;
    if (*scanner.at() == '}') {
        scanner.skip();
        return Scan::Ok;
    }
    for (bool more = true; more;) {
        scanner.skipSpace();
        if (scanner.atEnd())
            return Scan::Incomplete;
        RawValue key;
        if (*scanner.at() != '"')
            return Scan::Bad;
        Scan scan = scanner.string(key);
        if (scan == Scan::Ok)
            scan = scanner.expect(':');
        if (scan == Scan::Ok)
            scan = take(key);
        if (scan == Scan::Ok)
            scan = scanner.separator('}', more);
        if (scan != Scan::Ok)
            return scan;
    }
    return Scan::Ok;
}

Scan readArguments(Scanner &scanner, Event &event) {
    event.arguments.clear();
    event.args = {scanner.at(), 0, ValueKind::Object, false, false};
    const std::uint32_t odditiesBefore = scanner.oddities.total;
    const Scan scan = forEachMember(scanner, [&](const RawValue &key) {
        if (event.arguments.size() <= kMaxArguments)
            event.arguments.push_back({key, {}});
        return scanner.value(event.arguments.back().value);
    });
    event.args.size = static_cast<std::size_t>(scanner.at() - event.args.data);
    event.args.odd = scanner.oddities.total != odditiesBefore;
    event.argumentsAsOne = event.arguments.size() > kMaxArguments;
    if (event.argumentsAsOne)
        event.arguments.clear();
    return scan;
}

Scan readMember(Scanner &scanner, Event &event, const RawValue &key, std::vector<Member> &others) {
    scanner.skipSpace();
    if (key.size == 4 && is(key.text(), "args") && !scanner.atEnd() && *scanner.at() == '{')
        return readArguments(scanner, event);
    RawValue value;
    const Scan scan = scanner.value(value);
    if (scan != Scan::Ok)
        return scan;
    if (key.size == 2 && is(key.text(), "ph"))
        event.phase = value.kind == ValueKind::String && value.size > 0 ? value.data[0] : '\0';
    else if (const auto field = fieldOf(key.text()))
        event.*field = value;
    else if (others.size() < kMaxArguments)
        others.push_back({key, value});
    return Scan::Ok;
}

constexpr std::string_view kScope = "\"scope\"";

// An instant of its whole process ("p") or of everything ("g").
bool concernsMore(const Event &event) {
    const bool instant = event.phase == 'i' || event.phase == 'I' || event.phase == 'R';
    return instant && (event.scope.text() == "p" || event.scope.text() == "g");
}

}  // namespace

const RawValue *Event::argument(std::string_view key) const {
    for (std::size_t i = 0; i < ownArguments; ++i)
        if (arguments[i].key.text() == key)
            return &arguments[i].value;
    return nullptr;
}

void Event::clear() {
    std::vector<Member> storage = std::move(arguments);
    std::vector<Member> others = std::move(unplaced);
    storage.clear();
    others.clear();
    *this = {};
    arguments = std::move(storage);
    unplaced = std::move(others);
}

Scan readEvent(Scanner &scanner, Event &event) {
    event.clear();
    bool any = false;
    const Scan scan = forEachMember(scanner, [&](const RawValue &key) {
        any = true;
        return readMember(scanner, event, key, event.unplaced);
    });
    event.empty = !any;
    event.ownArguments = event.arguments.size();
    event.arguments.insert(event.arguments.end(), event.unplaced.begin(), event.unplaced.end());
    if (concernsMore(event))
        event.arguments.push_back(
            {{kScope.data() + 1, kScope.size() - 2, ValueKind::String, false, false}, event.scope});
    return scan;
}

}  // namespace wattproof::importers::chrome
