#include "tests/support/case_check.h"

#include <algorithm>
#include <map>
#include <set>


namespace wattproof::test {
namespace {

using Json = nlohmann::json;

// An exact number or {"min": a, "max": b}.
bool fits(const Json &wanted, double value) {
    if (wanted.is_number())
        return std::abs(wanted.get<double>() - value) <= 1e-6 * std::max(1.0, std::abs(value));
    return wanted.is_object() && (!wanted.contains("min") || value >= wanted["min"].get<double>()) &&
           (!wanted.contains("max") || value <= wanted["max"].get<double>());
}

class Check {
public:
    Check(const ImportedTrace &trace, const Json &expect) : trace_(trace), writer_(*trace.writer), expect_(expect) {}

    std::vector<std::string> run() {
        if (!outcome())
            return problems_;
        counts();
        rows();
        counters();
        warnings();
        links();
        tracks();
        gpu();
        ranking();
        queues();
        statistics();
        head();
        knownKeys();
        return problems_;
    }

private:
    void need(bool holds, const std::string &what) {
        if (!holds)
            problems_.push_back(what);
    }

    // A part of the expectations; empty where it is not stated.
    const Json &section(const char *key) const {
        static const Json none = Json::object();
        const auto found = expect_.find(key);
        return found == expect_.end() ? none : *found;
    }

    void needNumber(const char *key, double value) {
        if (expect_.contains(key))
            need(fits(expect_[key], value),
                 std::string(key) + " is " + std::to_string(value) + ", not " + expect_[key].dump());
    }

    // False when there is nothing more to compare.
    bool outcome() {
        const bool refusal = expect_.contains("error") && expect_["error"].is_object();
        if (!refusal) {
            need(trace_.result.has_value(), "refused: " + trace_.outcome());
            need(trace_.violations().empty(), trace_.violations());
            return trace_.result.has_value();
        }
        need(!trace_.result.has_value(), "was not refused");
        const std::string sentence = trace_.outcome();
        bool word = false;
        for (const Json &each : expect_["error"]["words"])
            word = word || sentence.find(each.get<std::string>()) != std::string::npos;
        need(word, "the message has none of the words: " + sentence);
        return false;
    }

    void counts() {
        const auto kind = [](SliceKind wanted) { return [wanted](const SliceRow &row) { return row.kind == wanted; }; };
        needNumber("slices", static_cast<double>(std::count_if(writer_.slices.begin(), writer_.slices.end(),
                                                               kind(SliceKind::Slice))));
        needNumber("instants", static_cast<double>(std::count_if(writer_.slices.begin(), writer_.slices.end(),
                                                                 kind(SliceKind::Instant))));
        std::set<std::int64_t> used;
        for (const SliceRow &row : writer_.slices)
            used.insert(row.track.value);
        needNumber("tracks", static_cast<double>(used.size()));
        needNumber("flows_total", static_cast<double>(writer_.flows.size()));
    }

    bool rowFits(const Json &wanted, const SliceRow &row) const {
        const std::string &name = writer_.text(row.name);
        const Json dur = row.state == SliceState::Ok ? Json(row.dur) : Json();
        const auto among = [&wanted](const char *key, const Json &value) {
            return !wanted.contains(key) ||
                   std::find(wanted[key].begin(), wanted[key].end(), value) != wanted[key].end();
        };
        const auto same = [&wanted](const char *key, const Json &value) {
            return !wanted.contains(key) || wanted[key] == value;
        };
        const Json parent = row.parent.valid() ? Json(writer_.text(writer_.slice(row.parent).name)) : Json();
        return same("name", name) && among("name_any", name) && same("ts_ns", row.ts + trace_.base()) &&
               same("dur_ns", dur) && among("dur_ns_any", dur) && same("depth", row.depth) && same("parent", parent) &&
               argumentsFit(wanted, row);
    }

    bool argumentsFit(const Json &wanted, const SliceRow &row) const {
        if (!wanted.contains("args"))
            return true;
        for (const auto &[key, value] : wanted["args"].items()) {
            const auto own = writer_.argument(row, key);
            if (!own || Json::parse(*own) != value)
                return false;
        }
        return true;
    }

    void rows() {
        std::vector<bool> taken(writer_.slices.size(), false);
        for (const Json &wanted : section("slice_rows")) {
            bool found = false;
            for (std::size_t i = 0; i < taken.size() && !found; ++i) {
                found = !taken[i] && rowFits(wanted, writer_.slices[i]);
                if (found)
                    taken[i] = true;
            }
            need(found, "no slice is " + wanted.dump());
        }
    }

    void counters() {
        for (const auto &[name, wanted] : section("counters").items()) {
            const CounterRow *row = writer_.findCounter(name);
            need(row != nullptr, "no counter " + name);
            if (!row)
                continue;
            const auto &samples = writer_.samples.at(row->id.value);
            const auto less = [](const Sample &a, const Sample &b) { return a.value < b.value; };
            const std::map<std::string, double> values{
                {"samples", samples.size()},
                {"min", std::min_element(samples.begin(), samples.end(), less)->value},
                {"max", std::max_element(samples.begin(), samples.end(), less)->value},
                {"last", samples.back().value}};
            for (const auto &[key, value] : wanted.items())
                need(key == "unit" ? value == row->unit : values.count(key) > 0 && fits(value, values.at(key)), name + ": " + key + " is not " + value.dump());
        }
    }

    void warnings() {
        for (const Json &wanted : section("warnings")) {
            double count = 0;
            for (const Json &kind : wanted.contains("kind") ? Json::array({wanted["kind"]}) : wanted["kind_any"])
                count += static_cast<double>(writer_.warningCount(kind.get<std::string>()));
            need(fits(wanted["count"], count), std::to_string(count) + " warnings " + wanted.dump());
        }
        for (const Json &kind : section("forbidden_warnings"))
            need(writer_.warningCount(kind.get<std::string>()) == 0, "forbidden warning " + kind.dump());
    }

    void links() {
        std::multiset<std::pair<std::string, std::string>> own;
        for (const GpuOpRow &op : writer_.gpuOps)
            if (op.launch.valid())
                own.emplace(writer_.text(writer_.slice(op.launch).name), writer_.text(writer_.slice(op.slice).name));
        needNumber("links_total", static_cast<double>(own.size()));
        for (const Json &wanted : section("links"))
            need(own.count({wanted[0], wanted[1]}) > 0, "no link " + wanted.dump());
    }

    void tracks() {
        std::map<std::pair<std::string, std::string>, std::pair<std::string, int>> own;
        for (const SliceRow &row : writer_.slices) {
            const TrackRow &track = writer_.track(row.track);
            if (!track.thread.valid() || row.kind != SliceKind::Slice)
                continue;
            const ThreadRow &thread = writer_.threads.at(static_cast<std::size_t>(track.thread.value - 1));
            const ProcessRow &process = writer_.processes.at(static_cast<std::size_t>(thread.process.value - 1));
            auto &entry = own[{process.pid, thread.tid}];
            entry.first = thread.name;
            entry.second += 1;
        }
        const auto text = [](const Json &id) { return id.is_string() ? id.get<std::string>() : id.dump(); };
        for (const Json &wanted : section("track_rows")) {
            const auto found = own.find({text(wanted["pid"]), text(wanted["tid"])});
            need(found != own.end() && found->second.second == wanted["slices"] &&
                     (!wanted.contains("name") || found->second.first == wanted["name"]),
                 "no thread is " + wanted.dump());
        }
        for (const auto &[pid, name] : section("processes").items()) {
            const std::string own_pid = pid;
            const auto found = std::find_if(writer_.processes.begin(), writer_.processes.end(),
                                            [&own_pid](const ProcessRow &row) { return row.pid == own_pid; });
            need(found != writer_.processes.end() && found->name == name, "process " + pid + " is not " + name.dump());
        }
    }

    using Ranges = std::vector<TimeRange>;

    static Ns covered(Ranges ranges) {
        std::sort(ranges.begin(), ranges.end(), [](TimeRange a, TimeRange b) { return a.begin < b.begin; });
        Ns busy = 0, end = ranges.empty() ? 0 : ranges.front().begin;
        for (const TimeRange &range : ranges) {
            busy += std::max<Ns>(0, range.end - std::max(end, range.begin));
            end = std::max(end, range.end);
        }
        return busy;
    }

    // "Busy" is what kernels cover; what only a copy covers stands beside it.
    void gpu() {
        for (const auto &[device, wanted] : section("gpu").items()) {
            Ranges kernels, all;
            Ns sum = 0;
            for (const GpuOpRow &op : writer_.gpuOps) {
                const SliceRow &row = writer_.slice(op.slice);
                if (writer_.devices.at(static_cast<std::size_t>(op.device.value - 1)).nativeId != device)
                    continue;
                all.push_back({row.ts, row.ts + row.dur});
                if (op.activity == GpuActivity::Kernel) {
                    kernels.push_back(all.back());
                    sum += row.dur;
                }
            }
            if (all.empty())
                return need(false, "no work on GPU " + device);
            Ns begin = all.front().begin, end = all.front().end;
            for (const TimeRange &range : all) {
                begin = std::min(begin, range.begin);
                end = std::max(end, range.end);
            }
            const Ns busy = covered(kernels), window = end - begin;
            const std::map<std::string, double> own{
                {"busy_ns", busy},
                {"window_ns", window},
                {"copy_only_ns", covered(all) - busy},
                {"idle_ns", window - covered(all)},
                {"kernel_sum_ns", sum},
                {"util_pct", 100.0 * static_cast<double>(busy) / static_cast<double>(std::max<Ns>(window, 1))}};
            for (const auto &[key, value] : wanted.items())
                need(own.count(key) > 0 && fits(value, own.at(key)), "GPU " + device + ": " + key + " is not " + value.dump());
        }
    }

    void ranking() {
        if (!expect_.contains("kernel_ranking"))
            return;
        std::map<std::string, Ns> sums;
        for (const GpuOpRow &op : writer_.gpuOps)
            sums[writer_.text(writer_.slice(op.slice).name)] += writer_.slice(op.slice).dur;
        std::vector<std::string> names;
        for (const auto &[name, sum] : sums)
            names.push_back(name);
        std::sort(names.begin(), names.end(),
                  [&sums](const std::string &a, const std::string &b) { return sums.at(a) > sums.at(b); });
        need(Json(names) == expect_["kernel_ranking"], "kernels rank " + Json(names).dump());
    }

    // Time from a launch to its operation; unknown where the operation seems to start first.
    void queues() {
        for (const auto &[name, allowed] : section("queue_ns_any").items())
            for (const GpuOpRow &op : writer_.gpuOps) {
                const SliceRow &row = writer_.slice(op.slice);
                if (writer_.text(row.name) != name || !op.launch.valid())
                    continue;
                const Ns delay = row.ts - writer_.slice(op.launch).ts;
                const Json own = delay < 0 ? Json() : Json(delay);
                need(std::find(allowed.begin(), allowed.end(), own) != allowed.end(), name + " waited " + own.dump());
            }
    }

    // Time covered (recursion once) and time not spent in children, by name.
    void statistics() {
        for (const auto &[name, wanted] : section("stats").items()) {
            Ranges ranges;
            Ns self = 0;
            for (const SliceRow &row : writer_.slices) {
                const bool own = writer_.text(row.name) == name;
                if (own)
                    ranges.push_back({row.ts, row.ts + row.dur});
                self += own ? row.dur : 0;
                if (row.parent.valid() && writer_.text(writer_.slice(row.parent).name) == name)
                    self -= row.dur;
            }
            need(wanted["count"] == ranges.size() && wanted["total_ns"] == covered(ranges) && wanted["self_ns"] == self,
                 name + ": " + std::to_string(covered(ranges)) + " ns, own " + std::to_string(self));
        }
    }

    // Nothing that a case expects goes unchecked, but what a screen or a report shows.
    void knownKeys() {
        static const std::set<std::string> keys{
            "error",       "slices",         "instants",  "tracks",  "slice_rows",   "counters",      "warnings",
            "any_of",      "flows_total",    "links",     "gpu",     "links_total",  "track_rows",    "processes",
            "metadata",    "time_bounds_ns", "stats",     "ui",      "report",       "kernel_ranking", "queue_ns_any",
            "per_input",   "time_bounds_tol_ns", "forbidden_warnings"};
        for (const auto &[key, value] : expect_.items())
            need(keys.count(key) > 0, "nothing checks " + key);
    }

    void head() {
        for (const auto &[key, value] : section("metadata").items())
            need(writer_.metadataValue(key) == (value.is_string() ? value.get<std::string>() : value.dump()),
                 "metadata " + key + " is " + writer_.metadataValue(key));
        if (!expect_.contains("time_bounds_ns"))
            return;
        Ns end = 0;
        for (const SliceRow &row : writer_.slices)
            end = std::max(end, row.ts + row.dur);
        const Json bounds = expect_["time_bounds_ns"];
        const Ns tolerance = expect_.value("time_bounds_tol_ns", Ns{0});
        need(std::abs(bounds[0].get<Ns>() - trace_.base()) <= tolerance &&
                 std::abs(bounds[1].get<Ns>() - trace_.base() - end) <= tolerance,
             "time bounds are " + std::to_string(trace_.base()) + " to " + std::to_string(trace_.base() + end));
    }

    const ImportedTrace &trace_;
    const RecordingWriter &writer_;
    const Json &expect_;
    std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> checkTraceCase(const ImportedTrace &trace, const Json &expect) {
    if (!expect.contains("any_of"))
        return Check(trace, expect).run();
    std::vector<std::string> all;
    for (const Json &outcome : expect["any_of"]) {
        auto problems = checkTraceCase(trace, outcome);
        if (problems.empty())
            return {};
        all.insert(all.end(), problems.begin(), problems.end());
    }
    return all;
}

}  // namespace wattproof::test
