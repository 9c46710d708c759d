// How panes say what the data say: names of classes and places in time.
#pragma once

#include "analysis/result.h"
#include "store/time.h"

#include <optional>
#include <string>

#include <QString>

namespace wattproof::widgets {

[[nodiscard]] QString qs(const std::string &);
// "host_orchestration" as people say it; unknown classes with spaces for underscores.
[[nodiscard]] QString classWords(const std::string &bottleneckClass);
// A place on the workspace's axis, to the nanosecond where needed: "12.345 678 s", groups of three behind the
// point.
[[nodiscard]] QString timeText(Ns workspace);
// The same place as the source's file states it, as wall time: "2024-05-01 12:00:01.234567 UTC".
[[nodiscard]] QString utcText(Ns epochNs);
[[nodiscard]] QString durationText(Ns);
[[nodiscard]] QString rangeText(TimeRange);
// "370 J [310–430]", or the time when there are no joules, or "–".
[[nodiscard]] QString recoverableText(const analysis::Finding &);
// "+12 % [8–16] per joule"; empty when unknown.
[[nodiscard]] QString gainText(const std::optional<analysis::Interval> &gain);
// A number to copy or export: exact, without unit or grouping.
[[nodiscard]] QString exactText(double);

// "+1.25 s", "-300ms", "12 us", "1:00:00" (h:m:s): an offset as typed. None: not understood.
[[nodiscard]] std::optional<Ns> parseOffset(const QString &text);
[[nodiscard]] QString offsetText(Ns);

}  // namespace wattproof::widgets
