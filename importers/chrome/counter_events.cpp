#include "importers/chrome/counter_events.h"

#include "importers/chrome/decimal.h"
#include "importers/chrome/object_reader.h"

#include <charconv>
#include <optional>

namespace wattproof::importers::chrome {
namespace {

std::optional<std::uint64_t> hexadecimal(const RawValue &value) {
    std::uint64_t number = 0;
    const char *end = value.data + value.size;
    const auto [at, error] = std::from_chars(value.data, end, number, 16);
    return value.kind == ValueKind::String && error == std::errc() && at == end ? std::optional(number)
                                                                                : std::nullopt;
}

}  // namespace

void CounterEvents::take(const Event &event, Ns ts) {
    for (std::size_t i = 0; i < event.ownArguments; ++i)
        series(event, ts, event.arguments[i]);
}

void CounterEvents::sample(const Event &event, Ns ts, CounterId counter, double value) {
    if (counter.valid())
        scribe_.builder().sample(counter, ts, value, {event.offset});
    else
        scribe_.warn(event, "too_many_counters", "Counters beyond the first 50000 of a file were left out.");
}

void CounterEvents::series(const Event &event, Ns ts, const Member &member) {
    if (member.value.kind == ValueKind::Unknown)
        return;  // NaN: counted when it was read
    const bool readable = member.value.kind == ValueKind::Number || member.value.kind == ValueKind::String;
    const auto value = readable ? real(member.value.text()) : std::nullopt;
    if (!value)
        return scribe_.warn(event, "counter_non_numeric", "Counter values that are no numbers were left out.");
    const std::string name(scribe_.nameText(event));
    const std::string id(event.id.present() ? plainText(event.id, scratch_) : std::string_view());
    const CounterId counter =
        places_.counter(places_.process(event), name, id, plainText(member.key, scratch_), "");
    sample(event, ts, counter, *value);
}

void CounterEvents::bytes(const Event &event, Ns ts, std::string_view name, const RawValue &hex) {
    if (const auto value = hexadecimal(hex)) {
        const CounterId counter = places_.counter(places_.process(event), "memory", "", name, "B");
        sample(event, ts, counter, static_cast<double>(*value));
    }
}

void CounterEvents::totals(const Event &event, Ns ts, const RawValue &object) {
    readMembers(object, [&](const RawValue &key, const RawValue &value) { bytes(event, ts, key.text(), value); });
}

// Only the outermost allocators ("malloc", not "malloc/partitions"): the inner ones are parts of them.
void CounterEvents::allocators(const Event &event, Ns ts, const RawValue &object) {
    readMembers(object, [&](const RawValue &name, const RawValue &allocator) {
        if (name.text().find('/') == std::string_view::npos)
            if (const RawValue size = memberAt(allocator, {"attrs", "size", "value"}); size.present())
                bytes(event, ts, name.text(), size);
    });
}

void CounterEvents::memoryDump(const Event &event, Ns ts) {
    const RawValue *dumps = event.argument("dumps");
    if (!dumps)
        return;
    totals(event, ts, memberAt(*dumps, {"process_totals"}));
    allocators(event, ts, memberAt(*dumps, {"allocators"}));
}

}  // namespace wattproof::importers::chrome
