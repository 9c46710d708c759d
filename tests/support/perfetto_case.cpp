#include "tests/support/perfetto_case.h"

#include <algorithm>
#include <cmath>

namespace wattproof::test {
namespace {

using Json = nlohmann::json;

// What the source time 0 is on the trace's own clock.
Ns traceBase(const ImportedTrace &trace) {
    const std::string stated = trace.writer->metadataValue("trace_clock_base_ns");
    return stated.empty() ? trace.base() : std::stoll(stated);
}

Json textOrNull(const std::string &text) {
    return text.empty() ? Json() : Json(text);
}

Json numberOrText(const std::string &text) {
    try {
        std::size_t used = 0;
        const long long number = std::stoll(text, &used);
        if (used == text.size())
            return number;
    } catch (const std::exception &) {
    }
    return text;
}

class Lookup {
public:
    explicit Lookup(const ImportedTrace &trace) : writer_(*trace.writer) {}

    const ProcessRow *process(ProcessId id) const {
        return id.valid() ? &writer_.processes.at(static_cast<std::size_t>(id.value - 1)) : nullptr;
    }
    const ThreadRow *thread(ThreadId id) const {
        return id.valid() ? &writer_.threads.at(static_cast<std::size_t>(id.value - 1)) : nullptr;
    }

    // Whose the track is: upstream tells apart tracks of processes and of threads.
    void addOwner(FactRow &row, const TrackRow &track) const {
        const ThreadRow *own = thread(track.thread);
        const ProcessRow *ownProcess = process(own ? own->process : track.process);
        row["thread_name"] = own ? textOrNull(own->name) : Json();
        row["tid"] = own ? numberOrText(own->tid) : Json();
        row["pid"] = ownProcess ? numberOrText(ownProcess->pid) : Json();
        row["process_name"] = ownProcess && !own ? textOrNull(ownProcess->name) : Json();
        row["thread_process_name"] = ownProcess && own ? textOrNull(ownProcess->name) : Json();
        const bool itself = track.kind == TrackKind::Thread || track.kind == TrackKind::Process;
        row["track_name"] = itself ? Json() : textOrNull(track.name);
    }

private:
    const RecordingWriter &writer_;
};

FactRow sliceRow(const ImportedTrace &trace, const Lookup &lookup, const SliceRow &slice) {
    const RecordingWriter &writer = *trace.writer;
    FactRow row;
    row["ts_ns"] = slice.ts + traceBase(trace);
    row["dur_ns"] = slice.state == SliceState::Unfinished ? Json(-1) : Json(slice.dur);
    row["slice_dur_ns"] = row["dur_ns"];
    row["slice_name"] = slice.name.valid() ? Json(writer.text(slice.name)) : Json();
    row["value"] = row["slice_name"];
    row["category"] = slice.category.valid() ? Json(writer.text(slice.category)) : Json();
    row["depth"] = slice.depth;
    lookup.addOwner(row, writer.track(slice.track));
    return row;
}

void flatten(const std::string &path, const Json &value, std::vector<std::pair<std::string, Json>> &out) {
    if (value.is_object()) {
        for (const auto &[key, member] : value.items())
            flatten(path.empty() ? key : path + '.' + key, member, out);
    } else if (value.is_array()) {
        for (std::size_t i = 0; i < value.size(); ++i)
            flatten(path + '[' + std::to_string(i) + ']', value[i], out);
    } else {
        out.emplace_back(path, value);
    }
}

std::string withoutIndices(const std::string &path) {
    std::string flat;
    bool inside = false;
    for (const char c : path) {
        inside = inside || c == '[';
        if (!inside)
            flat += c;
        inside = inside && c != ']';
    }
    return flat;
}

bool equal(const Json &wanted, const Json &own) {
    if (wanted.is_number() && own.is_number())
        return std::abs(wanted.get<double>() - own.get<double>()) <=
               1e-6 * std::max(1e-9, std::abs(wanted.get<double>()));
    return wanted == own;
}

// Integers beyond a double's precision are compared as such.
bool same(const Json &wanted, const Json &own) {
    if (wanted.is_number_integer() && own.is_number_integer())
        return wanted.get<std::int64_t>() == own.get<std::int64_t>();
    return equal(wanted, own);
}

}  // namespace

std::vector<FactRow> sliceRows(const ImportedTrace &trace) {
    const Lookup lookup(trace);
    std::vector<FactRow> rows;
    for (const SliceRow &slice : trace.writer->slices)
        rows.push_back(sliceRow(trace, lookup, slice));
    return rows;
}

std::vector<FactRow> argumentRows(const ImportedTrace &trace) {
    const RecordingWriter &writer = *trace.writer;
    const Lookup lookup(trace);
    std::vector<FactRow> rows;
    for (const SliceRow &slice : writer.slices) {
        if (!slice.args.valid())
            continue;
        const RecordingWriter::Args &set = writer.args.at(static_cast<std::size_t>(slice.args.value - 1));
        const Json keys = Json::parse(writer.shapes.at(static_cast<std::size_t>(set.shape - 1)));
        const Json values = Json::parse(set.values);
        std::vector<std::pair<std::string, Json>> members;
        for (std::size_t i = 0; i < keys.size(); ++i)
            flatten(keys[i].get<std::string>(), values[i], members);
        for (const auto &[path, value] : members) {
            FactRow row = sliceRow(trace, lookup, slice);
            row["arg_path"] = path;
            row["arg_flat_path"] = withoutIndices(path);
            row["int_value"] = value.is_number_integer() ? value : Json();
            row["string_value"] = value.is_string() ? value : Json();
            rows.push_back(row);
        }
    }
    return rows;
}

std::vector<FactRow> counterRows(const ImportedTrace &trace) {
    const Lookup lookup(trace);
    std::vector<FactRow> rows;
    for (const CounterRow &counter : trace.writer->counters) {
        const auto samples = trace.writer->samples.find(counter.id.value);
        if (samples == trace.writer->samples.end())
            continue;
        for (const Sample &sample : samples->second) {
            FactRow row;
            lookup.addOwner(row, trace.writer->track(counter.track));
            row["counter_name"] = textOrNull(counter.name);
            row["unit"] = counter.unit == "B" ? Json("bytes") : textOrNull(counter.unit);
            row["ts_ns"] = sample.ts + traceBase(trace);
            row["value"] = sample.value;
            rows.push_back(row);
        }
    }
    return rows;
}

std::vector<FactRow> flowRows(const ImportedTrace &trace) {
    const RecordingWriter &writer = *trace.writer;
    std::vector<FactRow> rows;
    for (const FlowRow &flow : writer.flows)
        rows.push_back({{"from_slice", writer.text(writer.slice(flow.from).name)},
                        {"to_slice", writer.text(writer.slice(flow.to).name)}});
    return rows;
}

std::vector<FactRow> ancestorRows(const ImportedTrace &trace) {
    const RecordingWriter &writer = *trace.writer;
    std::vector<FactRow> rows;
    for (const SliceRow &slice : writer.slices) {
        const std::string &name = writer.text(slice.name);
        if (!slice.parent.valid())
            rows.push_back({{"slice_name", name}, {"ancestor_slice", Json()}});
        for (SliceId at = slice.parent; at.valid(); at = writer.slice(at).parent)
            rows.push_back({{"slice_name", name}, {"ancestor_slice", writer.text(writer.slice(at).name)}});
    }
    return rows;
}

std::vector<FactRow> threadRows(const ImportedTrace &trace) {
    const Lookup lookup(trace);
    std::vector<FactRow> rows;
    for (const ThreadRow &thread : trace.writer->threads) {
        const ProcessRow *process = lookup.process(thread.process);
        rows.push_back({{"tid", numberOrText(thread.tid)},
                        {"pid", process ? numberOrText(process->pid) : Json()},
                        {"thread_name", textOrNull(thread.name)},
                        {"process_name", process ? textOrNull(process->name) : Json()},
                        {"name", textOrNull(thread.name)},
                        {"id", numberOrText(thread.tid)},
                        {"sort_index", thread.sortIndex ? Json(*thread.sortIndex) : Json()}});
    }
    return rows;
}

std::vector<FactRow> processRows(const ImportedTrace &trace) {
    std::vector<FactRow> rows;
    for (const ProcessRow &process : trace.writer->processes)
        rows.push_back({{"pid", numberOrText(process.pid)},
                        {"id", numberOrText(process.pid)},
                        {"name", textOrNull(process.name)},
                        {"cmdline", textOrNull(process.name)},
                        {"sort_index", process.sortIndex ? Json(*process.sortIndex) : Json()}});
    return rows;
}

std::vector<FactRow> trackRows(const ImportedTrace &trace) {
    std::vector<FactRow> rows;
    const RecordingWriter &writer = *trace.writer;
    for (const TrackRow &track : writer.tracks)
        if (track.kind == TrackKind::Async || track.kind == TrackKind::Global)
            rows.push_back(
                {{"track_name", textOrNull(track.name)},
                 {"parent_track", track.parent.valid() ? textOrNull(writer.track(track.parent).name) : Json()}});
    return rows;
}

std::vector<FactRow> metadataRows(const ImportedTrace &trace) {
    std::vector<FactRow> rows;
    for (const MetadataRow &row : trace.writer->metadata)
        rows.push_back({{"key", row.key}, {"int_value", numberOrText(row.value)}, {"string_value", row.value}});
    return rows;
}

std::vector<FactRow> threadStateRows(const ImportedTrace &trace) {
    const Lookup lookup(trace);
    std::vector<FactRow> rows;
    for (const ThreadStateRow &state : trace.writer->threadStates) {
        const ThreadRow *thread = lookup.thread(state.thread);
        const ProcessRow *process = thread ? lookup.process(thread->process) : nullptr;
        rows.push_back({{"ts_ns", state.ts + traceBase(trace)},
                        {"dur_ns", state.dur},
                        {"cpu", state.cpu >= 0 ? Json(state.cpu) : Json()},
                        {"state", word(state.state)},
                        {"tid", thread ? numberOrText(thread->tid) : Json()},
                        {"pid", process ? numberOrText(process->pid) : Json()},
                        {"thread_name", thread ? textOrNull(thread->name) : Json()},
                        {"io_wait", state.state == ThreadState::BlockedIo ? 1 : 0}});
    }
    return rows;
}

std::vector<FactRow> rowsOfKind(const ImportedTrace &trace, const std::string &kind) {
    if (kind == "slices" || kind == "state_spans")
        return sliceRows(trace);
    if (kind == "slice_args" || kind == "args")
        return argumentRows(trace);
    if (kind == "slice_ancestors")
        return ancestorRows(trace);
    if (kind == "counters")
        return counterRows(trace);
    if (kind == "flows")
        return flowRows(trace);
    if (kind == "threads")
        return threadRows(trace);
    if (kind == "processes")
        return processRows(trace);
    if (kind == "tracks")
        return trackRows(trace);
    if (kind == "metadata")
        return metadataRows(trace);
    if (kind == "thread_states" || kind == "sched")
        return threadStateRows(trace);
    return {};
}

std::vector<std::string> checkFact(const ImportedTrace &trace, const Json &fact, const FactOptions &options,
                                   std::vector<FactRow> rows) {
    if (!trace.result)
        return {"refused: " + trace.outcome()};
    if (!trace.violations().empty())
        return {trace.violations()};
    if (rows.empty())
        rows = rowsOfKind(trace, fact["kind"].get<std::string>());
    if (options.adapt)
        for (FactRow &row : rows)
            options.adapt(row);
    const auto listed = [](const auto &list, const auto &what) {
        return std::find(list.begin(), list.end(), what) != list.end();
    };
    std::vector<std::string> problems;
    std::vector<bool> used(rows.size(), false);
    const Json &columns = fact["columns"], &expected = fact["expected"];
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (listed(options.argued, i))
            continue;
        const auto fits = [&](FactRow &own) {
            for (std::size_t c = 0; c < columns.size(); ++c) {
                const std::string column = columns[c];
                if (!listed(options.ignored, column) && !same(expected[i][c], own[column]))
                    return false;
            }
            return true;
        };
        std::size_t found = 0;
        while (found < rows.size() && (used[found] || !fits(rows[found])))
            ++found;
        if (found < rows.size())
            used[found] = true;
        else
            problems.push_back("no row is " + expected[i].dump());
    }
    return problems;
}

}  // namespace wattproof::test
