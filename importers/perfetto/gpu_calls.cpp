#include "importers/perfetto/gpu_calls.h"

namespace wattproof::importers::perfetto {
namespace {

std::uint64_t mixed(std::uint32_t machine, std::uint64_t stage, std::uint64_t salt) {
    return (stage * 0x9e3779b97f4a7c15ULL) ^ (std::uint64_t{machine} << 32U) ^ salt;
}

RawFlow flowOf(const RawEvent &event, std::uint64_t key, FlowPhase phase) {
    RawFlow flow;
    flow.ts = event.ts;
    flow.key = key;
    flow.name = event.name;
    flow.category = event.category;
    flow.phase = phase;
    flow.binding = FlowBinding::OwnEvent;
    flow.origin = event.origin;
    return flow;
}

}  // namespace

std::uint64_t stageFlow(std::uint32_t machine, std::uint64_t stage) {
    return mixed(machine, stage, 0x5374616765ULL);
}

std::uint64_t submissionFlow(std::uint32_t machine, std::uint64_t stage) {
    return mixed(machine, stage, 0x5375626d69740000ULL);
}

std::int64_t launchId(std::uint32_t machine, std::uint64_t stage) {
    return static_cast<std::int64_t>(stage ^ (std::uint64_t{machine} << 32U));
}

GpuCalls::Stages GpuCalls::read(std::string_view correlation) {
    Stages stages;
    Message message(correlation);
    for (Field field; message.next(field);)
        if (field.id == 1 || field.id == 2)
            eachNumber(field, [&](std::uint64_t stage) {
                (field.id == 1 ? stages.submitted : stages.awaited).push_back(stage);
            });
    return stages;
}

// A stage that is not in the trace makes no arrow.
void GpuCalls::submissions(Track &track, const RawEvent &event, const Stages &stages, std::uint32_t machine) {
    for (const std::uint64_t stage : stages.submitted) {
        RawFlow flow = flowOf(event, submissionFlow(machine, stage), FlowPhase::Start);
        flow.loneStartIsNormal = true;
        facts_.submissions.insert(flow.key);
        sink_.flow(track, flow);
    }
}

void GpuCalls::waits(Track &track, const RawEvent &event, const Stages &stages, std::uint32_t machine) {
    for (const std::uint64_t stage : stages.awaited)
        sink_.flow(track, flowOf(event, stageFlow(machine, stage), FlowPhase::End));
}

void GpuCalls::begin(Track &track, std::size_t depth, const RawEvent &event, std::string_view correlation,
                     std::uint32_t machine) {
    Call call{&track, depth, event, read(correlation), machine};
    submissions(track, event, call.stages, machine);
    open_[&track].push_back(std::move(call));
}

bool GpuCalls::end(Track &track, std::size_t depth, const RawEvent &event) {
    const auto found = open_.find(&track);
    if (found == open_.end() || found->second.back().depth != depth)
        return false;
    const Call call = std::move(found->second.back());
    found->second.pop_back();
    if (found->second.empty())
        open_.erase(found);
    const bool pairs = event.ts >= call.event.ts && (!event.name.valid() || event.name == call.event.name);
    if (!pairs) {
        sink_.event(track, EventSink::Type::Begin, call.event);
        return false;
    }
    RawEvent whole = call.event;
    if (event.wholeArgs || !whole.args.valid())
        whole.args = event.args;
    const Ns length = event.ts - whole.ts;
    if (call.stages.submitted.empty())
        sink_.event(track, EventSink::Type::Complete, whole, length);
    else
        sink_.launch(track, whole, length, launchId(call.machine, call.stages.submitted.front()));
    // Who waits for a stage ends after it, whenever the call began.
    RawEvent last = event;
    last.name = whole.name;
    last.category = whole.category;
    waits(track, last, call.stages, call.machine);
    return true;
}

void GpuCalls::instant(Track &track, const RawEvent &event, std::string_view correlation, std::uint32_t machine) {
    const Stages stages = read(correlation);
    submissions(track, event, stages, machine);
    waits(track, event, stages, machine);
}

void GpuCalls::finish() {
    for (auto &[track, calls] : open_)
        for (const Call &call : calls)
            sink_.event(*call.track, EventSink::Type::Begin, call.event);
    open_.clear();
}

}  // namespace wattproof::importers::perfetto
