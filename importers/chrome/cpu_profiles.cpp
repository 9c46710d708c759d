#include "importers/chrome/cpu_profiles.h"

#include "importers/chrome/decimal.h"
#include "importers/chrome/object_reader.h"

#include <algorithm>

namespace wattproof::importers::chrome {
namespace {

using cpuprofile::CpuProfile;
using cpuprofile::Function;

constexpr std::string_view kCategory = "v8.cpu_profiler";
constexpr std::size_t kMostSamples = 20'000'000;
constexpr std::size_t kMostProfiles = 10'000;

std::int64_t wholeOr(const RawValue &value, std::int64_t otherwise) {
    return value.present() ? integer(value.text()).value_or(otherwise) : otherwise;
}

std::optional<Ns> timeAt(const RawValue &object, std::initializer_list<std::string_view> path) {
    const RawValue value = memberAt(object, path);
    const DecimalNs time =
        value.present() ? microsecondsToNs(value.text()) : DecimalNs{0, DecimalError::NotANumber};
    return time.error == DecimalError::None ? std::optional(time.ns) : std::nullopt;
}

// What is no number stands for 0, so that later entries keep their place in the list.
template <class Number, class Convert>
std::vector<Number> numbers(const RawValue &list, Convert convert) {
    std::vector<Number> all;
    readItems(list, [&](const RawValue &value) { all.push_back(convert(value)); });
    return all;
}

Ns deltaOf(const RawValue &value) {
    const DecimalNs time = microsecondsToNs(value.text());
    return time.error == DecimalError::None ? time.ns : 0;
}

void readFunction(const RawValue &frame, Function &function, std::string &scratch) {
    readMembers(frame, [&](const RawValue &key, const RawValue &value) {
        if (key.text() == "functionName")
            function.name = plainText(value, scratch);
        else if (key.text() == "url")
            function.url = plainText(value, scratch);
        else if (key.text() == "lineNumber")
            function.line = wholeOr(value, -1);
        else if (key.text() == "columnNumber")
            function.column = wholeOr(value, -1);
    });
}

}  // namespace

bool CpuProfiles::take(const Event &event, Ns ts) {
    const std::string_view name = event.name.text();
    const RawValue *data = event.argument("data");
    if ((name != "Profile" && name != "ProfileChunk") || !data || data->kind != ValueKind::Object ||
        event.category.text().find(kCategory) == std::string_view::npos || profiles_.size() >= kMostProfiles)
        return false;
    Profile &profile = profileOf(event);
    if (name == "Profile") {
        profile.thread = &places_.thread(event);
        profile.start = timeAt(*data, {"startTime"}).value_or(ts);
    }
    const RawValue inner = memberAt(*data, {"cpuProfile"});
    for (const RawValue &object : {*data, inner})
        profile.end = std::max(profile.end, timeAt(object, {"endTime"}).value_or(0));
    readTree(profile, memberAt(inner, {"nodes"}), event.offset);
    const RawValue outerTimes = memberAt(*data, {"timeDeltas"});
    addPiece(profile, {ts, event.offset,
                       numbers<std::int64_t>(memberAt(inner, {"samples"}),
                                             [](const RawValue &value) { return wholeOr(value, 0); }),
                       numbers<Ns>(outerTimes.present() ? outerTimes : memberAt(inner, {"timeDeltas"}), deltaOf)});
    return true;
}

CpuProfiles::Profile &CpuProfiles::profileOf(const Event &event) {
    std::string key(event.pid.present() ? plainText(event.pid, scratch_) : std::string_view());
    key.append(1, '\0').append(event.id.present() ? plainText(event.id, scratch_) : std::string_view());
    const auto found = profiles_.find(key);
    if (found != profiles_.end())
        return found->second;
    Profile &own =
        profiles_.emplace(std::move(key), Profile{CpuProfile(writer_, builder_), {}, {}, 0, {}}).first->second;
    own.thread = &places_.thread(event);
    return own;
}

void CpuProfiles::readTree(Profile &profile, const RawValue &nodes, std::uint64_t offset) {
    readItems(nodes, [&](const RawValue &node) {
        std::int64_t id = 0;
        std::optional<std::int64_t> parent;
        Function function;
        readMembers(node, [&](const RawValue &key, const RawValue &value) {
            if (key.text() == "id")
                id = wholeOr(value, 0);
            else if (key.text() == "parent")
                parent = wholeOr(value, 0);
            else if (key.text() == "callFrame")
                readFunction(value, function, scratch_);
        });
        profile.calls.node(id, parent, std::move(function), offset);
        readItems(memberAt(node, {"children"}),
                  [&](const RawValue &child) { profile.calls.child(id, wholeOr(child, 0)); });
    });
}

void CpuProfiles::addPiece(Profile &profile, Piece piece) {
    const std::size_t count = std::min(piece.nodes.size(), piece.deltas.size());
    const std::size_t lost = std::max(piece.nodes.size(), piece.deltas.size()) - count;
    if (lost > 0)
        builder_.warn("missing_value", "Samples without a time, or times without a sample, were left out.",
                      {piece.offset}, static_cast<std::int64_t>(lost));
    if (count == 0)
        return;
    if (samples_ + count > kMostSamples)
        return builder_.warn("too_many_samples", "Samples after the first 20 million were left out.",
                             {piece.offset}, static_cast<std::int64_t>(count));
    samples_ += count;
    piece.nodes.resize(count);
    piece.deltas.resize(count);
    profile.pieces.push_back(std::move(piece));
}

// A recorder that ran in a ring has lost the beginning: the first piece was written when its last sample was
// taken.
Ns CpuProfiles::startOf(const Profile &profile) {
    if (profile.start)
        return *profile.start;
    const Piece &first = profile.pieces.front();
    builder_.warn("estimated_time",
                  "CPU profiles without their beginning were placed by the time of their first piece.",
                  {first.offset});
    Ns start = first.ts;
    for (const Ns delta : first.deltas)
        if (__builtin_sub_overflow(start, delta, &start))
            return first.ts;
    return start;
}

TrackId CpuProfiles::trackOf(const Thread &thread) {
    TrackRow row;
    row.source = source_;
    row.kind = TrackKind::Async;
    row.process = thread.process->row.id;
    row.thread = thread.row.id;
    row.parent = thread.track;
    row.name = "CPU profile of " + (thread.name.text.empty() ? "thread " + thread.row.tid : thread.name.text);
    return writer_.addTrack(row);
}

Status CpuProfiles::unroll(Profile &profile, const Task &task) {
    std::stable_sort(profile.pieces.begin(), profile.pieces.end(),
                     [](const Piece &a, const Piece &b) { return a.ts < b.ts; });
    profile.calls.startAt(startOf(profile));
    for (Piece &piece : profile.pieces) {
        for (std::size_t i = 0; i < piece.nodes.size(); ++i)
            profile.calls.sample(piece.nodes[i], piece.deltas[i], piece.offset);
        piece = {};
    }
    return profile.calls.unroll(trackOf(*profile.thread), profile.end,
                                [&task] { return task.cancelled() ? Status(cancelled()) : Status(); });
}

Status CpuProfiles::finish(const Task &task) {
    for (auto &[key, profile] : profiles_)
        if (!profile.pieces.empty())
            if (auto status = unroll(profile, task); !status)
                return status;
    return {};
}

}  // namespace wattproof::importers::chrome
