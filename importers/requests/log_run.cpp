#include "importers/requests/log_run.h"

#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace wattproof::importers::requests {
namespace {

constexpr std::size_t kMostMetadata = 2000, kMostFigures = 200'000, kMostCurves = 2000;
constexpr std::size_t kLongestMetadata = 2000;
constexpr std::size_t kRequestsAtOnce = 4096;
constexpr auto kReportEvery = std::chrono::milliseconds(100);

// How a request waits in the spool, before its two texts.
struct Packed {
    Ns start = 0, dur = 0;
    double units = 0;
    std::uint32_t nameLength = 0;
    bool timed = false, counted = false, ok = false;
};

std::string packed(const StatedRequest &request) {
    Packed head{request.start.value_or(0),
                request.dur,
                request.units.value_or(0),
                static_cast<std::uint32_t>(request.name.size()),
                request.start.has_value(),
                request.units.has_value(),
                request.ok};
    std::string bytes(sizeof head, '\0');
    std::memcpy(bytes.data(), &head, sizeof head);
    return bytes.append(request.name).append(request.attributesJson);
}

// None where the request's time, set against the base, cannot be kept.
std::optional<RequestRow> unpacked(std::string_view bytes, Ns base) {
    Packed head;
    std::memcpy(&head, bytes.data(), sizeof head);
    bytes.remove_prefix(sizeof head);
    RequestRow row;
    row.name = bytes.substr(0, head.nameLength);
    row.attributesJson = bytes.substr(head.nameLength);
    row.dur = head.dur;
    row.ok = head.ok;
    if (head.counted)
        row.units = head.units;
    if (!head.timed && row.attributesJson.ends_with('}')) {
        row.attributesJson.pop_back();
        row.attributesJson.append(row.attributesJson.size() > 1 ? "," : "").append(kUntimedAttribute).append("}");
    }
    Ns end = 0;
    if (head.timed && __builtin_sub_overflow(head.start, base, &row.ts))
        return std::nullopt;
    return __builtin_add_overflow(row.ts, row.dur, &end) ? std::nullopt : std::optional(std::move(row));
}

}  // namespace

LogRun::LogRun(Input &input, store::BulkWriter &writer, const Options &options, const Task &task,
               const LogRules &rules)
    : input_(input), writer_(writer), options_(options), task_(task), rules_(rules) {}

Status LogRun::begin() {
    Expected<TimeZone> zone = TimeZone::named(options_.timezone);
    if (!zone)
        return passOn(zone);
    zone_ = std::move(*zone);
    return {};
}

LogClock LogRun::newClock(StampUnit numericUnit) const {
    return {StampUnit::Auto, numericUnit, *zone_, !options_.timezone.empty()};
}

void LogRun::settle(const LogClock &clock) {
    settle(clock.basis(), clock.zoneText());
}

void LogRun::settle(ClockBasis basis, std::string zone) {
    if (basis_ != ClockBasis::None || basis == ClockBasis::None)
        return;
    basis_ = basis;
    zoneText_ = std::move(zone);
}

Status LogRun::checkpoint() {
    if (task_.cancelled())
        return cancelled();
    const auto now = std::chrono::steady_clock::now();
    if (now - reported_ >= kReportEvery) {
        reported_ = now;
        task_.report({"Reading " + input_.path(), input_.bytesConsumed(), input_.sizeBytes(), "bytes"});
    }
    return {};
}

Status LogRun::add(const StatedRequest &request) {
    ++requests_;
    checks_.take(request);
    if (!request.start)
        tally_.add(
            "missing_time", 0,
            "the log does not say when these requests ran: their lengths are latencies, but there is no rate, and "
            "nothing to set against power");
    else
        earliest_ = std::min(earliest_.value_or(*request.start), *request.start);
    return spool_.append(packed(request), 0);
}

void LogRun::add(QualityRow row) {
    if (quality_.size() < kMostFigures)
        return quality_.push_back(std::move(row));
    tally_.add("too_many_figures", 0,
               "figures beyond the first " + std::to_string(kMostFigures) + " were left out");
}

void LogRun::addMetadata(std::string_view key, std::string_view value) {
    if (value.empty())
        return;
    if (metadata_.size() < kMostMetadata)
        metadata_.push_back({{}, validUtf8(key), validUtf8(value.substr(0, kLongestMetadata))});
    else
        tally_.add(
            "unread_section", 0,
            "values beyond the first " + std::to_string(kMostMetadata) + " that are no figures were left out");
}

void LogRun::addSample(const std::string &name, const SeriesRule &rule, Ns stated, double value) {
    auto it = curveByName_.find(name);
    if (it == curveByName_.end()) {
        if (curves_.size() >= kMostCurves)
            return tally_.add("too_many_counters", 0,
                              "curves beyond the first " + std::to_string(kMostCurves) + " were left out");
        it = curveByName_.emplace(name, curves_.size()).first;
        curves_.push_back({name, rule, samples_.addChannel()});
    }
    earliest_ = std::min(earliest_.value_or(stated), stated);
    ++sampleCount_;
    samples_.push(curves_[it->second].spool, {stated, value});
}

void LogRun::setWindow(std::optional<Ns> begin, std::optional<Ns> end) {
    windowBegin_ = begin;
    windowEnd_ = end;
}

void LogRun::noteEnd() {
    if (!input_.damage().empty())
        tally_.add("truncated_input", 0, input_.damage());
}

SourceRow LogRun::sourceRow() const {
    SourceRow row;
    row.kind = rules_.kind;
    row.path = input_.path();
    row.format = rules_.format;
    row.sizeBytes = input_.sizeBytes();
    // A source without a single time must not move the workspace's origin to the day of its run.
    row.clock = earliest_ ? basis_ : ClockBasis::None;
    row.zone = earliest_ ? zoneText_ : std::string();
    row.statedBase = earliest_.value_or(0);
    return row;
}

Status LogRun::writeRequests(SourceId source, Ns base, Summary &summary) {
    RecordSpool::Reader reader(spool_, 0, spool_.size());
    std::vector<RequestRow> rows;
    std::string_view record;
    std::uint64_t ignored = 0;
    bool more = true;
    while (more) {
        more = reader.next(record, ignored);
        if (more) {
            if (auto row = unpacked(record, base)) {
                summary.requests += {1, row->ok ? 0 : 1, isUntimed(*row) ? 1 : 0, 0};
                rows.push_back(std::move(*row));
            } else {
                tally_.add("timestamp_overflow", 0,
                           "requests whose time cannot be kept in 64 bits of nanoseconds were left out");
            }
        }
        if (rows.empty() || (more && rows.size() < kRequestsAtOnce))
            continue;
        if (task_.cancelled())
            return cancelled();
        if (Status status = writer_.writeRequests(source, rows); !status)
            return status;
        rows.clear();
    }
    return reader.status();
}

Status LogRun::writeCurves(SourceId source, Ns base, Summary &summary) {
    for (const Curve &curve : curves_) {
        auto samples = samples_.take(curve.spool);
        if (!samples)
            return passOn(samples);
        const auto byTime = [](const Sample &a, const Sample &b) { return a.ts < b.ts; };
        if (!std::is_sorted(samples->begin(), samples->end(), byTime)) {
            tally_.add("out_of_order", 0, "rows stand out of order of their times; they were sorted");
            std::stable_sort(samples->begin(), samples->end(), byTime);
        }
        const std::size_t beyond = std::erase_if(
            *samples, [base](Sample &sample) { return __builtin_sub_overflow(sample.ts, base, &sample.ts); });
        if (beyond > 0)
            tally_.add("timestamp_overflow", 0, "values beyond any clock were left out",
                       static_cast<std::int64_t>(beyond));
        CounterRow row;
        row.source = source;
        row.name = curve.name;
        row.quantity = curve.rule.quantity;
        const auto unit = unitScale(curve.rule.unit);
        row.unit = unit ? unit->unit : curve.rule.unit;
        row.kind = curve.rule.kind;
        if (Status status = writer_.writeSamples(writer_.addCounter(row), *samples); !status)
            return status;
        ++summary.counters;
        summary.samples += static_cast<std::int64_t>(samples->size());
    }
    return {};
}

void LogRun::writeMetadata(SourceId source) {
    for (MetadataRow &row : metadata_) {
        row.source = source;
        writer_.addMetadata(row);
    }
    if (windowBegin_)
        writer_.addMetadata({source, "window_begin_ns", std::to_string(*windowBegin_)});
    if (windowEnd_)
        writer_.addMetadata({source, "window_end_ns", std::to_string(*windowEnd_)});
    if ((windowBegin_ || windowEnd_) && !zoneText_.empty())
        writer_.addMetadata({source, "window_zone", zoneText_});
}

Expected<Summary> LogRun::finish(std::string_view whatIsMissing) {
    noteEnd();
    checks_.finish();
    if (requests_ == 0 && quality_.empty() && sampleCount_ == 0 && metadata_.empty() &&
        tally_.count("truncated_input") == 0)
        tally_.add("no_samples", 0, whatIsMissing);
    SourceRow row = sourceRow();
    Expected<std::string> hash = input_.sha256();
    if (!hash)
        return passOn(hash);
    row.sha256 = std::move(*hash);
    Expected<SourceId> source = writer_.addSource(row);
    if (!source)
        return passOn(source);
    Summary summary;
    summary.source = *source;
    summary.path = row.path;
    summary.format = row.format;
    summary.bytes = input_.position();
    summary.events = records_;
    Status status = writeRequests(*source, row.statedBase, summary);
    if (status)
        status = writeCurves(*source, row.statedBase, summary);
    if (status && !quality_.empty())
        status = writer_.writeQuality(*source, quality_);
    summary.requests.metrics = static_cast<std::int64_t>(quality_.size());
    if (!status)
        return passOn(status);
    writeMetadata(*source);
    tally_.write(writer_, *source, summary);
    status = writer_.finishSource(*source);
    return status ? Expected<Summary>(std::move(summary)) : passOn(status);
}

}  // namespace wattproof::importers::requests
