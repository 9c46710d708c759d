// The user's edits. Each is one entry of the persistent undo log; undo and redo survive closing. Edits never wait for an
// import: both go through the single writer in short transactions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/result.h"
#include "store/rows.h"

namespace wattproof::store {

struct Alignment {
    SourceId source;
    Ns offset = 0;
    std::int64_t driftPpb = 0;
    Ns anchor = 0;                  // source time
    std::string method;             // "none", "wall-clock", "correlation", "manual"
    double confidence = 0;          // probability that the offset is right within `uncertainty`
    Ns uncertainty = 0;
    std::string note;               // how it came about: shown, and printed in reports
};

// Survives re-import: source hash, track path and time say where it belongs.
struct Annotation {
    AnnotationId id;
    Ns ts = 0;
    Ns dur = 0;                     // 0 = an instant
    TrackId track;                  // none = the whole timeline
    std::string text;
    std::string author;
    std::string createdAt;          // ISO 8601, UTC
    std::string findingKey;         // the finding it speaks of; empty
    // Filled by annotations(): the name of its track; and where its track was, if that went with its source. The note's
    // time is then the one at which it last stood.
    std::string trackName, lostTrack;
};

// Decision on a finding, by its key (rule + scope): survives re-analysis.
struct FindingDecision {
    std::string findingKey;
    std::string owner;
    std::string rollback;
    std::string status;             // "open", "accepted", "rejected"
    std::string reason;
};

class Edits {
public:
    virtual ~Edits() = default;

    virtual Status setAlignment(const Alignment &) = 0;
    virtual Expected<std::vector<Alignment>> alignments() = 0;       // one for each source
    virtual Expected<AnnotationId> addAnnotation(const Annotation &) = 0;
    virtual Status changeAnnotation(const Annotation &) = 0;
    virtual Status removeAnnotation(AnnotationId) = 0;
    virtual Expected<std::vector<Annotation>> annotations() = 0;     // ordered by ts
    virtual Status setDecision(const FindingDecision &) = 0;
    virtual Expected<std::vector<FindingDecision>> decisions() = 0;
    virtual Status setScenario(const std::string &json) = 0;         // the scenario document (DESIGN: Documents)
    virtual Expected<std::string> scenario() = 0;                    // "{}" when none is set
    virtual Status setDeviceAlias(SourceId, const std::string &nativeId, DeviceId) = 0;
    // View state (the arrangement of tracks, saved views). Set: stored, not undoable. Changed: an edit like any other,
    // with the phrase that names it.
    virtual Status setViewState(const std::string &key, const std::string &value) = 0;
    virtual Status changeViewState(const std::string &key, const std::string &value, const std::string &phrase) = 0;
    virtual Expected<std::optional<std::string>> viewState(const std::string &key) = 0;
    virtual Expected<std::map<std::string, std::string>> viewStates() = 0;   // all, by key

    // What undo() would undo, as a phrase ("align power.csv by +1.25 s"); empty when there is nothing.
    virtual std::string undoText() = 0;
    virtual std::string redoText() = 0;
    virtual Status undo() = 0;
    virtual Status redo() = 0;
};

}  // namespace wattproof::store
