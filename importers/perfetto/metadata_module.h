// What a trace says about its machine, its recorder and its recording: kept as metadata of the source.
#pragma once

#include "importers/perfetto/packet_module.h"

#include <map>

namespace wattproof::importers::perfetto {

class MetadataModule final : public PacketModule {
public:
    explicit MetadataModule(ImportContext &context) : context_(context) {}

    [[nodiscard]] std::vector<std::uint32_t> fields() const override;
    [[nodiscard]] Taken take(const Packet &, const Field &) override;
    [[nodiscard]] Status finish() override;

private:
    void systemInfo(std::string_view);
    void serviceEvent(const Packet &, std::string_view);
    void traceUuid(std::string_view);
    void traceStats(std::string_view, EventOrigin);
    void bufferStats(std::string_view);
    void ftraceStats(const Packet &, std::string_view);
    void add(std::string_view key, std::string_view value);

    struct Losses {
        std::uint64_t overwritten = 0, discarded = 0, packets = 0;
    };

    ImportContext &context_;
    Losses losses_, latest_;  // of the buffer statistics read last
    std::uint64_t statsOffset_ = 0;
    // Events that the kernel dropped before tracing began and until it ended, by machine and processor.
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>> kernelLosses_;
    std::uint64_t kernelOffset_ = 0;
    std::size_t rows_ = 0;
};

}  // namespace wattproof::importers::perfetto
