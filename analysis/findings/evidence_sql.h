// Texts of evidence queries over the public views. Each is a complete SELECT whose single cell is a number; parts
// that end in Rows select intervals as (b, e).
#pragma once

#include "store/ids.h"
#include "store/time.h"

#include <string>
#include <vector>

namespace wattproof::analysis::sql {

enum class Work { Any, Compute, Communication, Copy };

// Operations of a device (all its ids) that touch a range. Classes as in the GPU timeline: memset computes.
[[nodiscard]] std::string operationRows(const std::vector<DeviceId> &, TimeRange, Work = Work::Any);
[[nodiscard]] std::string operationCount(const std::vector<DeviceId> &, TimeRange, Ns shorterThan);
// Idle pieces of the analysis' device states.
[[nodiscard]] std::string idleRows(DeviceId, TimeRange, const std::vector<std::string> &causes);
// Slices whose name is one of the list; runtime calls only, not operators or Python frames of the same name.
[[nodiscard]] std::string callRows(const std::vector<std::string> &names, TimeRange);
// Slices by id.
[[nodiscard]] std::string sliceRows(const std::vector<SliceId> &);

[[nodiscard]] std::string both(const std::string &rows, const std::string &moreRows);
[[nodiscard]] std::string inside(const std::string &rows, TimeRange);  // clipped
[[nodiscard]] std::string atLeast(const std::string &rows, Ns shortest);

// Milliseconds: of the union, of the plain sum.
[[nodiscard]] std::string unionMs(const std::string &rows);
[[nodiscard]] std::string sumMs(const std::string &rows);
[[nodiscard]] std::string count(const std::string &rows);
[[nodiscard]] std::string longestMs(const std::string &rows);

// Pauses between operations (rows), and those of them that begin while one of the calls (rows) runs or returns.
[[nodiscard]] std::string pauseRows(const std::string &operationRows);
[[nodiscard]] std::string pausesBegunInside(const std::string &pauses, const std::string &calls);

// Arithmetic and comparison of whole queries; comparisons give 1 or 0.
[[nodiscard]] std::string minus(const std::string &a, const std::string &b);
[[nodiscard]] std::string minus(double a, const std::string &b);
[[nodiscard]] std::string compare(const std::string &a, const char *relation, const std::string &b);
[[nodiscard]] std::string compare(const std::string &a, const char *relation, double b);

// A double as SQL text that reads back as the same double.
[[nodiscard]] std::string literal(double);
[[nodiscard]] std::string quoted(const std::string &);

}  // namespace wattproof::analysis::sql
