#include "widgets/occupancy/activity_data.h"

namespace wattproof::widgets {

ActivityData *ActivityData::of(Session *session) {
    if (auto *existing = session->findChild<ActivityData *>(QString(), Qt::FindDirectChildrenOnly))
        return existing;
    return new ActivityData(session);
}

ActivityData::ActivityData(Session *session) : QObject(session), session_(session) {
    connect(session, &Session::dataChanged, this, &ActivityData::askActivity);
    connect(session, &Session::dataChanged, this, &ActivityData::askCauses);
    connect(session, &Session::analysisChanged, this, &ActivityData::askCauses);
    askActivity();
    askCauses();
}

void ActivityData::askActivity() {
    session_->queries().ask(
        this, "occupancy/activity",
        [](store::Reader &reader, std::stop_token stop) {
            const auto table = reader.kernels(stop);
            return std::make_shared<const Activity>(table ? buildActivity(*table, stop) : Activity());
        },
        [this](std::shared_ptr<const Activity> activity) {
            activity_ = std::move(activity);
            loaded_ = true;
            emit changed();
        });
}

void ActivityData::askCauses() {
    session_->queries().ask(
        this, "occupancy/causes",
        [workspace = session_->sharedWorkspace()](store::Reader &, std::stop_token) {
            const auto states = workspace->analysisStore().deviceStates();
            return std::make_shared<const IdleCauses>(states ? idleCauses(*states) : IdleCauses());
        },
        [this](std::shared_ptr<const IdleCauses> causes) {
            causes_ = std::move(causes);
            emit changed();
        });
}

}  // namespace wattproof::widgets
