// The activity of a session's workspace: read once off the interface's thread, shared by the panes that show it.
#pragma once

#include "widgets/occupancy/activity.h"
#include "widgets/session.h"

#include <memory>

#include <QObject>

namespace wattproof::widgets {

class ActivityData : public QObject {
    Q_OBJECT

public:
    [[nodiscard]] static ActivityData *of(Session *);  // the one of a session; made on first use

    [[nodiscard]] const Activity &activity() const { return *activity_; }
    [[nodiscard]] const IdleCauses &causes() const { return *causes_; }
    [[nodiscard]] bool loaded() const { return loaded_; }

signals:
    void changed();

private:
    explicit ActivityData(Session *);
    void askActivity();
    void askCauses();

    Session *session_;
    std::shared_ptr<const Activity> activity_ = std::make_shared<Activity>();
    std::shared_ptr<const IdleCauses> causes_ = std::make_shared<IdleCauses>();
    bool loaded_ = false;
};

}  // namespace wattproof::widgets
