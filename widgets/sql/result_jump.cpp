#include "widgets/sql/result_jump.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace wattproof::widgets {
namespace {

std::optional<std::size_t> columnOf(const store::QueryResult &result, std::string_view name) {
    const auto found = std::find(result.columns.begin(), result.columns.end(), name);
    if (found == result.columns.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - result.columns.begin());
}

// What a user's query may well give and no trace has: kept where sums do not overflow.
constexpr std::int64_t kFarthest = std::int64_t{1} << 61;

// Averages of times are times too.
std::optional<std::int64_t> integerAt(const store::QueryResult &result, std::size_t row, std::string_view name) {
    const auto column = columnOf(result, name);
    if (!column)
        return std::nullopt;
    const std::string &cell = result.rows[row][*column];
    switch (result.types[row][*column]) {
        case store::kInteger:
            return std::clamp<std::int64_t>(std::strtoll(cell.c_str(), nullptr, 10), -kFarthest, kFarthest);
        case store::kFloat:
            return static_cast<std::int64_t>(std::clamp(std::strtod(cell.c_str(), nullptr),
                                                        -static_cast<double>(kFarthest),
                                                        static_cast<double>(kFarthest)));
        default:
            return std::nullopt;
    }
}

// Only the view `slices` has these beside an id.
bool isOfSlices(const store::QueryResult &result) {
    return columnOf(result, "ts") && columnOf(result, "track_id") && columnOf(result, "name");
}

}  // namespace

JumpTarget jumpTarget(const store::QueryResult &result, std::size_t row) {
    JumpTarget target;
    auto slice = integerAt(result, row, "slice_id");
    if (!slice && isOfSlices(result))
        slice = integerAt(result, row, "id");
    target.slice = SliceId(slice.value_or(0));
    target.track = TrackId(integerAt(result, row, "track_id").value_or(0));
    if (const auto ts = integerAt(result, row, "ts"))
        target.range = TimeRange{*ts, *ts + std::max<std::int64_t>(0, integerAt(result, row, "dur").value_or(0))};
    return target;
}

bool canJump(const store::QueryResult &result) {
    return columnOf(result, "ts") || columnOf(result, "slice_id") || columnOf(result, "track_id");
}

}  // namespace wattproof::widgets
