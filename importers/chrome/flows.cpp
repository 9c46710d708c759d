#include "importers/chrome/flows.h"

#include "importers/chrome/event_keys.h"

namespace wattproof::importers::chrome {
namespace {

constexpr std::size_t kMostPending = std::size_t{1} << 18U;

// Calls that may launch nothing start such flows: nothing is wrong when nothing follows.
bool isLaunchFlow(std::string_view category) {
    return category == "ac2g" || category == "async_cpu_to_gpu";
}

bool isTrue(const RawValue &value) {
    return value.kind == ValueKind::True || value.text() == "true" || value.text() == "1";
}

FlowPhase phaseOf(char phase) {
    if (phase == 's')
        return FlowPhase::Start;
    return phase == 't' ? FlowPhase::Step : FlowPhase::End;
}

}  // namespace

void Flows::take(const Event &event, Ns ts) {
    Thread &thread = places_.thread(event);
    RawFlow own;
    own.ts = ts;
    own.key = idKey(event);
    own.name = scribe_.name(event);
    own.category = scribe_.category(event);
    own.origin = {event.offset};
    own.phase = phaseOf(event.phase);
    own.binding = event.phase == 'f' && event.bindingPoint.text() != "e" ? FlowBinding::NextSlice
                                                                         : FlowBinding::EnclosingSlice;
    own.loneStartIsNormal = isLaunchFlow(event.category.text());
    own.track = own.loneStartIsNormal && thread.gpuTrack.valid() ? thread.gpuTrack : thread.track;
    if (own.track.valid())
        scribe_.builder().flow(own);
    else
        pending_.push_back({own, &thread});
    if (pending_.size() > kMostPending)
        finish();
}

void Flows::bind(const Event &event, const RawEvent &slice) {
    if (!event.bindId.present())
        return;
    const bool out = isTrue(event.flowOut), in = isTrue(event.flowIn);
    if (!out && !in)
        return;
    RawFlow own;
    own.track = slice.track;
    own.ts = slice.ts;
    own.key = bindKey(event);
    own.name = slice.name;
    own.category = slice.category;
    own.phase = in && out ? FlowPhase::Step : (out ? FlowPhase::Start : FlowPhase::End);
    own.origin = slice.origin;
    scribe_.builder().flow(own);
}

void Flows::finish() {
    for (Pending &pending : pending_) {
        Thread &thread = *pending.thread;
        const bool toGpu = thread.gpuTrack.valid() && (pending.flow.loneStartIsNormal || !thread.track.valid());
        pending.flow.track = toGpu ? thread.gpuTrack : places_.trackOf(thread);
        scribe_.builder().flow(pending.flow);
    }
    pending_.clear();
}

}  // namespace wattproof::importers::chrome
