#include "widgets/panes/slice_story.h"

#include <algorithm>

namespace wattproof::widgets {
namespace {

// Nobody reads more rows of one kind; the total stands beside them.
constexpr std::size_t kMostRelated = 50;

Expected<RelatedSlice> related(store::Reader &reader, SliceId id) {
    auto details = reader.slice(id);
    if (!details)
        return passOn(details);
    const SliceRow &row = details->slice;
    return RelatedSlice{id, {row.ts, row.ts + row.dur}, details->name, std::nullopt};
}

Expected<std::vector<RelatedSlice>> relatedAll(store::Reader &reader, const std::vector<SliceId> &ids,
                                               const std::stop_token &stop) {
    std::vector<RelatedSlice> all;
    for (std::size_t i = 0; i < std::min(ids.size(), kMostRelated); ++i) {
        if (stop.stop_requested())
            return cancelled();
        auto one = related(reader, ids[i]);
        if (!one)
            return passOn(one);
        all.push_back(std::move(*one));
    }
    return all;
}

Status readRelations(store::Reader &reader, SliceStory &story, const std::stop_token &stop) {
    const store::SliceDetails &details = story.details;
    const std::pair<const std::vector<SliceId> *, std::vector<RelatedSlice> *> lists[] = {
        {&details.ancestors, &story.ancestors},
        {&details.launched, &story.launched},
        {&details.flowsIn, &story.flowsIn},
        {&details.flowsOut, &story.flowsOut}};
    for (const auto &[ids, target] : lists) {
        auto all = relatedAll(reader, *ids, stop);
        if (!all)
            return passOn(all);
        *target = std::move(*all);
    }
    for (RelatedSlice &operation : story.launched)
        operation.delay = operation.range.begin - details.slice.ts;
    return {};
}

Status readLaunch(store::Reader &reader, SliceStory &story) {
    const auto &operation = story.details.gpuOp;
    if (!operation)
        return {};
    if (auto devices = reader.devices())
        for (const DeviceRow &device : *devices)
            if (device.id == operation->device)
                story.device = device.name;
    if (!operation->launch.valid())
        return {};
    auto launch = related(reader, operation->launch);
    if (!launch)
        return passOn(launch);
    launch->delay = story.details.slice.ts - launch->range.begin;
    story.launch = std::move(*launch);
    return {};
}

Status readSource(store::Reader &reader, SliceStory &story) {
    auto sources = reader.sources();
    if (!sources)
        return passOn(sources);
    for (const SourceRow &source : *sources)
        if (source.id == story.details.source)
            story.source = source;
    story.statedStart = story.source.statedBase + story.source.map.toSource(story.details.slice.ts);
    return {};
}

}  // namespace

Expected<SliceStory> readSliceStory(store::Reader &reader, SliceId id, const std::stop_token &stop) {
    auto details = reader.slice(id);
    if (!details)
        return passOn(details);
    SliceStory story;
    story.details = std::move(*details);
    if (auto read = readRelations(reader, story, stop); !read)
        return passOn(read);
    if (auto read = readLaunch(reader, story); !read)
        return passOn(read);
    if (auto read = readSource(reader, story); !read)
        return passOn(read);
    return story;
}

}  // namespace wattproof::widgets
