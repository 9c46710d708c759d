// The foot of the window: the cursor's time, the visible span, how well power covers the run, and the running
// task.
#pragma once

#include "widgets/session.h"
#include "widgets/window/task_runner.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace wattproof::widgets {

class StatusLine : public QWidget {
    Q_OBJECT

public:
    explicit StatusLine(TaskRunner &tasks, QWidget *parent = nullptr);

    void setSession(Session *);  // null: none
    [[nodiscard]] QString cursorText() const;
    [[nodiscard]] QString taskText() const;

private:
    void showCursor();
    void showSpan();
    void showCoverage();
    void showTask();

    TaskRunner &tasks_;
    Session *session_ = nullptr;
    TaskNumber shown_ = 0;
    QLabel *cursor_;
    QLabel *span_;
    QLabel *coverage_;
    QLabel *task_;
    QProgressBar *bar_;
    QToolButton *cancel_;
};

}  // namespace wattproof::widgets
