#include "importers/chrome/dialects/recogniser.h"

namespace wattproof::importers::chrome {
namespace {

// Names of events tell who wrote them early or not at all.
constexpr std::size_t kNamesLookedAt = 4096;

}  // namespace

Recogniser::Recogniser() {
    // Of two that are equally sure the first holds.
    for (const auto make : {&makeGeneric, &makeKineto, &makeJax, &makeTensorFlow, &makeRocprof, &makeDevTools,
                            &makeChromeTracing, &makeNode, &makeClang, &makeBazel, &makeNinja, &makeVizTracer})
        dialects_.push_back(make());
    current_ = dialects_.front().get();
}

void Recogniser::note(ClueKind kind, std::string_view text, std::string_view key) {
    for (const auto &dialect : dialects_) {
        dialect->note({kind, text, key});
        if (dialect->points() > current_->points())
            current_ = dialect.get();
    }
}

void Recogniser::noteOnce(ClueKind kind, StringId id, std::string_view text) {
    if (!id.valid() || (kind == ClueKind::EventName && names_ == kNamesLookedAt))
        return;
    std::vector<bool> &met = met_[kind == ClueKind::EventName ? 1 : 0];
    const auto index = static_cast<std::size_t>(id.value);
    if (index >= met.size())
        met.resize(index + 256);
    if (met[index])
        return;
    met[index] = true;
    names_ += kind == ClueKind::EventName ? 1 : 0;
    note(kind, text);
}

}  // namespace wattproof::importers::chrome
