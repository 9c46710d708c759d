#include "widgets/panes/alignment_window.h"

#include "report/report.h"
#include "widgets/panes/alignment_curve.h"
#include "widgets/panes/alignment_plot.h"
#include "widgets/panes/words.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace wattproof::widgets {

AlignmentWindow::AlignmentWindow(Session *session, const AlignableSource &source, const draw::Theme &theme,
                                 QWidget *parent)
    : QDialog(parent),
      session_(session),
      source_(source),
      plot_(new AlignmentPlot(theme, this)),
      curve_(new AlignmentCurve(theme, this)),
      score_(new QLabel(this)),
      verdict_(new QLabel(tr("Comparing load and power…"), this)),
      applied_(source.alignment.offset) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Align %1").arg(qs(source.name)));
    build();
    connect(plot_, &AlignmentPlot::offsetMoved, this, [this](qint64) { score(); });
    connect(curve_, &AlignmentCurve::offsetClicked, this, &AlignmentWindow::tryOffset);
    connect(&session->edits(), &EditQueue::changed, this, &AlignmentWindow::showState);
    connect(&session->edits(), &EditQueue::applied, this, &AlignmentWindow::readApplied);
    session->queries().ask(
        this, "alignment/fit",
        [row = source.source](store::Reader &reader, const std::stop_token &stop) {
            return readFit(reader, row, stop);
        },
        [this](Expected<std::shared_ptr<const AlignmentFit>> &&fit) {
            if (fit)
                take(std::move(*fit));
            else
                verdict_->setText(qs(fit.error().sentence()));
        });
    showState();
}

void AlignmentWindow::build() {
    verdict_->setWordWrap(true);
    curve_->setMinimumHeight(110);
    auto *buttons = new QHBoxLayout;
    connect(addButton(QStringLiteral("best"), tr("Best fit")), &QPushButton::clicked, this, [this] {
        if (fit_ && fit_->proposal.peak)
            tryOffset(fit_->proposal.peak->offset);
    });
    connect(addButton(QStringLiteral("reset"), tr("Reset")), &QPushButton::clicked, this,
            [this] { tryOffset(applied_); });
    connect(addButton(QStringLiteral("undo"), tr("Undo")), &QPushButton::clicked, this,
            [this] { session_->edits().undo(); });
    connect(addButton(QStringLiteral("apply"), tr("Apply")), &QPushButton::clicked, this, &AlignmentWindow::apply);
    buttons->addWidget(score_, 1);
    for (const char *name : {"best", "reset", "undo", "apply"})
        buttons->addWidget(button(QString::fromLatin1(name)));
    auto *hint =
        new QLabel(tr("Drag the power or use ← and →, with Shift in coarse steps; the wheel zooms."), this);
    hint->setForegroundRole(QPalette::PlaceholderText);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(hint);
    layout->addWidget(plot_, 3);
    layout->addWidget(verdict_);
    layout->addWidget(curve_, 1);
    layout->addLayout(buttons);
    plot_->setFocus();
}

QPushButton *AlignmentWindow::addButton(const QString &name, const QString &text) {
    auto *made = new QPushButton(text, this);
    made->setObjectName(name);
    made->setAutoDefault(false);
    return made;
}

QPushButton *AlignmentWindow::button(const QString &name) const {
    return findChild<QPushButton *>(name);
}

void AlignmentWindow::take(std::shared_ptr<const AlignmentFit> fit) {
    fit_ = std::move(fit);
    plot_->setFit(fit_, applied_);
    const analysis::AlignmentProposal &proposal = fit_->proposal;
    curve_->setProposal(proposal);
    if (fit_->load.empty())
        verdict_->setText(tr("Neither device operations nor a marked load to compare with: add the trace of the same run."));
    else if (!proposal.alignment)
        verdict_->setText(tr("No automatic answer: %1").arg(qs(proposal.refusal)));
    else if (proposal.peak) {
        QString text = tr("Best fit at %1 (correlation %2)")
                           .arg(offsetText(proposal.peak->offset))
                           .arg(proposal.peak->correlation, 0, 'f', 3);
        if (proposal.secondPeak)
            text += tr(", second at %1 (%2)")
                        .arg(offsetText(proposal.secondPeak->offset))
                        .arg(proposal.secondPeak->correlation, 0, 'f', 3);
        verdict_->setText(text + tr(", ± %1, confidence %2")
                                     .arg(durationText(proposal.alignment->uncertainty),
                                          qs(report::percent(proposal.alignment->confidence))));
    }
    showState();
    score();
}

void AlignmentWindow::tryOffset(Ns offset) {
    plot_->setOffset(offset);
    score();
}

void AlignmentWindow::score() {
    const Ns offset = plot_->offset();
    curve_->setOffset(offset);
    showState();
    if (!fit_)
        return;
    session_->queries().ask(
        this, "alignment/window-score",
        [probe = fit_->probe, offset](store::Reader &, const std::stop_token &) { return probe->score(offset); },
        [this, offset](std::optional<double> &&value) {
            score_->setText(value ? tr("Correlation %1 at %2").arg(*value, 0, 'f', 3).arg(offsetText(offset))
                                  : tr("Correlation – at %1").arg(offsetText(offset)));
        });
}

void AlignmentWindow::apply() {
    store::Alignment alignment;
    alignment.source = source_.source.id;
    alignment.offset = applied_ = plot_->offset();
    alignment.method = "manual";
    alignment.note = tr("set by hand").toStdString();
    session_->edits().setAlignment(alignment);
    showState();
}

// Undo and redo move the log too, and the curve with it.
void AlignmentWindow::readApplied() {
    session_->edits().ask(
        this, [](store::Edits &edits) { return edits.alignments(); },
        [this](Expected<std::vector<store::Alignment>> &&alignments) {
            if (!alignments)
                return;
            for (const store::Alignment &alignment : *alignments) {
                if (alignment.source != source_.source.id || alignment.offset == applied_)
                    continue;
                applied_ = alignment.offset;
                tryOffset(applied_);
            }
        });
}

void AlignmentWindow::showState() {
    const bool writable = session_->workspace().writable();
    const bool moved = fit_ && plot_->offset() != applied_;
    button(QStringLiteral("apply"))->setEnabled(writable && moved);
    button(QStringLiteral("reset"))->setEnabled(moved);
    button(QStringLiteral("best"))->setEnabled(fit_ && fit_->proposal.peak.has_value());
    button(QStringLiteral("undo"))->setEnabled(writable && !session_->edits().undoText().isEmpty());
    button(QStringLiteral("undo"))->setToolTip(session_->edits().undoText());
}

QString AlignmentWindow::scoreText() const {
    return score_->text();
}

QString AlignmentWindow::verdict() const {
    return verdict_->text();
}

}  // namespace wattproof::widgets
