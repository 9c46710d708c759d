// One open workspace as the window's panes see it: the file, the query service on it and the shared view.
#pragma once

#include <memory>

#include <QObject>

#include "analysis/result.h"
#include "store/query_service.h"
#include "store/workspace.h"
#include "widgets/edit_queue.h"
#include "widgets/query_bridge.h"
#include "widgets/time_view.h"

namespace wattproof::widgets {

class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(std::shared_ptr<store::Workspace> workspace, QObject *parent = nullptr);

    [[nodiscard]] store::Workspace &workspace() { return *workspace_; }
    [[nodiscard]] std::shared_ptr<store::Workspace> sharedWorkspace() { return workspace_; }
    [[nodiscard]] QueryBridge &queries() { return bridge_; }
    // What may take long: the user's SQL, orders of millions. On threads of its own, so that no pane waits for it.
    [[nodiscard]] QueryBridge &longQueries() { return longBridge_; }
    [[nodiscard]] TimeView &view() { return view_; }
    [[nodiscard]] EditQueue &edits() { return edits_; }
    // The last analysis; null until there is one.
    [[nodiscard]] std::shared_ptr<const analysis::AnalysisResult> analysis() const { return analysis_; }
    void setAnalysis(std::shared_ptr<const analysis::AnalysisResult>);
    // To be called after each import, edit, undo or analysis: panes ask again.
    void notifyDataChanged() { emit dataChanged(); }

signals:
    void dataChanged();
    void analysisChanged();

private:
    std::shared_ptr<store::Workspace> workspace_;
    std::shared_ptr<const analysis::AnalysisResult> analysis_;
    QueryBridge bridge_;
    QueryBridge longBridge_;
    EditQueue edits_;
    TimeView view_;
};

}  // namespace wattproof::widgets
