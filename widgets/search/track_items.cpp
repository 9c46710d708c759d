#include "widgets/search/track_items.h"

#include "report/draw/labels.h"

#include <unordered_map>

namespace wattproof::widgets {
namespace {

template <class Row, class Key>
std::unordered_map<std::int64_t, QString> words(const std::vector<Row> &rows, Key key) {
    std::unordered_map<std::int64_t, QString> all;
    for (const Row &row : rows)
        all.emplace(row.id.value, QString::fromStdString(key(row)));
    return all;
}

template <class Id>
QString wordOf(const std::unordered_map<std::int64_t, QString> &all, Id id) {
    const auto found = all.find(id.value);
    return found == all.end() ? QString() : found->second;
}

// Nearest first: the process or device before the file.
QString above(const TrackTree &tree, const TrackNode &node) {
    QStringList labels;
    for (int at = node.parent; at >= 0; at = tree.nodes[static_cast<std::size_t>(at)].parent)
        labels << draw::safeText(tree.nodes[static_cast<std::size_t>(at)].label);
    return labels.join(QStringLiteral("  ·  "));
}

}  // namespace

std::vector<QuickItem> trackItems(const TrackTree &tree, const RunTables &tables) {
    const auto pids = words(tables.processes, [](const ProcessRow &row) { return row.pid + " " + row.name; });
    const auto tids = words(tables.threads, [](const ThreadRow &row) { return row.tid + " " + row.name; });
    std::unordered_map<std::int64_t, QString> owners;
    for (const TrackRow &track : tables.tracks)
        owners.emplace(track.id.value, wordOf(tids, track.thread) + u' ' + wordOf(pids, track.process));
    std::vector<QuickItem> items;
    items.reserve(tree.nodes.size());
    std::vector<int> open(tree.roots.rbegin(), tree.roots.rend());  // in the order in which they stand in the timeline
    while (!open.empty()) {
        const TrackNode &node = tree.nodes[static_cast<std::size_t>(open.back())];
        open.pop_back();
        open.insert(open.end(), node.children.rbegin(), node.children.rend());
        QuickItem item;
        item.key = QString::fromStdString(node.key);
        item.text = draw::safeText(node.label);
        item.detail = above(tree, node);
        item.more = QString::fromStdString(node.note) + u' ' + wordOf(owners, node.track);
        items.push_back(std::move(item));
    }
    return items;
}

}  // namespace wattproof::widgets
