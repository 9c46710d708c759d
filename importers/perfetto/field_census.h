// Counts what a trace holds and this program does not show, by message and field: never an error, never silent.
#pragma once

#include "importers/trace/trace_builder.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wattproof::importers::perfetto {

class FieldCensus {
public:
    // The fields of one kind of message, "track_event" say, or "" for TracePacket itself.
    class Message {
    public:
        explicit Message(std::string path) : path_(std::move(path)) {}
        void count(std::uint32_t field, std::uint64_t offset) {
            if (total_++ == 0)
                firstOffset_ = offset;
            if (field < counts_.size())
                ++counts_[field];
            else
                ++others_;
        }

    private:
        friend class FieldCensus;
        std::string path_;
        std::array<std::uint32_t, 4096> counts_{};
        std::uint32_t others_ = 0;  // of fields with larger numbers
        std::uint64_t total_ = 0, firstOffset_ = 0;
    };

    // The same path gives the same message; the reference stays valid.
    [[nodiscard]] Message &message(std::string_view path);
    void count(std::string_view path, std::uint32_t field, std::uint64_t offset) {
        message(path).count(field, offset);
    }

    // One warning for all that was not shown, most frequent first.
    void report(TraceBuilder &) const;

private:
    std::deque<Message> messages_;
    std::unordered_map<std::string, Message *> byPath_;
};

// The name of a field of TracePacket, or nothing.
[[nodiscard]] std::string_view packetFieldName(std::uint32_t field);

}  // namespace wattproof::importers::perfetto
