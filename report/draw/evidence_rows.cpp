#include "report/draw/evidence_rows.h"

#include <algorithm>
#include <set>

namespace wattproof::draw {
namespace {

constexpr std::size_t kMostStreams = 4, kMostCurves = 2;
constexpr int kMostHostRows = 4, kMostStreamRows = 2;

class EvidenceReader {
public:
    EvidenceReader(store::Reader &reader, TimeRange range, Ns bucket)
        : reader_(reader), range_(range), bucket_(bucket) {
        tracks_ = reader.tracks().value_or(std::vector<TrackRow>());
        devices_ = reader.devices().value_or(std::vector<DeviceRow>());
        threads_ = reader.threads().value_or(std::vector<ThreadRow>());
    }

    EvidenceRows read(const std::vector<std::string> &wanted) {
        EvidenceRows rows;
        for (const TrackRow *stream : streams(wanted))
            addLane(rows, *stream, kMostStreamRows);
        if (const TrackRow *host = busiest(TrackKind::Thread))
            addLane(rows, *host, kMostHostRows);
        addPower(rows);
        return rows;
    }

private:
    [[nodiscard]] std::string deviceName(DeviceId id) const {
        const auto found =
            std::find_if(devices_.begin(), devices_.end(), [id](const DeviceRow &d) { return d.id == id; });
        return found == devices_.end() ? std::string() : found->name;
    }

    [[nodiscard]] std::string trackName(const TrackRow &track) const {
        if (track.kind == TrackKind::GpuStream) {
            const std::string stream = track.stream.empty() ? track.name : "stream " + track.stream;
            const std::string device = deviceName(track.device);
            return device.empty() ? stream : device + " · " + stream;
        }
        const auto thread = std::find_if(threads_.begin(), threads_.end(),
                                         [&track](const ThreadRow &t) { return t.id == track.thread; });
        if (!track.name.empty() || thread == threads_.end())
            return track.name.empty() ? "track" : track.name;
        return thread->name.empty() ? "thread " + thread->tid : thread->name;
    }

    [[nodiscard]] bool named(const TrackRow &track, const std::vector<std::string> &wanted) const {
        const std::string device = deviceName(track.device), stream = "stream " + track.stream;
        for (const std::string &name : wanted)
            if (name == track.name || name == device || name == stream || name == device + "/" + track.name ||
                name == device + "/" + stream)
                return true;
        return false;
    }

    [[nodiscard]] bool shows(const TrackRow &track) const {
        return track.sliceCount > 0 && track.extent.begin < range_.end && range_.begin <= track.extent.end;
    }

    [[nodiscard]] std::vector<const TrackRow *> streams(const std::vector<std::string> &wanted) const {
        std::vector<const TrackRow *> all, chosen;
        for (const TrackRow &track : tracks_)
            if (track.kind == TrackKind::GpuStream && shows(track)) {
                all.push_back(&track);
                if (named(track, wanted))
                    chosen.push_back(&track);
            }
        if (chosen.empty())
            chosen = all;
        std::stable_sort(chosen.begin(), chosen.end(),
                         [](const TrackRow *a, const TrackRow *b) { return a->sliceCount > b->sliceCount; });
        chosen.resize(std::min(chosen.size(), kMostStreams));
        std::sort(chosen.begin(), chosen.end(),
                  [](const TrackRow *a, const TrackRow *b) { return a->id < b->id; });
        return chosen;
    }

    [[nodiscard]] const TrackRow *busiest(TrackKind kind) const {
        const TrackRow *best = nullptr;
        for (const TrackRow &track : tracks_)
            if (track.kind == kind && shows(track) && (!best || track.sliceCount > best->sliceCount))
                best = &track;
        return best;
    }

    void addLane(EvidenceRows &rows, const TrackRow &track, int mostRows) {
        auto spans = reader_.lanes(track.id, range_, bucket_);
        if (!spans)
            return;
        EvidenceLane lane{trackName(track), std::clamp(track.rowCount, 1, mostRows), std::move(*spans)};
        std::erase_if(lane.spans, [&lane](const store::LaneSpan &span) { return span.row >= lane.rowCount; });
        rows.lanes.push_back(std::move(lane));
    }

    void addPower(EvidenceRows &rows) {
        for (CounterRow &counter : reader_.counters().value_or(std::vector<CounterRow>())) {
            const bool power = counter.quantity == "power" && counter.unit == "W" && !counter.parent.valid();
            if (!power || counter.sampleCount == 0 || rows.curves.size() >= kMostCurves)
                continue;
            auto buckets = reader_.counterBuckets(counter.id, range_, bucket_);
            if (!buckets)
                continue;
            const std::string device = deviceName(counter.device);
            EvidenceCurve curve{device.empty() ? counter.name : device + " · power", counter, std::move(*buckets)};
            rows.curves.push_back(std::move(curve));
        }
    }

    store::Reader &reader_;
    TimeRange range_;
    Ns bucket_;
    std::vector<TrackRow> tracks_;
    std::vector<DeviceRow> devices_;
    std::vector<ThreadRow> threads_;
};

void readNames(store::Reader &reader, const EvidenceRows &rows, NameLooks &looks) {
    std::set<StringId> ids;
    for (const EvidenceLane &lane : rows.lanes)
        for (const store::LaneSpan &span : lane.spans)
            ids.insert(span.name);
    const std::vector<StringId> list(ids.begin(), ids.end());
    const auto texts = reader.texts(list);
    for (std::size_t i = 0; texts && i < list.size(); ++i)
        looks.add(list[i], (*texts)[i]);
    if (const auto classes = reader.classesOfNames())
        looks.setClasses(*classes);
}

}  // namespace

EvidenceRows readEvidence(store::Reader &reader, TimeRange range, const std::vector<std::string> &tracks,
                          Ns bucket, NameLooks &looks) {
    EvidenceRows rows = EvidenceReader(reader, range, bucket).read(tracks);
    readNames(reader, rows, looks);
    return rows;
}

}  // namespace wattproof::draw
