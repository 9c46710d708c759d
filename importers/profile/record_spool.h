// Records that wait for what stands behind them in the file, in their order: in memory while they are few, then in
// a temporary file.
#pragma once

#include "importers/trace/spill_file.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace wattproof::importers {

class RecordSpool {
public:
    [[nodiscard]] Status append(std::string_view record, std::uint64_t fileOffset);
    [[nodiscard]] std::uint64_t size() const { return file_.size() + buffer_.size(); }

    // Goes over the records from one position of the spool to another.
    class Reader {
    public:
        Reader(const RecordSpool &spool, std::uint64_t begin, std::uint64_t end)
            : spool_(spool), next_(begin), end_(end) {}
        // False at the end, or when the temporary file cannot be read: see status(). Valid until the next call.
        [[nodiscard]] bool next(std::string_view &record, std::uint64_t &fileOffset);
        [[nodiscard]] const Status &status() const { return status_; }

    private:
        [[nodiscard]] bool window(std::size_t bytes);

        const RecordSpool &spool_;
        std::uint64_t next_, end_;
        std::string window_;
        std::size_t at_ = 0;
        Status status_;
    };

private:
    [[nodiscard]] Status read(std::uint64_t from, std::span<char> bytes) const;

    SpillFile file_;
    std::string buffer_;
};

}  // namespace wattproof::importers
