#include "widgets/session.h"

namespace wattproof::widgets {

Session::Session(std::shared_ptr<store::Workspace> workspace, QObject *parent)
    : QObject(parent),
      workspace_(std::move(workspace)),
      bridge_(std::make_shared<store::QueryService>(workspace_)),
      longBridge_(std::make_shared<store::QueryService>(workspace_)),
      edits_(workspace_) {
    connect(&edits_, &EditQueue::applied, this, &Session::notifyDataChanged);
}

void Session::setAnalysis(std::shared_ptr<const analysis::AnalysisResult> analysis) {
    analysis_ = std::move(analysis);
    emit analysisChanged();
}

}  // namespace wattproof::widgets
