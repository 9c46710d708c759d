#include "widgets/timeline/arrangement.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <nlohmann/json.hpp>

namespace wattproof::widgets {
namespace {

using nlohmann::json;

constexpr double kLowest = 0.4, kTallest = 20;

void change(std::set<std::string> &keys, const std::string &key, bool in) {
    if (in)
        keys.insert(key);
    else
        keys.erase(key);
}

// The texts of a list, each once.
std::vector<std::string> texts(const json &list) {
    std::vector<std::string> all;
    if (list.is_array())
        for (const json &entry : list)
            if (entry.is_string() && std::find(all.begin(), all.end(), entry.get_ref<const std::string &>()) == all.end())
                all.push_back(entry.get<std::string>());
    return all;
}

std::set<std::string> setOf(const json &list) {
    const std::vector<std::string> all = texts(list);
    return {all.begin(), all.end()};
}

json part(const json &document, const char *name) {
    const auto found = document.find(name);
    return found == document.end() ? json() : *found;
}

const std::string &keyOfParent(const TrackTree &tree, int node) {
    static const std::string none;
    const int parent = tree.nodes[static_cast<std::size_t>(node)].parent;
    return parent < 0 ? none : tree.nodes[static_cast<std::size_t>(parent)].key;
}

std::vector<int> ordered(const TrackTree &tree, const std::vector<int> &natural,
                         const std::vector<std::string> &wanted) {
    std::unordered_map<std::string, int> byKey;
    for (const int node : natural)
        byKey.emplace(tree.nodes[static_cast<std::size_t>(node)].key, node);
    std::vector<int> result;
    for (const std::string &key : wanted)
        if (const auto entry = byKey.extract(key); !entry.empty())
            result.push_back(entry.mapped());
    for (std::size_t i = 0; i < natural.size(); ++i) {
        if (!byKey.contains(tree.nodes[static_cast<std::size_t>(natural[i])].key))
            continue;
        const auto before = i == 0 ? result.end() : std::find(result.begin(), result.end(), natural[i - 1]);
        result.insert(before == result.end() ? result.begin() : before + 1, natural[i]);
    }
    return result;
}

}  // namespace

bool Arrangement::isPinned(const std::string &key) const {
    return std::find(pinned.begin(), pinned.end(), key) != pinned.end();
}

double Arrangement::heightOf(const std::string &key) const {
    const auto found = heights.find(key);
    return found == heights.end() ? 1 : found->second;
}

void Arrangement::setCollapsed(const std::string &key, bool in) {
    change(collapsed, key, in);
}

void Arrangement::setPinned(const std::string &key, bool in) {
    std::erase(pinned, key);
    if (in) {
        pinned.push_back(key);
        hidden.erase(key);
    }
}

void Arrangement::setHidden(const std::string &key, bool in) {
    change(hidden, key, in);
    if (in)
        std::erase(pinned, key);
}

void Arrangement::setHeight(const std::string &key, double times) {
    if (!std::isfinite(times) || std::abs(times - 1) < 0.01)
        heights.erase(key);
    else
        heights[key] = std::clamp(times, kLowest, kTallest);
}

std::string arrangementToText(const Arrangement &a) {
    // Track names are bytes from outside: what is not UTF-8 is replaced, not thrown about.
    return json{{"collapsed", a.collapsed},
                {"pinned", a.pinned},
                {"hidden", a.hidden},
                {"order", a.order},
                {"heights", a.heights}}
        .dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<Arrangement> arrangementFromText(const std::string &text) {
    const json document = json::parse(text, nullptr, false);
    Arrangement a;
    if (document.is_array()) {
        a.collapsed = setOf(document);
        return a;
    }
    if (!document.is_object())
        return std::nullopt;
    a.collapsed = setOf(part(document, "collapsed"));
    a.pinned = texts(part(document, "pinned"));
    a.hidden = setOf(part(document, "hidden"));
    const json order = part(document, "order"), heights = part(document, "heights");
    if (order.is_object())
        for (const auto &entry : order.items())
            if (auto keys = texts(entry.value()); !keys.empty())
                a.order.emplace(entry.key(), std::move(keys));
    if (heights.is_object())
        for (const auto &entry : heights.items())
            if (entry.value().is_number())
                a.setHeight(entry.key(), entry.value().get<double>());
    return a;
}

void orderTracks(TrackTree &tree, const Arrangement &arrangement) {
    if (arrangement.order.empty())
        return;
    const auto put = [&](std::vector<int> &children, const std::string &key) {
        if (const auto found = arrangement.order.find(key); found != arrangement.order.end())
            children = ordered(tree, children, found->second);
    };
    put(tree.roots, {});
    for (TrackNode &node : tree.nodes)
        put(node.children, node.key);
}

void moveTrack(Arrangement &arrangement, const TrackTree &tree, int node, int before) {
    if (node == before)
        return;
    std::vector<std::string> keys;
    for (const int sibling : tree.siblings(node)) {
        if (sibling == before)
            keys.push_back(tree.nodes[static_cast<std::size_t>(node)].key);
        if (sibling != node)
            keys.push_back(tree.nodes[static_cast<std::size_t>(sibling)].key);
    }
    if (before < 0)
        keys.push_back(tree.nodes[static_cast<std::size_t>(node)].key);
    arrangement.order[keyOfParent(tree, node)] = std::move(keys);
}

void movePinned(Arrangement &arrangement, const std::string key, const std::string before) {
    if (key == before || std::erase(arrangement.pinned, key) == 0)
        return;
    arrangement.pinned.insert(std::find(arrangement.pinned.begin(), arrangement.pinned.end(), before), key);
}

}  // namespace wattproof::widgets
