#include "importers/nsys/nsys_importer.h"

#include "importers/kernel_classes.h"
#include "importers/nsys/nsys_columns.h"
#include "importers/profile/run.h"
#include "importers/trace/table_rows.h"

#include <map>
#include <set>
#include <utility>

namespace wattproof::importers {
namespace {

constexpr std::size_t kNsysHeadRows = 20;
constexpr const char *kFormat = "nsys-cuda-gpu-trace-csv";
constexpr std::size_t kMaxDevices = 1024;

class NsysRun {
public:
    NsysRun(Input &input, store::BulkWriter &writer, const Task &task, KernelClassifier classifier)
        : input_(input),
          writer_(writer),
          classifier_(std::move(classifier)),
          reader_(input),
          source_(input, writer, task) {}

    Expected<Summary> run() {
        if (Status status = source_.begin(kFormat); !status)
            return passOn(status);
        builder_.emplace(writer_, source_.row().id);
        if (Status status = readTableRows(reader_, source_, [this](const TableRow &row) { takeRow(row); }); !status)
            return passOn(status);
        return finish();
    }

private:
    void takeRow(const TableRow &row) {
        if (auto header = NsysColumns::fromHeader({row.cells.begin(), row.cells.end()})) {
            if (columns_)
                builder_->warn("repeated_header", "the header is repeated between rows", {row.offset});
            columns_ = std::move(header);
            return;
        }
        if (!columns_)
            return;  // messages of nsys before the table
        if (row.cells.size() != columns_->size())
            return skip(row);
        const auto op = columns_->read(row.cells);
        if (!op)
            return skip(row);
        ++events_;
        addOperation(*op, row);
    }

    void skip(const TableRow &row) {
        if (row.endsWithNewline)
            builder_->warn("malformed_row", "rows that are not of the table's shape were skipped", {row.offset});
        else
            builder_->warn("truncated_input", "the file ends within this row, which was left out", {row.offset});
    }

    void addOperation(const NsysOperation &op, const TableRow &row) {
        const DeviceId device = deviceOf(op.device);
        RawEvent event;
        event.track = trackOf(device, op);
        event.ts = op.start;
        event.name = nameOf(op);
        event.category = writer_.intern(categoryOf(op.activity));
        columns_->arguments(row.cells, arguments_);
        event.args = writer_.addArgs(writer_.internArgShape(arguments_.keys), arguments_.values);
        event.origin = {row.offset};
        GpuOpRow gpu;
        gpu.activity = op.activity;
        gpu.device = device;
        gpu.stream = std::string(op.stream);
        gpu.correlation = op.correlation;
        gpu.grid = op.grid;
        gpu.block = op.block;
        gpu.bytes = op.bytes;
        gpu.copyKind = op.copyKind;
        builder_->gpuOperation(event, op.duration, std::move(gpu), 0);
    }

    DeviceId deviceOf(std::string_view text) {
        const auto it = devices_.find(text);
        if (it != devices_.end())
            return it->second;
        if (devices_.size() >= kMaxDevices)
            return devices_.begin()->second;
        const NsysDevice parts = splitDevice(text);
        DeviceRow row;
        row.source = source_.row().id;
        row.kind = DeviceKind::Gpu;
        row.nativeId = parts.ordinal.empty() ? std::to_string(devices_.size()) : parts.ordinal;
        row.name = "GPU " + row.nativeId;
        row.model = parts.model;
        const DeviceId id = writer_.addDevice(row);
        ProcessRow process;
        process.source = source_.row().id;
        process.pid = row.name;
        process.name = row.name + ": " + row.model;
        processes_[id] = writer_.addProcess(process);
        return devices_.emplace(std::string(text), id).first->second;
    }

    TrackId trackOf(DeviceId device, const NsysOperation &op) {
        key_.assign(std::to_string(device.value)).append("/").append(op.context).append("/").append(op.stream);
        const auto it = tracks_.find(key_);
        if (it != tracks_.end())
            return it->second;
        TrackRow row;
        row.source = source_.row().id;
        row.kind = TrackKind::GpuStream;
        row.stream = validUtf8(op.stream);
        row.name = "Stream " + row.stream;
        if (!op.context.empty() && op.context != "1")
            row.name += " (context " + validUtf8(op.context) + ")";
        row.process = processes_[device];
        row.device = device;
        return tracks_.emplace(key_, writer_.addTrack(row)).first->second;
    }

    StringId nameOf(const NsysOperation &op) {
        const std::string text = validUtf8(op.name);
        const StringId id = writer_.intern(text);
        if (classified_.insert(id).second) {
            const KernelClass found = classifier_.classify(text);
            writer_.classifyName(id, found.opClass, found.precision);
        }
        return id;
    }

    Expected<Summary> finish() {
        warnOfLostRows(input_, reader_, *builder_);
        if (events_ == 0)
            builder_->warn("no_events", "the table has no rows", {});
        if (Status status = source_.write(*builder_, std::nullopt); !status)
            return passOn(status);
        return source_.close(events_);
    }

    Input &input_;
    store::BulkWriter &writer_;
    KernelClassifier classifier_;
    TableReader reader_;
    TraceSource source_;
    std::optional<TraceBuilder> builder_;
    std::optional<NsysColumns> columns_;
    NsysColumns::Arguments arguments_;
    std::map<std::string, DeviceId, std::less<>> devices_;
    std::map<DeviceId, ProcessId> processes_;
    std::map<std::string, TrackId> tracks_;
    std::set<StringId> classified_;
    std::string key_;
    std::int64_t events_ = 0;
};

class NsysImporter final : public Importer {
public:
    [[nodiscard]] std::string_view name() const override { return kFormat; }

    [[nodiscard]] double probe(std::span<const char> head, std::string_view) const override {
        for (const std::vector<std::string> &row : headRows(head, kNsysHeadRows))
            if (NsysColumns::fromHeader({row.begin(), row.end()}))
                return 1.0;
        return 0.0;
    }

    [[nodiscard]] Expected<Summary> import(Input &input, store::BulkWriter &writer, const Options &,
                                           const Task &task) const override {
        Expected<KernelClassifier> classifier = KernelClassifier::load();
        if (!classifier)
            return passOn(classifier);
        return NsysRun(input, writer, task, std::move(*classifier)).run();
    }
};

}  // namespace

std::unique_ptr<Importer> makeNsysImporter() {
    return std::make_unique<NsysImporter>();
}

}  // namespace wattproof::importers
