// Where the rows of a log stand in time.
#include "importers/power/power_run.h"
#include "importers/power/stated_period.h"
#include "importers/table/quantity_text.h"

#include <algorithm>
#include <cmath>

namespace wattproof::importers {

// What a row is a reading of: the device, the part of it, the first column that it speaks of.
PowerRun::Reading PowerRun::readingOf(const TableRow &row, std::optional<std::size_t> device) const {
    const auto &columns = binding_->columns;
    const auto first = std::find_if(columns.begin(), columns.end(),
                                    [&](const BoundColumn &column) { return row.cells[column.cell].data() != nullptr; });
    const auto rule = first == columns.end() ? 0 : first->rule - descriptor_->columns.data();
    return {device.value_or(LogDevices::kMax), part_, static_cast<std::size_t>(rule)};
}

// The times of one device's rows ascend; where a device has several rows of one moment, those of each reading do.
StepGuard::Track &PowerRun::trackOf(const TableRow &row, std::optional<std::size_t> device) {
    if (part_.empty() && source_->isTable())
        return device ? devices_->all()[*device].track : columnTrack_;
    if (binding_->partIsLine || readingTracks_.size() > LogDevices::kMax)
        return columnTrack_;
    return readingTracks_[readingOf(row, device)];
}

// What was given goes before what the log says of itself, and that before the tool's own setting.
Status PowerRun::settlePeriod() {
    period_ = options_.periodSeconds.value_or(0);
    if (options_.periodSeconds && !(period_ > 0 && period_ <= kLongestPeriod))
        return failure("the period between rows is not between 0 and 86400 s", input_.path(), "give it in seconds");
    const std::span<const char> head = input_.head();
    if (period_ == 0)
        period_ = statedPeriod({head.data(), head.size()}, descriptor_->periodOption).value_or(0);
    periodAssumed_ = period_ == 0;
    if (periodAssumed_)
        period_ = descriptor_->periodSeconds;
    return {};
}

// Rows without times: a period passes when a reading returns.
Ns PowerRun::tick(const TableRow &row, std::optional<std::size_t> device) {
    const Reading reading = readingOf(row, device);
    if (thisTick_.contains(reading) || thisTick_.size() > LogDevices::kMax) {
        thisTick_.clear();
        if (ticks_++ == 0 && periodAssumed_)
            tally_.add("assumed_period", row.line,
                       "the log states no times: its readings are taken to be " + shortNumber(period_) +
                           " s apart, as the tool's own setting is. Its joules are right only if that is so; a period can "
                           "be given with the import");
    }
    thisTick_.insert(reading);
    return static_cast<Ns>(std::llround(static_cast<double>(ticks_) * period_ * 1e9));
}

// The time as the row states it; none when it is no time.
std::optional<Ns> PowerRun::statedTime(const TableRow &row, std::optional<std::size_t> device) {
    const bool stated = binding_->timeCell && row.cells[*binding_->timeCell].data();
    if (!stated && descriptor_->periodSeconds > 0)
        return clock_->relative(tick(row, device));
    if (!stated)
        return std::nullopt;
    const std::string_view cell = row.cells[*binding_->timeCell];
    if (!binding_->dateCell && binding_->zone.empty())
        return clock_->read(cell);
    std::string text(binding_->dateCell ? row.cells[*binding_->dateCell] : std::string_view());
    text.append(text.empty() ? "" : " ").append(cell).append(binding_->zone);
    return clock_->read(text);
}

// A clock that shows local time goes an hour back or ahead with summer time. Where no zone says so, a pause of an hour is
// told from it by nothing else.
void PowerRun::noteSummerTime(const StepGuard::Placed &at, Ns period, std::uint64_t line) {
    constexpr Ns kHour = 3'600'000'000'000, kSlack = 2'000'000'000;
    const Ns step = at.order == StepGuard::Order::SteppedBack ? at.step : at.ahead;
    const Ns late = at.order == StepGuard::Order::SteppedBack ? kHour - step : step - kHour;
    const bool isStep = at.order == StepGuard::Order::SteppedBack || at.order == StepGuard::Order::Later;
    const bool zoneIsGuessed = options_.timezone.empty() && clock_->basis() == ClockBasis::WallAssumedZone;
    if (!isStep || !zoneIsGuessed || binding_->partIsLine || period == 0 || period > kHour / 10)
        return;
    if (late < -kSlack || late > 2 * period + kSlack || (summerAt_ && at.ts < *summerAt_ + kHour))
        return;
    summerAt_ = at.ts;
    tally_.add("summer_time", line,
               at.order == StepGuard::Order::SteppedBack
                   ? "the log's clock goes an hour back, as where summer time ends: name its zone, and no time is lost"
                   : "the log's clock goes an hour ahead, as where summer time begins: name its zone, or the hour that "
                     "never was counts as a gap");
}

std::optional<PowerRun::RowPlace> PowerRun::place(const TableRow &row, std::optional<std::size_t> device) {
    const auto stated = statedTime(row, device);
    if (!stated) {
        const std::string_view cell = binding_->timeCell ? row.cells[*binding_->timeCell] : std::string_view();
        tally_.add("malformed_row", row.line,
                   "the time \"" + validUtf8(cell.substr(0, 60)) +
                       "\" is none, or of another kind than before: such rows were skipped");
        return std::nullopt;
    }
    StepGuard::Track &track = trackOf(row, device);
    const Ns period = track.period;
    const auto placed = guard_.place(track, *stated);
    if (!placed) {
        tally_.add("timestamp_overflow", row.line, "rows whose time cannot be kept in 64 bits of nanoseconds were skipped");
        return std::nullopt;
    }
    const StepGuard::Placed &at = *placed;
    noteSummerTime(at, period, row.line);
    if (at.order == StepGuard::Order::SteppedBack)
        tally_.add("clock_backwards", row.line,
                   "the log's clock stepped back by " + shortNumber(static_cast<double>(at.step) / 1e9) +
                       " s; the rows after it keep their rhythm and stand after the ones before");
    else if (at.order == StepGuard::Order::Disordered)
        tally_.add("out_of_order", row.line, "rows stand out of order by less than a period; they were sorted");
    else if (at.order == StepGuard::Order::Same)
        tally_.add("duplicate_stamp", row.line,
                   "rows of one device carry the same time: the log's clock is coarser than its polls, or devices "
                   "are mixed");
    earliest_ = earliest_ ? std::min(*earliest_, at.ts) : at.ts;
    return RowPlace{at, row.line};
}

}  // namespace wattproof::importers
