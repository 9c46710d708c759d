#include "widgets/timeline/track_tree.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace wattproof::widgets {
namespace {

constexpr int kDeepTrack = 64;
// Groups and tracks that the trace gives no place stand after those it does.
constexpr std::int64_t kNoPlace = std::numeric_limits<std::int64_t>::max();

std::string fileName(const std::string &path) {
    const std::size_t slash = path.find_last_of("/\\");
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

bool isDigit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// A bare number needs the word for what it counts; an id that is text speaks for itself.
std::string numbered(const std::string &word, const std::string &id) {
    return std::all_of(id.begin(), id.end(), isDigit) ? word + ' ' + id : id;
}

// The run of digits at `at`, without leading zeros; `at` moves behind it.
std::string_view number(std::string_view text, std::size_t &at) {
    while (at < text.size() && text[at] == '0')
        ++at;
    const std::size_t begin = at;
    while (at < text.size() && isDigit(text[at]))
        ++at;
    return text.substr(begin, at - begin);
}

// Brings order to siblings: kind first, then the trace's own sort index, then the name.
struct SiblingOrder {
    int group = 0;
    std::int64_t sortIndex = 0;
    std::string label;

    bool operator<(const SiblingOrder &o) const {
        return group != o.group           ? group < o.group
               : sortIndex != o.sortIndex ? sortIndex < o.sortIndex
                                          : naturalLess(label, o.label);
    }
};

class TreeMaker {
public:
    explicit TreeMaker(const RunTables &tables) : tables_(tables) {
        for (const CounterRow &counter : tables.counters)
            counterOfTrack_[counter.track] = &counter;
        for (const ThreadRow &thread : tables.threads)
            threads_[thread.id] = &thread;
        for (const ProcessRow &process : tables.processes)
            processes_[process.id] = &process;
    }

    TrackTree make() {
        for (const SourceRow &source : tables_.sources)
            addSource(source);
        for (const TrackRow &track : tables_.tracks)
            addTrack(track);
        dropEmptyGroups();
        sortChildren();
        return std::move(tree_);
    }

private:
    int addNode(TrackNode node, SiblingOrder order) {
        const int index = static_cast<int>(tree_.nodes.size());
        node.key = unique(std::move(node.key));
        node.words = lowerCase(node.label + ' ' + node.note + ' ' + node.words);
        if (node.track.valid())
            tree_.ofTrack.emplace(node.track, index);
        if (node.parent >= 0) {
            node.level = tree_.nodes[static_cast<std::size_t>(node.parent)].level + 1;
            tree_.nodes[static_cast<std::size_t>(node.parent)].children.push_back(index);
        }
        tree_.nodes.push_back(std::move(node));
        orders_.push_back(std::move(order));
        return index;
    }

    // Tracks of one name below one parent are told apart by their order in the file, which never changes.
    std::string unique(std::string key) {
        const int nth = ++timesUsed_[key];
        return nth == 1 ? key : key + '#' + std::to_string(nth);
    }

    void addSource(const SourceRow &source) {
        TrackNode node;
        node.kind = NodeKind::Source;
        node.label = fileName(source.path);
        node.note = source.simulated ? "simulated" : "";
        node.key = "source:" + (source.sha256.empty() ? source.path : source.sha256.substr(0, 16));
        const int index = addNode(node, {});
        tree_.roots.push_back(index);
        sources_[source.id] = index;
    }

    int deviceNode(SourceId source, DeviceId device) {
        const auto [entry, added] = groups_.try_emplace({source, device.value, NodeKind::Device}, -1);
        if (added) {
            const DeviceRow *row = tables_.device(device);
            TrackNode node;
            node.kind = NodeKind::Device;
            node.parent = sources_.at(source);
            node.label = row && !row->name.empty() ? row->name : "device " + std::to_string(device.value);
            node.note = row ? row->model : "";
            node.device = device;
            if (row)
                node.words = row->uuid + ' ' + row->pci + ' ' + row->host + ' ' + row->nativeId;
            node.key = keyBelow(node.parent, "device:" + node.label);
            entry->second = addNode(node, {0, 0, node.label});
        }
        return entry->second;
    }

    int processNode(SourceId source, ProcessId process) {
        const auto [entry, added] = groups_.try_emplace({source, process.value, NodeKind::Process}, -1);
        if (added) {
            const auto row = processes_.find(process);
            TrackNode node;
            node.kind = NodeKind::Process;
            node.parent = sources_.at(source);
            node.label = row == processes_.end() ? "process" : processLabel(*row->second);
            node.note = row == processes_.end() ? "" : row->second->labels;
            node.words = row == processes_.end() ? "" : "pid " + row->second->pid;
            node.key = keyBelow(node.parent, "process:" + node.label);
            const std::int64_t order =
                row == processes_.end() ? kNoPlace : row->second->sortIndex.value_or(kNoPlace);
            entry->second = addNode(node, {1, order, node.label});
        }
        return entry->second;
    }

    static std::string processLabel(const ProcessRow &row) {
        if (row.name.empty())
            return row.pid.empty() ? "process" : numbered("process", row.pid);
        return row.name == row.pid || row.pid.empty() ? row.name : row.name + " " + row.pid;
    }

    // Counters and streams stand with their device where one is known, all else with its process.
    int parentOf(const TrackRow &track, const CounterRow *counter) {
        const DeviceId device = counter && counter->device.valid() ? counter->device : track.device;
        if (device.valid() && (counter || track.kind == TrackKind::GpuStream))
            return deviceNode(track.source, device);
        if (track.process.valid())
            return processNode(track.source, track.process);
        return device.valid() ? deviceNode(track.source, device) : sources_.at(track.source);
    }

    void addTrack(const TrackRow &track) {
        const auto found = counterOfTrack_.find(track.id);
        const CounterRow *counter = found == counterOfTrack_.end() ? nullptr : found->second;
        if (!sources_.contains(track.source) || (counter ? counter->sampleCount == 0 : track.sliceCount == 0))
            return;
        TrackNode node;
        node.parent = parentOf(track, counter);
        node.kind = counter ? NodeKind::Counter : NodeKind::Slices;
        node.track = track.id;
        node.counter = counter ? counter->id : CounterId();
        node.label = counter ? counter->name : trackLabel(track);
        node.note = counter ? unitNote(*counter) : "";
        node.rowCount = std::max(1, track.rowCount);
        node.words = counter ? counter->quantity + ' ' + counter->domain : trackWords(track);
        node.key = keyBelow(node.parent, std::string(counter ? "counter:" : "track:") + node.label);
        addNode(node, {counter ? 3 : 2, threadOrder(track), node.label});
    }

    static std::string unitNote(const CounterRow &counter) {
        const std::string unit = counter.unit == "1" ? "" : counter.unit == "degC" ? "°C" : counter.unit;
        return counter.sensor.modelled ? unit + " modelled" : unit;
    }

    std::string trackLabel(const TrackRow &track) const {
        const auto thread = threads_.find(track.thread);
        if (track.kind == TrackKind::GpuStream && !track.stream.empty() && track.name.empty())
            return "stream " + track.stream;
        if (!track.name.empty())
            return track.name;
        if (thread == threads_.end())
            return "track " + std::to_string(track.id.value);
        return thread->second->name.empty() ? numbered("thread", thread->second->tid) : thread->second->name;
    }

    std::string trackWords(const TrackRow &track) const {
        const auto thread = threads_.find(track.thread);
        const std::string tid = thread == threads_.end() ? "" : "tid " + thread->second->tid + ' ' + thread->second->name;
        return track.stream.empty() ? tid : tid + " stream " + track.stream;
    }

    std::int64_t threadOrder(const TrackRow &track) const {
        const auto thread = threads_.find(track.thread);
        return thread == threads_.end() ? kNoPlace : thread->second->sortIndex.value_or(kNoPlace);
    }

    std::string keyBelow(int parent, const std::string &own) const {
        return tree_.nodes[static_cast<std::size_t>(parent)].key + "/" + own;
    }

    void dropEmptyGroups() {
        std::erase_if(tree_.roots,
                      [this](int root) { return tree_.nodes[static_cast<std::size_t>(root)].children.empty(); });
    }

    void sortChildren() {
        const auto less = [this](int a, int b) {
            return orders_[static_cast<std::size_t>(a)] < orders_[static_cast<std::size_t>(b)];
        };
        for (TrackNode &node : tree_.nodes)
            std::stable_sort(node.children.begin(), node.children.end(), less);
    }

    using GroupKey = std::tuple<SourceId, std::int64_t, NodeKind>;

    const RunTables &tables_;
    std::map<TrackId, const CounterRow *> counterOfTrack_;
    std::map<ThreadId, const ThreadRow *> threads_;
    std::map<ProcessId, const ProcessRow *> processes_;
    std::map<SourceId, int> sources_;
    std::map<GroupKey, int> groups_;
    std::vector<SiblingOrder> orders_;
    std::unordered_map<std::string, int> timesUsed_;
    TrackTree tree_;
};

}  // namespace

bool naturalLess(std::string_view a, std::string_view b) {
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (isDigit(a[i]) && isDigit(b[j])) {
            const std::string_view x = number(a, i), y = number(b, j);
            if (x.size() != y.size())
                return x.size() < y.size();
            if (x != y)
                return x < y;
            continue;
        }
        const int x = std::tolower(static_cast<unsigned char>(a[i++])),
                  y = std::tolower(static_cast<unsigned char>(b[j++]));
        if (x != y)
            return x < y;
    }
    return a.size() - i < b.size() - j;
}

int TrackTree::find(TrackId track) const {
    const auto found = ofTrack.find(track);
    return found == ofTrack.end() ? -1 : found->second;
}

int TrackTree::find(const std::string &key) const {
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&key](const TrackNode &n) { return n.key == key; });
    return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
}

const std::vector<int> &TrackTree::siblings(int node) const {
    const int parent = nodes[static_cast<std::size_t>(node)].parent;
    return parent < 0 ? roots : nodes[static_cast<std::size_t>(parent)].children;
}

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    for (char &c : lower)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

TrackTree buildTrackTree(const RunTables &tables) {
    return TreeMaker(tables).make();
}

std::set<std::string> collapsedAtFirst(const TrackTree &tree) {
    std::set<std::string> collapsed;
    for (const TrackNode &node : tree.nodes)
        if (node.kind == NodeKind::Slices && node.rowCount > kDeepTrack)
            collapsed.insert(node.key);
    return collapsed;
}

}  // namespace wattproof::widgets
