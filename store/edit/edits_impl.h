// The user's edits on one connection.
#pragma once

#include "store/edit/edit_log.h"
#include "store/edit/write_access.h"
#include "store/edits.h"

namespace wattproof::store {

class EditsImpl : public Edits {
public:
    explicit EditsImpl(WriteAccess &access) : access_(access), log_(*access.database) {}

    Status setAlignment(const Alignment &) override;
    Expected<std::vector<Alignment>> alignments() override;
    Expected<AnnotationId> addAnnotation(const Annotation &) override;
    Status changeAnnotation(const Annotation &) override;
    Status removeAnnotation(AnnotationId) override;
    Expected<std::vector<Annotation>> annotations() override;
    Status setDecision(const FindingDecision &) override;
    Expected<std::vector<FindingDecision>> decisions() override;
    Status setScenario(const std::string &json) override;
    Expected<std::string> scenario() override;
    Status setDeviceAlias(SourceId, const std::string &nativeId, DeviceId) override;
    Status setViewState(const std::string &key, const std::string &value) override;
    Status changeViewState(const std::string &key, const std::string &value, const std::string &phrase) override;
    Expected<std::optional<std::string>> viewState(const std::string &key) override;
    Expected<std::map<std::string, std::string>> viewStates() override;
    std::string undoText() override;
    std::string redoText() override;
    Status undo() override;
    Status redo() override;

private:
    Status record(const std::string &phrase, const std::vector<RowChange> &changes);
    Expected<nlohmann::json> annotationRow(const Annotation &annotation, std::int64_t id) const;
    Status keepLostAnchor(nlohmann::json &row) const;
    Expected<std::optional<std::string>> document(const std::string &key);
    WriteAccess &access_;
    EditLog log_;
};

}  // namespace wattproof::store
