#include "importers/perfetto/intern_reader.h"

#include "importers/text/mended.h"

namespace wattproof::importers::perfetto {
namespace {

// Fields of InternedData (protos/perfetto/trace/interned_data/interned_data.proto).
enum InternedField : std::uint32_t {
    kCategories = 1,
    kEventNames = 2,
    kAnnotationNames = 3,
    kSourceLocations = 4,
    kLogBodies = 20,
    kAnnotationStrings = 29,
    kCorrelationTexts = 41
};

// All entries begin alike: 1 is the id, 2 the text.
struct Entry {
    std::uint64_t iid = 0;
    std::string_view text;
};

Entry textEntry(std::string_view bytes) {
    Entry entry;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            entry.iid = field.number;
        else if (field.id == 2 && field.isBytes())
            entry.text = field.bytes;
    }
    return entry;
}

}  // namespace

SourceLocation readSourceLocation(std::string_view bytes) {
    SourceLocation location;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 2)
            location.file = field.bytes;
        else if (field.id == 3)
            location.function = field.bytes;
        else if (field.id == 4)
            location.line = field.number;
    }
    return location;
}

InternedName InternReader::nameOf(std::string_view text) const {
    std::string mendedName = mendedText(text);
    const StringId id = writer_.intern(mendedName);
    return {id, std::move(mendedName)};
}

void InternReader::entry(const Field &field, Interned &interned) const {
    const Entry entry = textEntry(field.bytes);
    switch (field.id) {
        case kCategories:
            interned.categories.put(entry.iid, nameOf(entry.text));
            break;
        case kEventNames:
            interned.eventNames.put(entry.iid, nameOf(entry.text));
            break;
        case kAnnotationNames:
            interned.annotationNames.put(entry.iid, std::string(entry.text));
            break;
        case kSourceLocations:
            interned.sourceLocations.put(entry.iid, readSourceLocation(field.bytes));
            break;
        case kLogBodies:
            interned.logBodies.put(entry.iid, std::string(entry.text));
            break;
        case kAnnotationStrings:
            interned.annotationStrings.put(entry.iid, std::string(entry.text));
            break;
        case kCorrelationTexts:
            interned.correlationTexts.put(entry.iid, std::string(entry.text));
            break;
        default:
            break;
    }
    if (kept_.count(field.id) > 0)
        interned.messages[field.id].put(entry.iid, std::string(field.bytes));
}

void InternReader::read(std::string_view internedData, Interned &interned) const {
    Message message(internedData);
    for (Field field; message.next(field);)
        if (field.isBytes())
            entry(field, interned);
}

PacketDefaults InternReader::readDefaults(std::string_view packetDefaults) {
    constexpr std::uint32_t kTrackEventDefaults = 11, kClock = 58;
    constexpr std::uint32_t kTrack = 11, kCounters = 31, kDoubleCounters = 45;
    PacketDefaults defaults;
    Message message(packetDefaults);
    for (Field field; message.next(field);) {
        if (field.id == kClock)
            defaults.clock = static_cast<std::uint32_t>(field.number);
        if (field.id != kTrackEventDefaults || !field.isBytes())
            continue;
        Message event(field.bytes);
        for (Field own; event.next(own);) {
            if (own.id == kTrack)
                defaults.track = own.number;
            else if (own.id == kCounters)
                eachNumber(own, [&](std::uint64_t uuid) { defaults.counters.push_back(uuid); });
            else if (own.id == kDoubleCounters)
                eachNumber(own, [&](std::uint64_t uuid) { defaults.doubleCounters.push_back(uuid); });
        }
    }
    return defaults;
}

}  // namespace wattproof::importers::perfetto
