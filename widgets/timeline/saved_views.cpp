#include "widgets/timeline/saved_views.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace wattproof::widgets {
namespace {

using nlohmann::json;

constexpr int kDigits = 9;

std::optional<TimeRange> rangeOf(const json &view, const char *name) {
    const auto found = view.find(name);
    if (found == view.end() || !found->is_array() || found->size() != 2 || !(*found)[0].is_number_integer() ||
        !(*found)[1].is_number_integer())
        return std::nullopt;
    const TimeRange range{(*found)[0].get<Ns>(), (*found)[1].get<Ns>()};
    // Beyond a century either way nothing is meant, and sums would overflow.
    constexpr Ns kFar = 3'200'000'000'000'000'000;
    return range.begin < -kFar || range.end > kFar || range.end < range.begin ? std::nullopt : std::optional(range);
}

std::optional<SavedView> viewOf(const json &stored) {
    if (!stored.is_object())
        return std::nullopt;
    const auto visible = rangeOf(stored, "visible");
    if (!visible || visible->empty())
        return std::nullopt;
    SavedView view;
    view.visible = *visible;
    view.selected = rangeOf(stored, "selected").value_or(TimeRange{});
    if (const auto slice = stored.find("slice"); slice != stored.end() && slice->is_number_integer())
        view.slice = SliceId(slice->get<std::int64_t>());
    if (const auto tracks = stored.find("tracks"); tracks != stored.end() && tracks->is_array())
        for (const json &key : *tracks)
            if (key.is_string())
                view.tracks.push_back(key.get<std::string>());
    if (const auto top = stored.find("top_track"); top != stored.end() && top->is_string())
        view.topTrack = top->get<std::string>();
    if (const auto below = stored.find("below"); below != stored.end() && below->is_number())
        view.below = std::abs(below->get<double>()) < 1e6 ? below->get<double>() : 0;
    return view;
}

}  // namespace

std::string savedViewsToText(const SavedViews &views) {
    json all = json::object();
    for (const auto &[digit, view] : views)
        all[std::to_string(digit)] = {{"visible", {view.visible.begin, view.visible.end}},
                                      {"slice", view.slice.value},
                                      {"selected", {view.selected.begin, view.selected.end}},
                                      {"tracks", view.tracks},
                                      {"top_track", view.topTrack},
                                      {"below", view.below}};
    return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

SavedViews savedViewsFromText(const std::string &text) {
    SavedViews views;
    const json all = json::parse(text, nullptr, false);
    if (!all.is_object())
        return views;
    for (int digit = 1; digit <= kDigits; ++digit)
        if (const auto stored = all.find(std::to_string(digit)); stored != all.end())
            if (auto view = viewOf(*stored))
                views.emplace(digit, std::move(*view));
    return views;
}

}  // namespace wattproof::widgets
