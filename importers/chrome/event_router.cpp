#include "importers/chrome/event_router.h"

#include "importers/chrome/decimal.h"
#include "importers/trace/time_crowd.h"

#include <functional>

namespace wattproof::importers::chrome {
namespace {

std::optional<std::int64_t> wholeArgument(const Event &event, std::string_view key) {
    const RawValue *value = event.argument(key);
    return value ? integer(value->text()) : std::nullopt;
}

std::int64_t externalId(const Event &event) {
    const auto own = wholeArgument(event, "External id");
    return own ? *own : wholeArgument(event, "external id").value_or(0);
}

std::uint64_t combine(std::uint64_t hash, std::string_view text) {
    const std::uint64_t own = std::hash<std::string_view>{}(text);
    return (hash ^ own) * 0x9e3779b97f4a7c15ULL + (hash >> 29U);
}

// Calls that may launch nothing start such flows: nothing is wrong when nothing follows.
bool isLaunchFlow(std::string_view category) {
    return category == "ac2g" || category == "async_cpu_to_gpu";
}

bool isTrue(const RawValue &value) {
    return value.kind == ValueKind::True || value.text() == "true" || value.text() == "1";
}

}  // namespace

EventRouter::EventRouter(store::BulkWriter &writer, SourceId source, TraceBuilder &builder, Head &head,
                         const KernelClassifier &classifier)
    : writer_(writer),
      builder_(builder),
      head_(head),
      places_(writer, source),
      gpus_(writer, source, classifier),
      arguments_(writer) {}

void EventRouter::warn(const Event &event, std::string_view kind, std::string_view message) {
    builder_.warn(kind, message, {event.offset});
}

StringId EventRouter::intern(const RawValue &value) {
    if (!value.present())
        return {};
    return writer_.intern(plainText(value, scratch_));
}

RawEvent EventRouter::raw(const Event &event, Ns ts, TrackId track) {
    return {track, ts, intern(event.name), intern(event.category), arguments_.add(event), {event.offset}};
}

bool EventRouter::readTime(const Event &event, Ns &ts) {
    const bool numeric = event.ts.kind == ValueKind::Number || event.ts.kind == ValueKind::String;
    const DecimalNs time = numeric ? microsecondsToNs(event.ts.text()) : DecimalNs{0, DecimalError::NotANumber};
    ts = time.ns;
    if (time.error == DecimalError::Overflow)
        warn(event, "timestamp_overflow",
             "Events whose time or length does not fit into 64 bits of nanoseconds were left out.");
    else if (time.error == DecimalError::NotANumber)
        warn(event, "missing_field", "Events without phase, time or length were left out.");
    return time.error == DecimalError::None;
}

bool EventRouter::readDuration(const Event &event, Ns ts, Ns &dur) {
    const bool numeric = event.dur.kind == ValueKind::Number || event.dur.kind == ValueKind::String;
    const DecimalNs length = numeric ? microsecondsToNs(event.dur.text()) : DecimalNs{0, DecimalError::NotANumber};
    dur = length.ns;
    if (length.error == DecimalError::NotANumber) {
        warn(event, "missing_field", "Events without phase, time or length were left out.");
        return false;
    }
    if (length.error == DecimalError::Overflow && event.dur.text().starts_with('-')) {
        dur = -1;
    } else if (length.error == DecimalError::Overflow || dur > kLargestTime - ts) {
        warn(event, "timestamp_overflow",
             "Events whose time or length does not fit into 64 bits of nanoseconds were left out.");
        return false;
    }
    if (dur < 0) {
        warn(event, "negative_duration", "Events that end before they start are kept with length 0.");
        dur = 0;
    }
    return true;
}

void EventRouter::take(const Event &event) {
    if (event.empty)
        return warn(event, "empty_event", "Empty objects in the list of events were skipped.");
    if (event.phase == 0)
        return warn(event, "missing_field", "Events without phase, time or length were left out.");
    ++events_;
    if (event.phase == 'M')
        return metadata(event);
    if (Ns ts = 0; readTime(event, ts))
        timed(event, ts);
}

void EventRouter::timed(const Event &event, Ns ts) {
    switch (event.phase) {
        case 'X':
            return complete(event, ts);
        case 'B': {
            const RawEvent begun = raw(event, ts, places_.trackOf(places_.thread(event)));
            builder_.begin(begun);
            return boundFlow(event, begun);
        }
        case 'E':
            return end(event, ts);
        case 'i':
        case 'I':
        case 'R':
            return builder_.instant(raw(event, ts, places_.trackOf(places_.thread(event))));
        case 'C':
            return counter(event, ts);
        case 's':
        case 't':
        case 'f':
            return flow(event, ts);
        case 'b':
        case 'e':
        case 'n':
        case 'S':
        case 'T':
        case 'p':
        case 'F':
            return async(event, ts);
        default:
            return unsupported(event);
    }
}

void EventRouter::complete(const Event &event, Ns ts) {
    if (Ns dur = 0; readDuration(event, ts, dur))
        placeComplete(event, ts, dur, classOfCategory(event.category.text()));
}

void EventRouter::placeComplete(const Event &event, Ns ts, Ns dur, EventClass eventClass) {
    Thread &thread = places_.thread(event);
    if (eventClass == EventClass::GpuAnnotation)
        return builder_.complete(raw(event, ts, gpus_.annotationTrack(event, thread)), dur);
    if (eventClass == EventClass::Plain || eventClass == EventClass::Launch) {
        const RawEvent own = raw(event, ts, places_.trackOf(thread));
        if (eventClass == EventClass::Launch)
            launch(event, own, dur);
        else
            builder_.complete(own, dur);
        return boundFlow(event, own);
    }
    const RawEvent own = raw(event, ts, gpus_.streamTrack(event, thread));
    thread.gpuTrack = own.track;
    const std::string_view name = event.name.present() ? plainText(event.name, nameText_) : std::string_view();
    builder_.gpuOperation(own, dur, gpus_.operation(event, eventClass, own.name, name, thread), externalId(event));
    boundFlow(event, own);
}

// An empty name is no name: such an end closes what was begun last.
void EventRouter::end(const Event &event, Ns ts) {
    RawEvent own = raw(event, ts, places_.trackOf(places_.thread(event)));
    if (event.name.size == 0)
        own.name = {};
    builder_.end(own);
}

void EventRouter::launch(const Event &event, const RawEvent &own, Ns dur) {
    const std::int64_t correlation = wholeArgument(event, "correlation").value_or(0);
    const std::int64_t external = externalId(event);
    if (correlation == 0 && external == 0)
        builder_.complete(own, dur);
    else
        builder_.launchCall(own, dur, correlation, external);
}

// Ids are text: 12 and "12" are one. id2.local is one of a process, id and id2.global are the file's.
std::uint64_t EventRouter::idHash(const Event &event, bool withName) {
    std::uint64_t hash =
        combine(1, event.category.present() ? plainText(event.category, scratch_) : std::string_view());
    if (event.scope.present() && event.phase != 'i')
        hash = combine(hash, event.scope.text());
    if (withName && event.name.present())
        hash = combine(hash, plainText(event.name, scratch_));
    if (event.id2.kind != ValueKind::Object)
        return combine(combine(hash, "id"), event.id.text());
    Scanner scanner(event.id2.data + 1, event.id2.data + event.id2.size);
    RawValue key, value;
    if (scanner.value(key) != Scan::Ok || scanner.expect(':') != Scan::Ok || scanner.value(value) != Scan::Ok)
        return hash;
    if (key.text() == "local")
        hash = combine(combine(hash, "local"), event.pid.text());
    return combine(hash, value.text());
}

void EventRouter::async(const Event &event, Ns ts) {
    const StringId category = intern(event.category);
    const StringId name = intern(event.name);
    const std::string_view text = event.name.present() ? plainText(event.name, nameText_) : std::string_view();
    const TrackId track = places_.asyncTrack(places_.process(event), category, name, text);
    const RawEvent own{track, ts, name, category, arguments_.add(event), {event.offset}};
    const AsyncKey key{idHash(event, true)};
    if (event.phase == 'b' || event.phase == 'S')
        builder_.asyncBegin(own, key);
    else if (event.phase == 'e' || event.phase == 'F')
        builder_.asyncEnd(own, key);
    else
        builder_.asyncInstant(own, key);
}

void EventRouter::flow(const Event &event, Ns ts) {
    Thread &thread = places_.thread(event);
    RawFlow own;
    own.ts = ts;
    own.key = idHash(event, true);
    own.name = intern(event.name);
    own.category = intern(event.category);
    own.origin = {event.offset};
    own.phase = event.phase == 's' ? FlowPhase::Start : (event.phase == 't' ? FlowPhase::Step : FlowPhase::End);
    own.binding = event.phase == 'f' && event.bindingPoint.text() != "e" ? FlowBinding::NextSlice
                                                                         : FlowBinding::EnclosingSlice;
    own.loneStartIsNormal = isLaunchFlow(event.category.text());
    own.track = own.loneStartIsNormal && thread.gpuTrack.valid() ? thread.gpuTrack : thread.track;
    if (own.track.valid())
        builder_.flow(own);
    else
        pendingFlows_.push_back({own, &thread});
}

// The newer form: slices that say themselves that a flow leaves or enters them.
void EventRouter::boundFlow(const Event &event, const RawEvent &slice) {
    if (!event.bindId.present())
        return;
    const bool out = isTrue(event.flowOut), in = isTrue(event.flowIn);
    if (!out && !in)
        return;
    RawFlow own;
    own.track = slice.track;
    own.ts = slice.ts;
    own.key = combine(combine(2, "bind_id"), event.bindId.text());
    own.name = slice.name;
    own.category = slice.category;
    own.phase = in && out ? FlowPhase::Step : (out ? FlowPhase::Start : FlowPhase::End);
    own.origin = slice.origin;
    builder_.flow(own);
}

void EventRouter::counter(const Event &event, Ns ts) {
    for (std::size_t i = 0; i < event.ownArguments; ++i)
        series(event, ts, event.arguments[i]);
}

void EventRouter::series(const Event &event, Ns ts, const Member &member) {
    if (member.value.kind == ValueKind::Unknown)
        return;  // NaN: counted when it was read
    const bool readable = member.value.kind == ValueKind::Number || member.value.kind == ValueKind::String;
    const auto value = readable ? real(member.value.text()) : std::nullopt;
    if (!value)
        return warn(event, "counter_non_numeric", "Counter values that are no numbers were left out.");
    const std::string name(event.name.present() ? plainText(event.name, scratch_) : std::string_view());
    const std::string id(event.id.present() ? plainText(event.id, scratch_) : std::string_view());
    const CounterId counter = places_.counter(places_.process(event), name, id, plainText(member.key, scratch_));
    builder_.sample(counter, ts, *value, {event.offset});
}

void EventRouter::unsupported(const Event &event) {
    if (firstUnsupported_ == 0)
        firstUnsupported_ = event.offset;
    ++unsupported_[static_cast<unsigned char>(event.phase)];
}

void EventRouter::warnUnsupported() {
    std::string letters;
    std::int64_t count = 0;
    for (std::size_t phase = 0; phase < unsupported_.size(); ++phase) {
        if (unsupported_[phase] == 0)
            continue;
        count += unsupported_[phase];
        if (phase > ' ' && phase < 0x7f)
            letters += std::string(letters.empty() ? "" : ", ") + static_cast<char>(phase);
    }
    if (count > 0)
        builder_.warn("unsupported_phase", "Events of phases that are not shown were left out: " + letters + ".",
                      {firstUnsupported_}, count);
}

void EventRouter::metadata(const Event &event) {
    const std::string_view what = event.name.text();
    if (what == "process_name" || what == "process_labels" || what == "process_sort_index" ||
        what == "thread_name" || what == "thread_sort_index")
        return nameOf(event, what);
    if (event.args.present())
        head_.metadataEvent(what, event);
}

void EventRouter::nameOf(const Event &event, std::string_view what) {
    const Ns when = microsecondsToNs(event.ts.text()).ns;
    const bool label = what == "process_labels";
    const bool index = what.ends_with("sort_index");
    const RawValue *value = event.argument(index ? "sort_index" : (label ? "labels" : "name"));
    if (!value || !value->present())
        return warn(event, "missing_field", "Events without phase, time or length were left out.");
    const std::string_view text = plainText(*value, scratch_);
    if (what == "thread_name")
        places_.thread(event).name.offer(text, when);
    else if (what == "thread_sort_index")
        places_.thread(event).row.sortIndex = integer(text);
    else if (index)
        places_.process(event).row.sortIndex = integer(text);
    else
        (label ? places_.process(event).labels : places_.process(event).name).offer(text, when);
}

void EventRouter::finish() {
    for (PendingFlow &pending : pendingFlows_) {
        Thread &thread = *pending.thread;
        const bool toGpu = thread.gpuTrack.valid() && (pending.flow.loneStartIsNormal || !thread.track.valid());
        pending.flow.track = toGpu ? thread.gpuTrack : places_.trackOf(thread);
        builder_.flow(pending.flow);
    }
    warnUnsupported();
    gpus_.setProperties(head_.devices());
    gpus_.writeDevices();
    places_.writeNames();
}

}  // namespace wattproof::importers::chrome
