// CPU profiles that V8 writes among the events: a beginning (`Profile`) and pieces with nodes, samples and times
// (`ProfileChunk`), of any order and thread, joined by process and id. Each becomes nested slices on a track
// beside the thread that began it.
#pragma once

#include "importers/chrome/places.h"
#include "importers/cpuprofile/cpu_profile.h"
#include "store/task.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wattproof::importers::chrome {

class CpuProfiles {
public:
    CpuProfiles(store::BulkWriter &writer, SourceId source, TraceBuilder &builder, Places &places)
        : writer_(writer), source_(source), builder_(builder), places_(places) {}

    // False when the event is no part of such a profile.
    [[nodiscard]] bool take(const Event &, Ns ts);
    // After the names of threads are known, before the builder finishes.
    [[nodiscard]] Status finish(const Task &);

private:
    struct Piece {
        Ns ts = 0;
        std::uint64_t offset = 0;
        std::vector<std::int64_t> nodes;
        std::vector<Ns> deltas;
    };
    struct Profile {
        cpuprofile::CpuProfile calls;
        const Thread *thread = nullptr;  // of the beginning, else of the first piece
        std::optional<Ns> start;
        Ns end = 0;
        std::vector<Piece> pieces;
    };

    [[nodiscard]] Profile &profileOf(const Event &);
    void readTree(Profile &, const RawValue &nodes, std::uint64_t offset);
    void addPiece(Profile &, Piece);
    [[nodiscard]] Ns startOf(const Profile &);
    [[nodiscard]] Status unroll(Profile &, const Task &);
    [[nodiscard]] TrackId trackOf(const Thread &);

    store::BulkWriter &writer_;
    SourceId source_;
    TraceBuilder &builder_;
    Places &places_;
    std::map<std::string, Profile> profiles_;
    std::size_t samples_ = 0;
    std::string scratch_;
};

}  // namespace wattproof::importers::chrome
