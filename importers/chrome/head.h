// What stands beside the events in the outermost object: kept as metadata, and read for base time and devices.
#pragma once

#include "importers/chrome/dialects/recogniser.h"
#include "importers/chrome/gpu.h"
#include "importers/trace/trace_builder.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers::chrome {

class Head {
public:
    Head(store::BulkWriter &writer, SourceId source, TraceBuilder &builder, Recogniser &recogniser)
        : writer_(writer), source_(source), builder_(builder), recogniser_(recogniser) {}

    void member(std::string_view key, const RawValue &value, std::uint64_t offset);
    // Arguments of a metadata event that is no name of a process or thread.
    void metadataEvent(std::string_view name, const Event &);

    // The stated time of a mark that other recordings have too, and the best guess of when they got it.
    void clockSync(std::string_view id, Ns stated, Ns likely);
    [[nodiscard]] const std::map<std::string, Ns, std::less<>> &clockMarks() const { return clockMarks_; }
    void unitOfWork(std::string_view pattern);

    [[nodiscard]] const std::vector<DeviceProperties> &devices() const { return devices_; }
    [[nodiscard]] bool simulated() const { return simulated_; }
    // Where times count from the file's base: that base, ns since 1970.
    [[nodiscard]] std::optional<Ns> baseTime() const { return baseTime_; }

private:
    void store(std::string_view key, const std::string &json, std::uint64_t offset);
    [[nodiscard]] bool full() const;
    void add(std::string key, std::string value);
    void readDevices(const std::string &json);
    void readStackFrames(const std::string &json, std::uint64_t offset);

    store::BulkWriter &writer_;
    SourceId source_;
    TraceBuilder &builder_;
    Recogniser &recogniser_;
    std::vector<DeviceProperties> devices_;
    std::map<std::string, Ns, std::less<>> clockMarks_;
    std::optional<Ns> baseTime_;
    bool simulated_ = false;
    std::size_t rows_ = 0, bytes_ = 0;
};

}  // namespace wattproof::importers::chrome
