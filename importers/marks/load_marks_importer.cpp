#include "importers/marks/load_marks_importer.h"

#include "importers/power/log_clock.h"
#include "importers/trace/table_rows.h"
#include "importers/trace/time_crowd.h"
#include "store/load_marks.h"

#include <algorithm>
#include <utility>

namespace wattproof::importers {
namespace {

constexpr std::size_t kMarksHeadRows = 40;
constexpr std::size_t kFewestMarks = 2;
constexpr std::size_t kMostLoadMarks = 10'000'000;
constexpr double kMarksConfidence = 0.8;

bool isMarksHeader(std::string_view cell) {
    const std::string name = lowered(cell);
    return name.starts_with("time") || name.starts_with("mark") || name.starts_with("edge");
}

// One column of wall times that do not fall. Plain small numbers could be anything.
bool isListOfMarks(std::vector<std::vector<std::string>> rows) {
    const bool hasHeader = !rows.empty() && rows[0].size() == 1 && isMarksHeader(rows[0][0]);
    if (hasHeader)
        rows.erase(rows.begin());
    if (rows.size() < kFewestMarks)
        return false;
    if (rows.size() > kFewestMarks)
        rows.pop_back();  // the head may end within it
    Ns last = 0;
    for (const auto &row : rows) {
        const bool isOneCell = row.size() == 1 && row[0].find_first_of(",;\t") == std::string::npos;
        const auto stamp = isOneCell ? parseStamp(row[0], StampUnit::Auto) : std::nullopt;
        const bool isWallTime = stamp && (stamp->basis == StampBasis::Epoch || stamp->basis == StampBasis::Wall);
        if (!isWallTime || stamp->ns < last)
            return false;
        last = stamp->ns;
    }
    return true;
}

class LoadMarksRun {
public:
    LoadMarksRun(Input &input, store::BulkWriter &writer, const Task &task, TimeZone zone, bool zoneGiven)
        : input_(input),
          writer_(writer),
          reader_(input, TableReader::Style{0, 0, 1, true}),
          clock_(StampUnit::Auto, StampUnit::Auto, std::move(zone), zoneGiven),
          source_(input, writer, task) {}

    Expected<Summary> run() {
        if (Status status = source_.begin(kLoadMarksFormat); !status)
            return passOn(status);
        builder_.emplace(writer_, source_.row().id);
        if (Status status = readTableRows(reader_, source_, [this](const TableRow &row) { take(row); }); !status)
            return passOn(status);
        if (marks_.empty())
            return failure("the file holds no times", input_.path(), "record it again");
        addLoad();
        return finish();
    }

private:
    void take(const TableRow &row) {
        if (marks_.size() >= kMostLoadMarks)
            return builder_->warn("too_many_marks", "times after the first 10 million were left out", {row.offset});
        const std::string_view cell = trimmed(row.text);
        if (!row.endsWithNewline && width_ > 0 && cell.size() < width_)
            return builder_->warn("truncated_input", "the file ends within this row, which was left out",
                                  {row.offset});
        const auto time = clock_.read(cell);
        if (!time) {
            if (row.line > 1 || !isMarksHeader(cell))
                builder_->warn("malformed_row", "rows that are no time were skipped", {row.offset});
            return;
        }
        if (*time > kLargestTime || *time < -kLargestTime)
            return builder_->warn("timestamp_overflow", "times that no clock shows were left out", {row.offset});
        width_ = cell.size();
        if (!marks_.empty() && *time < marks_.back())
            builder_->warn("out_of_order", "times that fall were put in order", {row.offset});
        marks_.push_back(*time);
    }

    // The edges in turn switch the load on and off; an edge that is written as the end of one stretch and as the
    // begin of the next counts once.
    void addLoad() {
        std::sort(marks_.begin(), marks_.end());
        events_ = static_cast<std::int64_t>(marks_.size());
        marks_.erase(std::unique(marks_.begin(), marks_.end()), marks_.end());
        TrackRow track;
        track.source = source_.row().id;
        track.kind = TrackKind::Global;
        track.name = "Marked load";
        RawEvent event;
        event.track = writer_.addTrack(track);
        event.name = writer_.intern("load on");
        event.category = writer_.intern("load");
        for (std::size_t i = 0; i + 1 < marks_.size(); i += 2) {
            event.ts = marks_[i];
            builder_->complete(event, marks_[i + 1] - marks_[i]);
        }
        if (marks_.size() % 2 == 1) {
            event.ts = marks_.back();
            event.name = writer_.intern("last mark");
            builder_->instant(event);
        }
    }

    Expected<Summary> finish() {
        warnOfLostRows(input_, reader_, *builder_);
        if (Status status = source_.write(*builder_, std::nullopt); !status)
            return passOn(status);
        source_.row().clock = clock_.basis();
        source_.row().zone = clock_.zoneText();
        return source_.close(events_);
    }

    Input &input_;
    store::BulkWriter &writer_;
    TableReader reader_;
    LogClock clock_;
    TraceSource source_;
    std::optional<TraceBuilder> builder_;
    std::vector<Ns> marks_;
    std::size_t width_ = 0;  // characters of the time before
    std::int64_t events_ = 0;
};

class LoadMarksImporter final : public Importer {
public:
    [[nodiscard]] std::string_view name() const override { return kLoadMarksFormat; }

    [[nodiscard]] double probe(std::span<const char> head, std::string_view) const override {
        return isListOfMarks(headRows(head, kMarksHeadRows, TableReader::Style{0, 0, 1, true})) ? kMarksConfidence
                                                                                               : 0.0;
    }

    [[nodiscard]] Expected<Summary> import(Input &input, store::BulkWriter &writer, const Options &options,
                                           const Task &task) const override {
        Expected<TimeZone> zone = TimeZone::named(options.timezone);
        if (!zone)
            return passOn(zone);
        return LoadMarksRun(input, writer, task, std::move(*zone), !options.timezone.empty()).run();
    }
};

}  // namespace

std::unique_ptr<Importer> makeLoadMarksImporter() {
    return std::make_unique<LoadMarksImporter>();
}

}  // namespace wattproof::importers
