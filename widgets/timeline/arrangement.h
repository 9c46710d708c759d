// How the user has arranged the tracks: what is collapsed, pinned and hidden, in which order siblings stand and how
// tall they are. One document of the workspace, keyed by the stable keys of the track tree: what names a track that is
// gone says nothing and stays, in case the track comes back.
#pragma once

#include "widgets/timeline/track_tree.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace wattproof::widgets {

struct Arrangement {
    std::set<std::string> collapsed;
    std::vector<std::string> pinned;  // from the top
    std::set<std::string> hidden;
    std::map<std::string, std::vector<std::string>> order;  // of the children of a key; of the sources: ""
    std::map<std::string, double> heights;                  // of a key: how many times the usual one

    [[nodiscard]] bool isPinned(const std::string &key) const;
    [[nodiscard]] double heightOf(const std::string &key) const;  // 1: the usual one

    void setCollapsed(const std::string &key, bool);
    void setPinned(const std::string &key, bool);  // shows what was hidden
    void setHidden(const std::string &key, bool);  // takes away the pin
    void setHeight(const std::string &key, double times);  // kept between a readable row and a third of a screen

    bool operator==(const Arrangement &) const = default;
};

[[nodiscard]] std::string arrangementToText(const Arrangement &);
// None when the text is not such a document; parts that make no sense are left out. A plain list is what older versions
// stored: the collapsed tracks.
[[nodiscard]] std::optional<Arrangement> arrangementFromText(const std::string &);

// Puts siblings into the order that the user gave them. One that the order does not know stands behind its natural
// predecessor.
void orderTracks(TrackTree &, const Arrangement &);
// `node` is to stand before its sibling `before`; -1: behind all. The tree is as orderTracks() left it.
void moveTrack(Arrangement &, const TrackTree &, int node, int before);
// The same among the pinned ones; an empty `before`: last.
void movePinned(Arrangement &, std::string key, std::string before);  // by value: they may be among the pinned

}  // namespace wattproof::widgets
