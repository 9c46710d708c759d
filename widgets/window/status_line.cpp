#include "widgets/window/status_line.h"

#include "report/report.h"
#include "widgets/panes/words.h"
#include "widgets/plot/axis_choices.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace wattproof::widgets {
namespace {

constexpr int kBarWidth = 120;
constexpr int kSteps = 1000;

QLabel *fieldLabel(QWidget *parent) {
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    return label;
}

}  // namespace

StatusLine::StatusLine(TaskRunner &tasks, QWidget *parent)
    : QWidget(parent),
      tasks_(tasks),
      cursor_(fieldLabel(this)),
      span_(fieldLabel(this)),
      coverage_(fieldLabel(this)),
      task_(fieldLabel(this)),
      bar_(new QProgressBar(this)),
      cancel_(new QToolButton(this)) {
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 0);
    layout->setSpacing(16);
    layout->addWidget(cursor_);
    layout->addWidget(span_);
    layout->addWidget(coverage_);
    layout->addStretch(1);
    layout->addWidget(task_);
    layout->addWidget(bar_);
    layout->addWidget(cancel_);
    bar_->setFixedWidth(kBarWidth);
    bar_->setTextVisible(false);
    cancel_->setText(tr("Cancel"));
    cancel_->setToolTip(tr("Stop this task; what is open stays as it is"));
    connect(cancel_, &QToolButton::clicked, this, [this] { tasks_.cancel(shown_); });
    connect(&tasks, &TaskRunner::changed, this, &StatusLine::showTask);
    showTask();
}

void StatusLine::setSession(Session *session) {
    session_ = session;
    if (session) {
        connect(&session->view(), &TimeView::cursorChanged, this, &StatusLine::showCursor);
        connect(&session->view(), &TimeView::visibleChanged, this, &StatusLine::showSpan);
        connect(session, &Session::analysisChanged, this, &StatusLine::showCoverage);
        connect(AxisChoices::of(session), &AxisChoices::changed, this, &StatusLine::showCursor);
    }
    showCursor();
    showSpan();
    showCoverage();
}

void StatusLine::showCursor() {
    const auto cursor = session_ ? session_->view().cursor() : std::nullopt;
    if (!cursor) {
        cursor_->setText(session_ ? QStringLiteral("–") : QString());
        cursor_->setToolTip(session_ ? tr("Time under the pointer") : QString());
        return;
    }
    cursor_->setText(AxisChoices::of(session_)->inFull(*cursor));
    cursor_->setToolTip(tr("%1 ns after the workspace's origin").arg(*cursor));
}

void StatusLine::showSpan() {
    span_->setText(session_ ? tr("span %1").arg(durationText(session_->view().visible().length())) : QString());
}

void StatusLine::showCoverage() {
    const auto result = session_ ? session_->analysis() : nullptr;
    if (!result || !result->energy.coverage) {
        coverage_->clear();
        return;
    }
    QString text = tr("coverage %1").arg(qs(report::percent(*result->energy.coverage)));
    if (result->energy.longestGapS && *result->energy.longestGapS > 0)
        text += tr(", longest gap %1").arg(qs(report::quantity(*result->energy.longestGapS, "s")));
    coverage_->setText(text);
    coverage_->setToolTip(tr("Share of the log's time that its samples cover; gaps are not integrated"));
}

void StatusLine::showTask() {
    const TaskProgress line = tasks_.current();
    shown_ = line.number;
    const bool busy = line.number != 0;
    for (QWidget *widget : std::initializer_list<QWidget *>{task_, bar_, cancel_})
        widget->setVisible(busy);
    if (!busy) {
        task_->clear();
        return;
    }
    QStringList parts{line.stage.isEmpty() ? line.title : line.stage};
    if (line.fraction)
        parts << QStringLiteral("%1 %").arg(static_cast<int>(*line.fraction * 100));
    if (!line.rate.isEmpty())
        parts << line.rate;
    if (!line.remaining.isEmpty())
        parts << tr("%1 left").arg(line.remaining);
    task_->setText(parts.join(QStringLiteral("  ")));
    bar_->setRange(0, line.fraction ? kSteps : 0);
    bar_->setValue(line.fraction ? static_cast<int>(*line.fraction * kSteps) : 0);
    bar_->setAccessibleName(line.title);
}

QString StatusLine::cursorText() const {
    return cursor_->text();
}

QString StatusLine::taskText() const {
    return task_->text();
}

}  // namespace wattproof::widgets
