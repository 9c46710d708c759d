// One kernel event as any container gives it: a line of ftrace text, a message of a Perfetto bundle. Fields bear
// the names of the kernel's own event formats (/sys/kernel/tracing/events/*/*/format), so that what follows does
// not care where an event came from.
#pragma once

#include "store/time.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wattproof::importers::ftrace {

struct Field {
    std::string_view key;
    std::string_view text;  // of text fields and of all fields of text lines
    std::int64_t number = 0;
    bool isText = false;
};

// Views point into the reader's buffer: valid until its next event.
struct FtraceEvent {
    Ns ts = 0;  // stated
    std::int32_t cpu = -1;
    std::int64_t tid = 0;   // 0: the idle task, or not known
    std::int64_t tgid = 0;  // process of the thread; 0: not known
    std::string_view comm;  // empty: not known
    std::string_view name;  // "sched_switch"
    std::uint64_t offset = 0;

    void clear() { fieldCount = 0; }
    // Fields beyond the room are dropped: no event that is shown has so many.
    void add(std::string_view key, std::int64_t number) { push({key, {}, number, false}); }
    void addText(std::string_view key, std::string_view text) { push({key, text, 0, true}); }

    // A number, or text that is one (decimal, or hexadecimal after 0x).
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view key) const;
    // Empty when the field is absent or a number.
    [[nodiscard]] std::string_view text(std::string_view key) const;
    [[nodiscard]] const Field *find(std::string_view key) const;

private:
    void push(const Field &field) {
        if (fieldCount < fields.size())
            fields[fieldCount++] = field;
    }
    std::array<Field, 24> fields{};
    std::size_t fieldCount = 0;
};

// Decimal, or hexadecimal after 0x; a leading minus is allowed. Nothing when anything else stands there.
[[nodiscard]] std::optional<std::int64_t> wholeNumber(std::string_view text);

}  // namespace wattproof::importers::ftrace
