#include "importers/rocprof/process.h"

#include "importers/copy_kind.h"
#include "importers/profile/work_items.h"

#include <cstring>
#include <iterator>
#include <type_traits>

namespace wattproof::importers::rocprof {
namespace {

constexpr std::string_view kRecords = "buffer_records.";
constexpr std::uint64_t kRecordsPerCheck = 4096;
constexpr int kAgentIsGpu = 2;

// What of the file's head is kept. Not the command and the configuration: their texts may hold secrets.
constexpr std::array<std::string_view, 8> kMetadata{
    "metadata.pid",          "metadata.init_time",    "metadata.fini_time",          "metadata.node.hostname",
    "metadata.node.release", "metadata.node.version", "metadata.node.hardware_name", "metadata.node.system_name"};

std::string valueText(const JsonValue &value) {
    return value.kind == JsonValue::Kind::Text ? value.text : std::to_string(value.integer);
}

std::array<std::int64_t, 3> triple(const JsonItem &item, const std::string &key) {
    return {item.wholeOr(key + ".x", 0), item.wholeOr(key + ".y", 0), item.wholeOr(key + ".z", 0)};
}

// Domain, bus, device and function as lspci writes them.
std::string pciAddress(std::int64_t domain, std::int64_t location) {
    if (location <= 0)
        return {};
    std::array<char, 32> text{};
    const auto part = [&](unsigned shift, unsigned mask) {
        return static_cast<unsigned>(location >> shift) & mask;
    };
    const int length =
        std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.%x", static_cast<unsigned>(domain) & 0xffffU,
                      part(8, 0xff), part(3, 0x1f), part(0, 7));
    return {text.data(), static_cast<std::size_t>(length)};
}

std::string_view hostCategory(const Record &record) {
    switch (record.family) {
        case Family::HipApi:
            return "hip_runtime";
        case Family::HsaApi:
            return "hsa_runtime";
        case Family::Marker:
            return "user_annotation";
        case Family::Memory:
            return "memory";
        default:
            return "api";
    }
}

}  // namespace

bool Process::isItem(std::string_view list) {
    return list == "agents[]" || list == "kernel_symbols[]" || list == "strings.buffer_records[]" ||
           list == "strings.marker_api[]" || list.starts_with(kRecords) || list.starts_with("callback_records.");
}

void Process::value(std::string_view path, const JsonValue &value) {
    if (path == "metadata.pid")
        pid_ = valueText(value);
    else if (path == "metadata.command[]" && program_.empty())
        program_ = value.text.substr(value.text.find_last_of('/') + 1);
    else if (path == "metadata.node.hostname")
        host_ = value.text;
    else if (path == "metadata.config.group_by_queue")
        groupByQueue_ = value.integer != 0;
    for (const std::string_view kept : kMetadata)
        if (path == kept)
            run_.metadata(path.substr(path.find('.') + 1), valueText(value));
}

void Process::item(std::string_view list, const JsonItem &item, std::uint64_t offset) {
    if (list == "agents[]")
        return agent(item);
    if (list == "kernel_symbols[]")
        return symbol(item);
    if (list == "strings.buffer_records[]")
        return kind(item);
    if (list == "strings.marker_api[]") {
        markers_.try_emplace(item.wholeOr("key", 0), item.text("value"));
        return;
    }
    Family family{};
    const std::string_view name = list.substr(list.find('.') + 1, list.size() - list.find('.') - 3);
    if (list.starts_with(kRecords) && familyOf(name, family))
        return record(family, item, offset);
    run_.warn("unread_section",
              "Records of kinds that are not shown were left out, first of " + std::string(name) + ".", offset);
}

void Process::agent(const JsonItem &item) {
    Agent agent;
    agent.gpu = item.wholeOr("type", 0) == kAgentIsGpu;
    agent.name = item.text("name");
    agent.model = item.text(item.text("product_name").empty() ? "name" : "product_name");
    agent.pci = pciAddress(item.wholeOr("domain", 0), item.wholeOr("location_id", 0));
    agent.ordinal = item.wholeOr("logical_node_type_id", item.wholeOr("gpu_index", 0));
    agents_.try_emplace(item.wholeOr("id.handle", 0), std::move(agent));
}

void Process::symbol(const JsonItem &item) {
    for (const char *key : {"formatted_kernel_name", "demangled_kernel_name", "kernel_name"})
        if (const std::string_view name = item.text(key); !name.empty()) {
            symbols_.try_emplace(item.wholeOr("kernel_id", 0), name);
            return;
        }
}

void Process::kind(const JsonItem &item) {
    Kind kind;
    kind.name = item.text("kind");
    for (const JsonItem::Leaf &leaf : item.leaves())
        if (leaf.key == "operations[]")
            kind.operations.push_back(leaf.value.text);
    kinds_.push_back(std::move(kind));
}

Record Process::read(Family family, const JsonItem &item) {
    Record record;
    record.family = family;
    record.start = item.wholeOr("start_timestamp", 0);
    record.end = item.wholeOr("end_timestamp", record.start);
    record.thread = item.wholeOr("thread_id", 0);
    record.correlation = item.wholeOr("correlation_id.internal", 0);
    record.kind = static_cast<std::int32_t>(item.wholeOr("kind", 0));
    record.operation = static_cast<std::int32_t>(item.wholeOr("operation", 0));
    record.hasStream = item.find("stream_id.handle") != nullptr;
    record.stream = item.wholeOr("stream_id.handle", 0);
    if (family == Family::MemoryCopy) {
        record.agent = item.wholeOr("dst_agent_id.handle", 0);
        record.otherAgent = item.wholeOr("src_agent_id.handle", 0);
        record.bytes = item.wholeOr("bytes", -1);
    } else if (family == Family::Memory) {
        record.agent = item.wholeOr("agent_id.handle", 0);
        record.bytes = item.wholeOr("allocation_size", -1);
    } else if (family == Family::KernelDispatch) {
        record.agent = item.wholeOr("dispatch_info.agent_id.handle", 0);
        record.queue = item.wholeOr("dispatch_info.queue_id.handle", 0);
        record.kernel = item.wholeOr("dispatch_info.kernel_id", 0);
        record.groupSegment = item.wholeOr("dispatch_info.group_segment_size", 0);
        record.privateSegment = item.wholeOr("dispatch_info.private_segment_size", 0);
        record.grid = triple(item, "dispatch_info.grid_size");
        record.workgroup = triple(item, "dispatch_info.workgroup_size");
    }
    return record;
}

void Process::record(Family family, const JsonItem &item, std::uint64_t offset) {
    if (!item.whole("start_timestamp")) {
        run_.countEvent();
        return run_.warn("missing_field", "Events without a start were left out.", offset);
    }
    const Record record = read(family, item);
    static_assert(std::is_trivially_copyable_v<Record>);
    if (spooled_)
        spooled_ = spool_.append({reinterpret_cast<const char *>(&record), sizeof record}, offset);
}

Status Process::finish() {
    RecordSpool::Reader reader(spool_, 0, spool_.size());
    std::string_view bytes;
    Record record;
    std::uint64_t offset = 0, count = 0;
    while (spooled_ && reader.next(bytes, offset)) {
        if (count++ % kRecordsPerCheck == 0)
            if (auto status = run_.checkpoint(); !status)
                return status;
        std::memcpy(&record, bytes.data(), sizeof record);
        emit(record, offset);
    }
    return spooled_ ? reader.status() : spooled_;
}

void Process::emit(const Record &record, std::uint64_t offset) {
    RawEvent event;
    Ns dur = 0;
    if (!run_.range(record.start, record.end, offset, event, dur))
        return;
    event.args = argumentsOf(record);
    if (record.family == Family::KernelDispatch || record.family == Family::MemoryCopy)
        gpuRecord(record, event, dur);
    else
        hostRecord(record, event, dur);
}

std::string Process::nameOf(const Record &record) const {
    if (record.family == Family::KernelDispatch) {
        const auto found = symbols_.find(record.kernel);
        return found == symbols_.end() ? "kernel " + std::to_string(record.kernel) : found->second;
    }
    if (record.family == Family::Marker)
        if (const auto found = markers_.find(record.correlation); found != markers_.end())
            return found->second;
    const auto kind = static_cast<std::size_t>(record.kind),
               operation = static_cast<std::size_t>(record.operation);
    if (kind >= kinds_.size())
        return "operation " + std::to_string(record.operation);
    const Kind &known = kinds_[kind];
    return operation < known.operations.size() ? known.operations[operation]
                                               : known.name + " " + std::to_string(record.operation);
}

DeviceId Process::deviceOf(std::int64_t handle) {
    const auto found = agents_.find(handle);
    DeviceRow row;
    row.host = host_;
    row.nativeId = std::to_string(handle);
    row.kind = DeviceKind::Gpu;
    if (found != agents_.end()) {
        row.kind = found->second.gpu ? DeviceKind::Gpu : DeviceKind::Cpu;
        row.nativeId = std::to_string(found->second.ordinal);
        row.model = found->second.model;
        row.pci = found->second.pci;
    }
    row.name = (row.kind == DeviceKind::Gpu ? "GPU " : "CPU ") + row.nativeId;
    if (row.kind == DeviceKind::Cpu)
        row.nativeId = "cpu " + row.nativeId;
    return run_.places().device(std::move(row));
}

// rocprofv3 groups by stream of the program unless it was asked to group by queue of the device.
TrackId Process::streamOf(DeviceId device, const Record &record, std::string &stream) {
    const bool byQueue = record.family == Family::KernelDispatch && (groupByQueue_ || !record.hasStream);
    stream = byQueue ? "queue " + std::to_string(record.queue) : std::to_string(record.stream);
    if (!record.hasStream && record.family == Family::MemoryCopy)
        stream = "copies";
    return run_.places().stream(device, stream);
}

ArgSetId Process::argumentsOf(const Record &record) {
    ProfileArguments &arguments = run_.arguments();
    arguments.clear();
    if (record.correlation != 0)
        arguments.integer("correlation", record.correlation);
    if (record.family == Family::KernelDispatch) {
        arguments.integer("queue", record.queue);
        arguments.integer("group_segment_size", record.groupSegment);
        arguments.integer("private_segment_size", record.privateSegment);
        arguments.integer("launch_thread", record.thread);
    } else if (record.bytes >= 0) {
        arguments.integer("bytes", record.bytes);
    }
    return arguments.write();
}

void Process::gpuRecord(const Record &record, RawEvent &event, Ns dur) {
    GpuOpRow row;
    const bool copy = record.family == Family::MemoryCopy;
    const std::string name = nameOf(record);
    row.activity = copy ? GpuActivity::Memcpy : GpuActivity::Kernel;
    row.copyKind = copy ? copyKindOf(name) : CopyKind::None;
    // A copy to the host is the work of the device it comes from.
    const bool fromDevice = copy && row.copyKind == CopyKind::DeviceToHost && record.otherAgent != 0;
    row.device = deviceOf(fromDevice ? record.otherAgent : record.agent);
    event.track = streamOf(row.device, record, row.stream);
    row.correlation = record.correlation;
    if (copy && record.bytes >= 0)
        row.bytes = record.bytes;
    if (!copy) {
        row.grid = workgroupsOf(record.grid, record.workgroup);
        if (row.grid)
            row.block = record.workgroup;
    }
    event.name = run_.operationName(name, row.activity);
    event.category = run_.writer().intern(categoryOf(row.activity));
    run_.builder().gpuOperation(event, dur, std::move(row), 0);
}

void Process::hostRecord(const Record &record, RawEvent &event, Ns dur) {
    const ProcessId process = run_.places().process(pid_.empty() ? "0" : pid_, program_);
    event.track = run_.places().thread(process, std::to_string(record.thread), {});
    event.name = run_.name(nameOf(record));
    event.category = run_.writer().intern(hostCategory(record));
    const bool call = record.family != Family::Marker && record.family != Family::Memory;
    if (call && record.correlation != 0)
        run_.builder().launchCall(event, dur, record.correlation, 0);
    else if (record.family == Family::Marker && dur == 0)
        run_.builder().instant(event);
    else
        run_.builder().complete(event, dur);
}

}  // namespace wattproof::importers::rocprof
