#include "analysis/headline/units.h"

#include "analysis/headline/headline.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace wattproof::analysis {
namespace {

constexpr std::size_t kFewestRepeats = 3;

// Arguments in which frameworks and servers say how much work a slice holds; the first that all slices carry wins.
struct Amount {
    const char *argument, *unit;
};
constexpr std::array<Amount, 6> kAmounts{{{"tokens", "token"},
                                          {"num_tokens", "token"},
                                          {"output_tokens", "token"},
                                          {"samples", "sample"},
                                          {"num_samples", "sample"},
                                          {"batch_size", "sample"}}};

struct Pattern {
    const char *glob, *unit, *how;
};

// Iterations as frameworks name them; the first pattern with three or more slices is taken.
constexpr std::array<Pattern, 8> kIterations{{
    {"ProfilerStep#*", "step", "profiler steps"},
    {"execute_context_*", "step", "serving engine steps"},
    {"execute_model*", "step", "serving engine steps"},
    {"step[*", "step", "serving engine steps"},
    {"*decode_step#*", "step", "decode steps"},
    {"*train_step#*", "step", "training steps"},
    {"iteration*", "iteration", "iterations"},
    {"step*", "step", "steps"},
}};

bool isDigit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class UnitFinder {
public:
    UnitFinder(store::Reader &reader, Context &context, std::stop_token stop)
        : reader_(reader), context_(context), stop_(std::move(stop)) {}

    Status find() {
        setUntimedApart();
        if (!context_.requests.empty()) {
            fromRequests();
            return {};
        }
        const std::string stated = context_.scenario.unitSlices;
        if (!stated.empty()) {
            auto slices = matching(stated);
            return slices ? fromSlices(*slices, stated, "") : Status(passOn(slices));
        }
        for (const Pattern &pattern : kIterations) {
            auto slices = matching(pattern.glob);
            if (!slices)
                return passOn(slices);
            if (slices->size() >= kFewestRepeats)
                return fromSlices(*slices, pattern.glob, pattern.how, pattern.unit);
        }
        return fromAnnotations();
    }

private:
    // Requests of a log that does not say when they ran have a latency, but no place in the run.
    void setUntimedApart() {
        std::vector<WorkUnit> untimed;
        for (const RequestRow &request : context_.requests)
            if (isUntimed(request))
                untimed.push_back({{0, request.dur}, request.units.value_or(1), request.ok, {}});
        if (untimed.empty())
            return;
        std::erase_if(context_.requests, isUntimed);
        context_.result.latency = latencyOf(untimed);
        context_.result.lints.push_back(std::to_string(untimed.size()) +
                                        " requests have no time in their log: they count for latency alone");
    }

    // What a request that failed would have made: the mean of those that did not.
    [[nodiscard]] double typicalUnits() const {
        double sum = 0, count = 0;
        for (const RequestRow &request : context_.requests)
            if (request.ok && request.units) {
                sum += *request.units;
                ++count;
            }
        return count > 0 ? sum / count : 1;
    }

    void fromRequests() {
        bool counted = false;
        const double typical = typicalUnits();
        for (const RequestRow &request : context_.requests) {
            counted = counted || request.units.has_value();
            const bool lost = !request.ok && request.units.value_or(0) == 0;
            context_.units.push_back({{request.ts, request.ts + request.dur},
                                      lost ? typical : request.units.value_or(1), request.ok, {}});
        }
        name(counted ? "unit" : "request",
             std::to_string(context_.requests.size()) + " requests of the request log");
        order();
    }

    Expected<std::vector<SliceRow>> matching(const std::string &glob) {
        auto slices = reader_.slicesByNameGlob(glob, stop_);
        if (!slices)
            return slices;
        std::set<TrackId> threads;
        for (const TrackRow &track : context_.tracks)
            if (track.kind == TrackKind::Thread || track.kind == TrackKind::Async)
                threads.insert(track.id);
        std::map<StringId, bool> fits;
        std::erase_if(*slices, [&](const SliceRow &slice) {
            const bool whole = slice.kind == SliceKind::Slice && slice.state == SliceState::Ok && slice.dur > 0;
            return !whole || !threads.contains(slice.track) || !nameFits(glob, slice.name, fits) ||
                   !context_.mainParts.holds(slice.track, {slice.ts, slice.ts + slice.dur});
        });
        return busiestTrack(std::move(*slices));
    }

    bool nameFits(const std::string &glob, StringId name, std::map<StringId, bool> &known) {
        const auto [it, fresh] = known.try_emplace(name, false);
        if (fresh) {
            const auto text = reader_.text(name);
            it->second = text && matchesUnitGlob(glob, *text);
        }
        return it->second;
    }

    // The same iteration is often drawn on several threads: the track with most of them counts.
    static std::vector<SliceRow> busiestTrack(std::vector<SliceRow> slices) {
        std::map<TrackId, std::size_t> counts;
        for (const SliceRow &slice : slices)
            ++counts[slice.track];
        const auto most = std::max_element(counts.begin(), counts.end(),
                                           [](const auto &a, const auto &b) { return a.second < b.second; });
        if (most != counts.end()) {
            const TrackId track = most->first;
            std::erase_if(slices, [track](const SliceRow &slice) { return slice.track != track; });
        }
        return slices;
    }

    Status fromSlices(const std::vector<SliceRow> &slices, const std::string &glob, const std::string &how,
                      const std::string &unit = "iteration") {
        for (const SliceRow &slice : slices)
            context_.units.push_back({{slice.ts, slice.ts + slice.dur}, 1, true, slice.id});
        return weigh(unit, std::to_string(slices.size()) + " slices named \"" + glob + "\"" +
                               (how.empty() ? "" : ", " + how));
    }

    // How many units each slice is: as the scenario says, else by an argument that all of them carry, else one.
    Status weigh(std::string unit, const std::string &how) {
        order();
        const Scenario &scenario = context_.scenario;
        std::map<SliceId, double> amounts;
        Status status;
        if (!scenario.unitAmountArgument.empty())
            status = readAmounts(scenario.unitAmountArgument, amounts);
        else if (!scenario.unitAmount)
            status = detectAmounts(unit, amounts);
        if (!status)
            return status;
        for (WorkUnit &work : context_.units) {
            const auto amount = amounts.find(work.slice);
            work.units = amount != amounts.end() ? amount->second : scenario.unitAmount.value_or(1);
        }
        name(unit, how);
        return {};
    }

    Status detectAmounts(std::string &unit, std::map<SliceId, double> &amounts) {
        const std::string &stated = context_.scenario.unitName;
        for (const Amount &known : kAmounts) {
            if (!stated.empty() && stated != known.unit)
                continue;
            if (Status status = readKnownAmounts(known.argument, amounts); !status)
                return status;
            if (amounts.empty())
                continue;
            unit = known.unit;
            context_.scenario.detected["unit.amount"] =
                "args." + std::string(known.argument) + ", which each of these slices carries";
            break;
        }
        return {};
    }

    // Values of an argument that can be amounts of work.
    Status readArgument(const std::string &key, std::map<SliceId, double> &amounts) {
        std::vector<SliceId> ids;
        for (const WorkUnit &unit : context_.units)
            ids.push_back(unit.slice);
        auto values = reader_.numericArgument(ids, key);
        if (!values)
            return passOn(values);
        for (const auto &[slice, value] : *values)
            if (std::isfinite(value) && value >= 0)
                amounts[slice] = value;
        return {};
    }

    Status readAmounts(std::string key, std::map<SliceId, double> &amounts) {
        if (key.rfind("args.", 0) == 0)
            key.erase(0, 5);
        if (Status status = readArgument(key, amounts); !status)
            return status;
        if (amounts.size() < context_.units.size())
            context_.result.lints.push_back(std::to_string(context_.units.size() - amounts.size()) +
                                            " units lack the argument \"" + key + "\" and count as 1");
        return {};
    }

    // Left empty where a slice lacks the argument, or where all of them say zero.
    Status readKnownAmounts(const std::string &key, std::map<SliceId, double> &amounts) {
        if (Status status = readArgument(key, amounts); !status)
            return status;
        const bool some =
            std::any_of(amounts.begin(), amounts.end(), [](const auto &entry) { return entry.second > 0; });
        if (amounts.size() < context_.units.size() || !some)
            amounts.clear();
        return {};
    }

    Status fromAnnotations() {
        auto calls = reader_.hostCalls({"user_annotation"}, context_.traceExtent, stop_);
        if (!calls)
            return passOn(calls);
        std::map<std::string, std::vector<store::HostCall>> groups;
        for (const store::HostCall &call : *calls)
            groups[withoutNumbers(context_.text(call.name))].push_back(call);
        const std::vector<store::HostCall> *best = nullptr;
        std::string label;
        Ns longest = 0;
        for (const auto &[text, members] : groups) {
            Ns total = 0;
            for (const store::HostCall &call : members)
                total += call.range.length();
            if (members.size() >= 5 && total > longest) {
                longest = total;
                best = &members;
                label = text;
            }
        }
        if (best == nullptr)
            return {};
        for (const store::HostCall &call : *best)
            context_.units.push_back({call.range, 1, true, call.slice});
        return weigh("iteration", std::to_string(best->size()) + " repeats of the annotation \"" + label + "\"");
    }

    void name(const std::string &unit, const std::string &how) {
        if (context_.scenario.unitName.empty())
            context_.scenario.unitName = unit;
        context_.scenario.detected["unit"] = how;
    }

    void order() {
        std::stable_sort(context_.units.begin(), context_.units.end(),
                         [](const WorkUnit &a, const WorkUnit &b) { return a.range.end < b.range.end; });
    }

    store::Reader &reader_;
    Context &context_;
    std::stop_token stop_;
};

}  // namespace

bool matchesUnitGlob(std::string_view glob, std::string_view name) {
    if (glob.empty())
        return name.empty();
    if (glob.size() > 1 && glob[0] == '#' && glob[1] == '*') {
        if (name.empty() || name[0] != '#')
            return false;
        std::size_t end = 1;
        while (end < name.size() && isDigit(name[end]))
            ++end;
        return end > 1 && matchesUnitGlob(glob.substr(2), name.substr(end));
    }
    if (glob[0] == '*') {
        for (std::size_t skip = 0; skip <= name.size(); ++skip)
            if (matchesUnitGlob(glob.substr(1), name.substr(skip)))
                return true;
        return false;
    }
    return !name.empty() && (glob[0] == '?' || glob[0] == name[0]) &&
           matchesUnitGlob(glob.substr(1), name.substr(1));
}

std::string withoutNumbers(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (!isDigit(c))
            out.push_back(c);
        else if (out.empty() || out.back() != '#')
            out.push_back('#');
    }
    return out;
}

Status findUnits(store::Reader &reader, Context &context, std::stop_token stop) {
    return UnitFinder(reader, context, std::move(stop)).find();
}

}  // namespace wattproof::analysis
