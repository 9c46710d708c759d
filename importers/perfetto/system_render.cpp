#include "importers/perfetto/system_render.h"

#include "importers/perfetto/gpu_calls.h"
#include "importers/text/mended.h"

#include <algorithm>

namespace wattproof::importers::perfetto {
namespace {

enum PacketField : std::uint32_t { kRenderStage = 53, kVulkanApi = 65 };
enum InternedField : std::uint32_t { kGraphicsContexts = 23, kStageSpecifications = 24, kComputeKernels = 1000 };
enum VulkanObject : std::uint64_t { kCommandBuffer = 6, kRenderPass = 18, kFramebuffer = 24 };

constexpr std::size_t kMostLabels = 65536, kMostObjects = 1U << 20U;

std::string_view textOf(std::string_view bytes, std::uint32_t id) {
    std::string_view text;
    Message message(bytes);
    for (Field field; message.next(field);)
        if (field.id == id && field.isBytes())
            text = field.bytes;
    return text;
}

}  // namespace

std::vector<std::uint32_t> RenderModule::fields() const {
    return {kRenderStage, kVulkanApi};
}

std::vector<std::uint32_t> RenderModule::internedFields() const {
    return {kGraphicsContexts, kStageSpecifications, kComputeKernels};
}

RenderModule::Stage RenderModule::decode(std::string_view bytes) {
    Stage stage;
    const std::pair<std::uint32_t, std::uint64_t *> numbers[] = {
        {1, &stage.id},          {5, &stage.context},    {8, &stage.target},    {9, &stage.pass},
        {10, &stage.submission}, {12, &stage.commands},  {13, &stage.queueIid}, {14, &stage.stageIid},
        {16, &stage.instance},   {19, &stage.kernelIid}, {20, &stage.nameIid}};
    const std::pair<std::uint32_t, std::int64_t *> signedNumbers[] = {
        {2, &stage.duration}, {3, &stage.queue}, {4, &stage.stage}, {11, &stage.gpu}};
    Message message(bytes);
    for (Field field; message.next(field);) {
        for (const auto &[id, target] : numbers)
            if (field.id == id)
                *target = field.number;
        for (const auto &[id, target] : signedNumbers)
            if (field.id == id)
                *target = field.integer();
        if (field.id == 15)
            eachNumber(field, [&](std::uint64_t mask) { stage.subpasses.push_back(mask); });
        else if (field.id == 18)
            eachNumber(field, [&](std::uint64_t event) { stage.waits.push_back(event); });
        else if (field.id == 6 && field.isBytes())
            stage.extra.emplace_back(textOf(field.bytes, 1), textOf(field.bytes, 2));
        else if (field.id == 17 && field.isBytes())
            stage.name = field.bytes;
        else if (field.id == 21 && field.isBytes())
            stage.launch = field.bytes;
    }
    return stage;
}

// The deprecated lists: places in them are the numbers that events use.
void RenderModule::specifications(const Packet &, std::string_view bytes) {
    std::vector<Label> queues, stages;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (!field.isBytes() || (field.id != 2 && field.id != 3))
            continue;
        std::vector<Label> &list = field.id == 2 ? queues : stages;
        if (list.size() < kMostLabels)
            list.push_back({mendedText(textOf(field.bytes, 1)), mendedText(textOf(field.bytes, 2))});
    }
    if (!queues.empty())
        queueLabels_ = std::move(queues);
    if (!stages.empty())
        stageLabels_ = std::move(stages);
}

RenderModule::Label RenderModule::specification(const Packet &packet, std::uint64_t iid) const {
    const std::string *message = packet.interned().message(kStageSpecifications, iid);
    return message ? Label{mendedText(textOf(*message, 2)), mendedText(textOf(*message, 3))} : Label();
}

RenderModule::Names RenderModule::namesOf(const Packet &packet, const Stage &stage) const {
    Names names;
    if (stage.stageIid != 0) {
        const Label label = specification(packet, stage.stageIid);
        names.stage = label.name;
        names.description = label.description;
    } else if (stage.stage >= 0 && static_cast<std::size_t>(stage.stage) < stageLabels_.size()) {
        names.stage = stageLabels_[static_cast<std::size_t>(stage.stage)].name;
        names.description = stageLabels_[static_cast<std::size_t>(stage.stage)].description;
    }
    if (const std::string *kernel = packet.interned().message(kComputeKernels, stage.kernelIid)) {
        names.kernel = mendedText(textOf(*kernel, 2));
        names.demangled = mendedText(textOf(*kernel, 3));
        names.arch = mendedText(textOf(*kernel, 4));
    }
    if (names.stage.empty())
        names.stage =
            "render stage(" +
            std::to_string(stage.stageIid != 0 ? stage.stageIid : static_cast<std::uint64_t>(stage.stage)) + ')';
    names.slice = !names.demangled.empty() ? names.demangled
                  : !names.kernel.empty()  ? names.kernel
                  : !stage.name.empty()    ? mendedText(stage.name)
                                           : names.stage;
    return names;
}

std::string RenderModule::nameOfObject(std::uint64_t type, std::uint64_t object) const {
    const auto found = objects_.find({type, object});
    return found == objects_.end() ? std::string() : found->second;
}

// Numbers of the bits that are set, over all masks in turn.
std::string RenderModule::subpasses(const std::vector<std::uint64_t> &masks) {
    constexpr std::size_t kMostMasks = 64, kBits = 64;
    std::string text;
    for (std::size_t mask = 0; mask < masks.size() && mask < kMostMasks; ++mask)
        for (std::size_t bit = 0; bit < kBits; ++bit)
            if (((masks[mask] >> bit) & 1U) != 0)
                (text += text.empty() ? "" : ",") += std::to_string(mask * kBits + bit);
    return text;
}

ArgSetId RenderModule::argumentsOf(const Packet &packet, const Stage &stage, const Names &names) {
    using ftrace::quoted;
    std::vector<ftrace::Argument> all;
    const auto number = [&](std::string_view key, std::uint64_t value) {
        if (value != 0)
            all.push_back({key, std::to_string(value)});
    };
    const auto text = [&](std::string_view key, std::string_view value) {
        if (!value.empty())
            all.push_back({key, quoted(value)});
    };
    if (names.slice != names.stage)
        text("stage", names.stage);
    text("description", names.description);
    text("kernel_name", names.kernel);
    text("kernel_demangled_name", names.demangled);
    text("arch", names.arch);
    number("context_id", stage.context);
    number("render_target", stage.target);
    text("render_target_name", nameOfObject(kFramebuffer, stage.target));
    number("render_pass", stage.pass);
    text("render_pass_name", nameOfObject(kRenderPass, stage.pass));
    number("command_buffer", stage.commands);
    text("command_buffer_name", nameOfObject(kCommandBuffer, stage.commands));
    number("submission_id", stage.submission);
    if (stage.queueIid == 0)
        all.push_back({"hw_queue_id", std::to_string(static_cast<std::uint32_t>(stage.queue))});
    text("render_subpasses", subpasses(stage.subpasses));
    if (stage.instance != 0)
        text("correlation_id", "rp:#" + std::to_string(stage.instance));
    for (const auto &[key, value] : stage.extra)
        all.push_back({key, value.empty() ? "null" : quoted(value)});
    return tracks_.of(packet.machine).arguments(all);
}

const RenderModule::Queue &RenderModule::queueOf(const Packet &packet, const Stage &stage, const Label &label) {
    const bool interned = stage.queueIid != 0;
    const std::string number = std::to_string(static_cast<std::uint32_t>(stage.queue));
    const std::string name = interned
                                 ? (label.name.empty() ? "queue " + std::to_string(stage.queueIid) : label.name)
                                 : "Unknown GPU Queue " + number;
    const std::string gpu = std::to_string(stage.gpu);
    Queue &queue = queues_[{packet.machine, gpu + (interned ? " named " + name : " number " + number)}];
    if (!queue.row.id.valid()) {
        queue.number = interned ? -1 : stage.queue;
        queue.row.source = context_.source;
        queue.row.kind = TrackKind::GpuStream;
        queue.row.name = name;
        queue.row.stream = interned ? name : number;
        queue.row.device = tracks_.of(packet.machine).device(DeviceKind::Gpu, "GPU " + gpu, gpu);
        queue.row.id = context_.writer.addTrack(queue.row);
    }
    return queue;
}

void RenderModule::launchSize(std::string_view launch, GpuOpRow &op) {
    const auto size = [](std::string_view bytes) {
        std::array<std::int64_t, 3> all = {1, 1, 1};
        Message message(bytes);
        for (Field field; message.next(field);)
            if (field.id >= 1 && field.id <= all.size())
                all[field.id - 1] = field.integer();
        return all;
    };
    Message message(launch);
    for (Field field; message.next(field);) {
        if (field.id == 1 && field.isBytes())
            op.grid = size(field.bytes);
        else if (field.id == 2 && field.isBytes())
            op.block = size(field.bytes);
    }
}

void RenderModule::classify(StringId name, const std::string &text) {
    if (!classified_.insert(name).second)
        return;
    if (!classifier_) {
        auto loaded = KernelClassifier::load();
        if (!loaded)
            return;
        classifier_ = std::move(*loaded);
    }
    const KernelClass found = classifier_->classify(text);
    context_.writer.classifyName(name, found.opClass, found.precision);
}

void RenderModule::stage(const Packet &packet, const Stage &stage) {
    const Names names = namesOf(packet, stage);
    const Queue &queue = queueOf(packet, stage, specification(packet, stage.queueIid));
    RawEvent event;
    event.track = queue.row.id;
    event.ts = packet.ts;
    event.name = context_.writer.intern(names.slice);
    event.args = argumentsOf(packet, stage, names);
    event.origin = packet.origin;
    classify(event.name, names.slice);
    GpuOpRow op;
    op.device = queue.row.device;
    op.stream = queue.row.stream;
    op.correlation = static_cast<std::int64_t>(stage.submission);
    launchSize(stage.launch, op);
    context_.builder.gpuOperation(event, std::max<std::int64_t>(stage.duration, 0), std::move(op),
                                  launchId(packet.machine, stage.id));
    arrows(packet, stage, event);
}

void RenderModule::arrows(const Packet &packet, const Stage &stage, const RawEvent &event) {
    RawFlow flow;
    flow.track = event.track;
    flow.ts = event.ts;
    flow.name = context_.writer.intern("wait");
    flow.origin = packet.origin;
    flow.binding = FlowBinding::OwnEvent;
    flow.phase = FlowPhase::End;
    for (const std::uint64_t waited : stage.waits) {
        flow.key = stageFlow(packet.machine, waited);
        context_.builder.flow(flow);
    }
    // Others may wait for this one.
    flow.key = stageFlow(packet.machine, stage.id);
    flow.phase = FlowPhase::Start;
    flow.loneStartIsNormal = true;
    context_.builder.flow(flow);
    submitted_.push({static_cast<std::uint32_t>(event.track.value), event.ts, packet.origin.offset,
                     submissionFlow(packet.machine, stage.id)});
}

// Which stages a call submitted is known when the whole trace is.
Status RenderModule::endSubmissions() {
    if (auto status = submitted_.seal(context_.task.stop); !status)
        return status;
    for (const Submitted *stage = submitted_.peek(); stage; stage = submitted_.peek()) {
        RawFlow flow;
        flow.track = TrackId(stage->key);
        flow.ts = stage->ts;
        flow.key = stage->flow;
        flow.name = context_.writer.intern("submit");
        flow.phase = FlowPhase::End;
        flow.binding = FlowBinding::OwnEvent;
        flow.origin = {stage->offset};
        if (context_.facts.submissions.count(flow.key) > 0)
            context_.builder.flow(flow);
        submitted_.pop();
    }
    return submitted_.status();
}

void RenderModule::objectName(const Packet &, std::string_view bytes) {
    std::uint64_t type = 0, object = 0;
    std::string_view name;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 3)
            type = field.number;
        else if (field.id == 4)
            object = field.number;
        else if (field.id == 5 && field.isBytes())
            name = field.bytes;
    }
    if (objects_.size() < kMostObjects)
        objects_[{type, object}] = name;
}

void RenderModule::queueSubmit(const Packet &packet, std::string_view bytes) {
    std::int64_t duration = 0, pid = 0, tid = 0, submission = 0;
    std::string buffers;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            duration = field.integer();
        else if (field.id == 2)
            pid = static_cast<std::int32_t>(field.number);
        else if (field.id == 3)
            tid = static_cast<std::int32_t>(field.number);
        else if (field.id == 5)
            eachNumber(field, [&](std::uint64_t buffer) {
                (buffers += buffers.empty() ? "" : ",") += std::to_string(buffer);
            });
        else if (field.id == 6)
            submission = static_cast<std::uint32_t>(field.number);
    }
    ftrace::Tracks &tracks = tracks_.of(packet.machine);
    RawEvent event;
    event.track =
        tracks.track(TrackKind::Global, "Vulkan Events", context_.places.process(pid, packet.machine).row.id);
    event.ts = packet.ts;
    event.name = context_.writer.intern("vkQueueSubmit");
    event.args = tracks.arguments({{"pid", std::to_string(pid)},
                                   {"tid", std::to_string(tid)},
                                   {"command_buffers", '[' + buffers + ']'},
                                   {"submission_id", std::to_string(submission)}});
    event.origin = packet.origin;
    context_.builder.launchCall(event, std::max<std::int64_t>(duration, 0), submission, 0);
}

void RenderModule::vulkan(const Packet &packet, std::string_view bytes) {
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1 && field.isBytes())
            objectName(packet, field.bytes);
        else if (field.id == 2 && field.isBytes())
            queueSubmit(packet, field.bytes);
    }
}

Taken RenderModule::take(const Packet &packet, const Field &payload) {
    if (payload.id == kVulkanApi) {
        vulkan(packet, payload.bytes);
        return Taken::Done;
    }
    bool onlyNames = false;
    Message message(payload.bytes);
    for (Field field; message.next(field);)
        if (field.id == 7 && field.isBytes()) {
            specifications(packet, field.bytes);
            onlyNames = true;
        }
    if (!onlyNames && packet.hasTime)
        stage(packet, decode(payload.bytes));
    return Taken::Done;
}

// Queues by number get the names of the list, wherever it stood.
Status RenderModule::finish() {
    for (auto &[key, queue] : queues_) {
        if (queue.number < 0 || static_cast<std::size_t>(queue.number) >= queueLabels_.size())
            continue;
        queue.row.name = queueLabels_[static_cast<std::size_t>(queue.number)].name;
        context_.writer.updateTrack(queue.row);
    }
    return endSubmissions();
}

}  // namespace wattproof::importers::perfetto
