// Offsets of time zones: fixed ones and the named ones of the system's tz database.
//
// The database's files (TZif, RFC 8536) are read here, not through the C library: its zone is one setting of the
// whole process, and importers run beside other threads.
#pragma once

#include "store/result.h"
#include "store/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers {

// The rule after a zone's last listed transition: a POSIX TZ string such as "CET-1CEST,M3.5.0,M10.5.0/3".
struct PosixRule {
    struct Change {
        char kind = 'M';  // 'M' month, week, weekday; 'J' day without 29 February; 'N' day from 0
        int month = 0, week = 0, day = 0;
        std::int64_t second = 7200;  // local time of the change, seconds after midnight
    };
    std::int64_t standard = 0;  // seconds east of Greenwich
    std::optional<std::int64_t> summer;
    Change start, end;

    [[nodiscard]] static std::optional<PosixRule> parse(std::string_view text);
    [[nodiscard]] std::int64_t offsetAt(std::int64_t utcSeconds) const;
};

class TimeZone {
public:
    // "" and "UTC" and "Z", "+02:00", "-0530", or a name of the tz database ("Europe/Berlin").
    [[nodiscard]] static Expected<TimeZone> named(std::string_view name);
    // A TZif file's bytes: for tests and fuzzing.
    [[nodiscard]] static std::optional<TimeZone> fromTzif(std::string_view name, std::string_view bytes);

    [[nodiscard]] const std::string &name() const { return name_; }
    [[nodiscard]] std::int64_t offsetAt(std::int64_t utcSeconds) const;

    // UTC of a local time. In the hour that occurs twice both are given; a local time that a change skips is read
    // with the offset before the change.
    struct Utc {
        Ns first = 0;
        std::optional<Ns> second;
    };
    [[nodiscard]] Utc toUtc(Ns local) const;

private:
    struct Transition {
        std::int64_t at = 0, offset = 0;
    };
    std::string name_ = "UTC";
    std::int64_t initial_ = 0;
    std::vector<Transition> transitions_;
    std::optional<PosixRule> rule_;
};

// Days since 1970-01-01 of a date of the proleptic Gregorian calendar, and the year of a day.
[[nodiscard]] std::int64_t daysFromCivil(std::int64_t year, int month, int day);
[[nodiscard]] std::int64_t yearOfDay(std::int64_t days);

}  // namespace wattproof::importers
