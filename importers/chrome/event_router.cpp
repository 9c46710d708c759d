#include "importers/chrome/event_router.h"

#include "importers/chrome/decimal.h"
#include "importers/trace/time_crowd.h"

#include <numeric>

namespace wattproof::importers::chrome {
namespace {

constexpr std::string_view kLeftOut = "Events without phase, time or length were left out.";
constexpr std::string_view kTooLarge =
    "Events whose time or length does not fit into 64 bits of nanoseconds were left out.";

}  // namespace

EventRouter::EventRouter(store::BulkWriter &writer, SourceId source, TraceBuilder &builder, Head &head,
                         Recogniser &recogniser, const KernelClassifier &classifier)
    : builder_(builder),
      head_(head),
      recogniser_(recogniser),
      scribe_(writer, builder, recogniser),
      places_(writer, source),
      gpus_(writer, source, classifier),
      begins_(scribe_),
      asyncs_(scribe_, places_, begins_),
      counters_(scribe_, places_),
      flows_(scribe_, places_),
      profiles_(writer, source, builder, places_) {}

bool EventRouter::readTime(const Event &event, Ns &ts) {
    const bool numeric = event.ts.kind == ValueKind::Number || event.ts.kind == ValueKind::String;
    const DecimalNs time = numeric ? microsecondsToNs(event.ts.text()) : DecimalNs{0, DecimalError::NotANumber};
    ts = time.ns;
    if (time.error == DecimalError::Overflow)
        scribe_.warn(event, "timestamp_overflow", kTooLarge);
    else if (time.error == DecimalError::NotANumber)
        scribe_.warn(event, "missing_field", kLeftOut);
    return time.error == DecimalError::None;
}

bool EventRouter::readDuration(const Event &event, Ns ts, Ns &dur) {
    const bool numeric = event.dur.kind == ValueKind::Number || event.dur.kind == ValueKind::String;
    const DecimalNs length = numeric ? microsecondsToNs(event.dur.text()) : DecimalNs{0, DecimalError::NotANumber};
    dur = length.ns;
    if (length.error == DecimalError::NotANumber) {
        scribe_.warn(event, "missing_field", kLeftOut);
        return false;
    }
    if (length.error == DecimalError::Overflow && event.dur.text().starts_with('-')) {
        dur = -1;
    } else if (length.error == DecimalError::Overflow || dur > kLargestTime - ts) {
        scribe_.warn(event, "timestamp_overflow", kTooLarge);
        return false;
    }
    if (dur < 0) {
        scribe_.warn(event, "negative_duration", "Events that end before they start are kept with length 0.");
        dur = 0;
    }
    return true;
}

void EventRouter::take(const Event &event) {
    if (event.empty)
        return scribe_.warn(event, "empty_event", "Empty objects in the list of events were skipped.");
    if (event.phase == 0)
        return scribe_.warn(event, "missing_field", kLeftOut);
    ++events_;
    if (event.phase == 'M')
        return metadata(event);
    if (Ns ts = 0; readTime(event, ts))
        timed(event, ts);
}

void EventRouter::takeSample(const Event &event) {
    ++events_;
    if (Ns ts = 0; readTime(event, ts))
        instant(event, ts, event.pid.present() ? places_.thread(event) : places_.threadOfAnyProcess(event));
}

void EventRouter::timed(const Event &event, Ns ts) {
    switch (event.phase) {
        case 'X':
            if (Ns dur = 0; readDuration(event, ts, dur))
                complete(event, ts, dur);
            return;
        case 'B':
            return begin(event, ts);
        case 'E':
            return end(event, ts);
        case 'i':
        case 'I':
        case 'R':
            return instant(event, ts, places_.thread(event));
        case 'P':
            return profiles_.take(event, ts) ? void() : instant(event, ts, places_.thread(event));
        case 'C':
            return counters_.take(event, ts);
        case 's':
        case 't':
        case 'f':
            return flows_.take(event, ts);
        case 'b':
        case 'e':
        case 'n':
        case 'S':
        case 'T':
        case 'p':
        case 'F':
            return asyncs_.take(event, ts);
        case 'N':
        case 'O':
        case 'D':
            return asyncs_.object(event, ts);
        case 'v':
        case 'V':
            return memoryDump(event, ts);
        case 'c':
            return clockSync(event, ts);
        default:
            return unsupported(event);
    }
}

void EventRouter::complete(const Event &event, Ns ts, Ns dur) {
    Thread &thread = places_.thread(event);
    RawEvent own = scribe_.whole(event, ts);
    const Dialect &dialect = scribe_.dialect();
    const EventClass eventClass = dialect.classOf(event, thread);
    if (eventClass == EventClass::Plain || eventClass == EventClass::Launch) {
        own.track = places_.trackOf(thread);
        const LaunchIds ids = eventClass == EventClass::Launch ? dialect.idsOf(event) : LaunchIds();
        if (ids.correlation != 0 || ids.external != 0)
            builder_.launchCall(own, dur, ids.correlation, ids.external);
        else
            builder_.complete(own, dur);
    } else if (eventClass == EventClass::GpuAnnotation) {
        own.track = gpus_.annotationTrack(dialect, event, thread);
        builder_.complete(own, dur);
    } else {
        auto work = gpus_.work(dialect, event, eventClass, own.name, scribe_.nameText(event), thread);
        own.track = thread.gpuTrack = work.track;
        builder_.gpuOperation(own, dur, std::move(work.row), work.ids.external);
    }
    flows_.bind(event, own);
}

void EventRouter::begin(const Event &event, Ns ts) {
    RawEvent own = scribe_.bare(event, ts);
    own.track = places_.trackOf(places_.thread(event));
    begins_.begin(static_cast<std::uint64_t>(own.track.value), own, std::nullopt, event);
    flows_.bind(event, own);
}

// An empty name is no name: such an end closes what was begun last.
void EventRouter::end(const Event &event, Ns ts) {
    RawEvent own = scribe_.bare(event, ts);
    own.track = places_.trackOf(places_.thread(event));
    if (event.name.size == 0)
        own.name = {};
    own.args = begins_.end(static_cast<std::uint64_t>(own.track.value), own.name, event);
    builder_.end(own);
}

void EventRouter::instant(const Event &event, Ns ts, Thread &thread) {
    RawEvent own = scribe_.whole(event, ts);
    own.track = places_.trackOf(thread);
    builder_.instant(own);
}

// Marks one moment in the clocks of two recordings: between its issue and the answer, where both are stated.
void EventRouter::clockSync(const Event &event, Ns ts) {
    const RawValue *id = event.argument("sync_id"), *issue = event.argument("issue_ts");
    const DecimalNs issued = issue ? microsecondsToNs(issue->text()) : DecimalNs{ts, DecimalError::None};
    const bool stated = issued.error == DecimalError::None && issued.ns <= ts;
    if (id)
        head_.clockSync(plainText(*id, scratch_), ts, stated ? std::midpoint(issued.ns, ts) : ts);
    instant(event, ts, places_.thread(event));
}

void EventRouter::memoryDump(const Event &event, Ns ts) {
    counters_.memoryDump(event, ts);
    instant(event, ts, places_.thread(event));
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
    const bool index = what.ends_with("sort_index");
    const RawValue *value = event.argument(index ? "sort_index" : (what == "process_labels" ? "labels" : "name"));
    if (!value || !value->present())
        return scribe_.warn(event, "missing_field", kLeftOut);
    const std::string_view text = plainText(*value, scratch_);
    if (!index)
        return offerName(event, what, text);
    auto &sortIndex =
        what == "thread_sort_index" ? places_.thread(event).row.sortIndex : places_.process(event).row.sortIndex;
    sortIndex = integer(text);
}

void EventRouter::offerName(const Event &event, std::string_view what, std::string_view text) {
    const Ns when = microsecondsToNs(event.ts.text()).ns;
    if (what == "thread_name") {
        places_.thread(event).name.offer(text, when);
        recogniser_.note(ClueKind::ThreadName, text);
    } else if (what == "process_name") {
        places_.process(event).name.offer(text, when);
        recogniser_.note(ClueKind::ProcessName, text);
    } else {
        places_.process(event).labels.offer(text, when);
    }
}

Status EventRouter::finish(const Task &task) {
    begins_.flush();
    flows_.finish();
    warnUnsupported();
    head_.unitOfWork(scribe_.dialect().unitOfWork());
    gpus_.setProperties(head_.devices());
    gpus_.writeDevices();
    places_.writeNames();
    return profiles_.finish(task);
}

}  // namespace wattproof::importers::chrome
