// Sorts records by (key, ts, offset, order of pushing) within a memory budget: what exceeds it is
// spilled as sorted runs, which are merged while they are read back. A run is sorted and written on
// a thread of its own, while the next is collected.
#pragma once

#include "importers/trace/chunk_list.h"
#include "importers/trace/sort_order.h"
#include "importers/trace/spill_file.h"
#include "store/time.h"

#include <algorithm>
#include <cstdint>
#include <future>
#include <stop_token>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace wattproof::importers {

// Record: trivially copyable, with members `key` (unsigned), `ts` (Ns) and `offset` (place in the file).
template <class Record>
class RecordSorter {
    static_assert(std::is_trivially_copyable_v<Record>);

public:
    explicit RecordSorter(std::size_t budget) : capacity_(std::max(budget / kBytesPerRecord, kFewest)) {}
    ~RecordSorter() { abandoned_.request_stop(); }
    RecordSorter(const RecordSorter &) = delete;
    RecordSorter &operator=(const RecordSorter &) = delete;

    void push(const Record &record) {
        if (held_.size() == capacity_ && status_)
            status_ = beginSpill();
        held_.push_back(record);
        ++total_;
    }

    [[nodiscard]] std::uint64_t size() const { return total_; }

    // Ends the pushing. An error is that of the temporary file. Once the stop is requested, the records end and the
    // status is cancelled().
    [[nodiscard]] Status seal(const std::stop_token &stop = {}) {
        if (status_)
            status_ = endSpill();
        if (!status_)
            return status_;
        spilled_ = {};
        stop_ = stop;
        order_ = sortOrder(held_, stop_);
        lookAtStop();
        for (Run &run : runs_)
            if (auto status = run.fill(file_); !status)
                return status;
        advance();
        return status_;
    }

    // The next record in order; null at the end. Valid until pop().
    [[nodiscard]] const Record *peek() const { return current_; }
    void pop() {
        if (source_)
            status_ = source_->step(file_);
        else
            ++memoryAt_;
        if (++popped_ % kPopsPerLook == 0)
            lookAtStop();
        advance();
    }
    // Whether reading back went well; to be asked at the end.
    [[nodiscard]] const Status &status() const { return status_; }

private:
    struct Run {
        std::uint64_t at = 0, left = 0;  // byte offset and records not yet in the buffer
        std::vector<Record> buffer;
        std::size_t next = 0;

        [[nodiscard]] const Record *head() const { return next < buffer.size() ? &buffer[next] : nullptr; }
        Status step(const SpillFile &file) { return ++next < buffer.size() ? Status{} : fill(file); }
        Status fill(const SpillFile &file) {
            buffer.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, kRunBuffer)));
            next = 0;
            left -= buffer.size();
            const auto bytes = std::as_writable_bytes(std::span(buffer));
            const std::uint64_t from = at;
            at += bytes.size();
            return file.read(from, bytes);
        }
    };

    static constexpr std::size_t kFewest = 8192, kRunBuffer = 4096, kPopsPerLook = 4096;
    static constexpr std::size_t kBytesPerRecord = 2 * sizeof(Record) + kSortBytes;

    [[nodiscard]] Status beginSpill() {
        if (auto status = endSpill(); !status)
            return status;
        std::swap(held_, spilled_);
        held_.clear();
        runs_.push_back({file_.size(), spilled_.size(), {}, 0});
        spilling_ = std::async(std::launch::async, [this] { return spill(); });
        return {};
    }

    [[nodiscard]] Status endSpill() { return spilling_.valid() ? spilling_.get() : Status(); }

    [[nodiscard]] Status spill() {
        std::vector<Record> buffer;
        buffer.reserve(kRunBuffer);
        for (const std::uint32_t index : sortOrder(spilled_, abandoned_.get_token())) {
            buffer.push_back(spilled_[index]);
            if (buffer.size() == kRunBuffer) {
                if (abandoned_.stop_requested())
                    return cancelled();
                if (auto status = file_.append(std::as_bytes(std::span(buffer))); !status)
                    return status;
                buffer.clear();
            }
        }
        return file_.append(std::as_bytes(std::span(buffer)));
    }

    // Strictly earlier; between equals the earlier run wins because it is asked first.
    static bool before(const Record &a, const Record &b) {
        return std::tie(a.key, a.ts, a.offset) < std::tie(b.key, b.ts, b.offset);
    }

    void lookAtStop() {
        if (status_ && stop_.stop_requested())
            status_ = cancelled();
    }

    void advance() {
        current_ = nullptr;
        source_ = nullptr;
        if (!status_)
            return;
        for (Run &run : runs_) {
            const Record *head = run.head();
            if (head && (!current_ || before(*head, *current_))) {
                current_ = head;
                source_ = &run;
            }
        }
        if (memoryAt_ < order_.size()) {
            const Record &head = held_[order_[memoryAt_]];
            if (!current_ || before(head, *current_)) {
                current_ = &head;
                source_ = nullptr;
            }
        }
    }

    std::size_t capacity_;
    ChunkList<Record> held_, spilled_;
    std::uint64_t total_ = 0;
    SpillFile file_;
    std::vector<Run> runs_;
    std::vector<std::uint32_t> order_;
    std::size_t memoryAt_ = 0, popped_ = 0;
    std::stop_token stop_;
    const Record *current_ = nullptr;
    Run *source_ = nullptr;
    Status status_;
    std::stop_source abandoned_;
    std::future<Status> spilling_;  // last: waited for before anything else goes
};

}  // namespace wattproof::importers
