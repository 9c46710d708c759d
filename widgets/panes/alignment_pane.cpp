#include "widgets/panes/alignment_pane.h"

#include "widgets/panes/alignment_curve.h"
#include "widgets/panes/alignment_window.h"
#include "widgets/panes/empty_hint.h"
#include "widgets/panes/table_view.h"
#include "widgets/panes/words.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace wattproof::widgets {

AlignmentPane::AlignmentPane(Session *session, const draw::Theme &theme, QWidget *parent)
    : QWidget(parent),
      session_(session),
      model_(new AlignmentModel(this)),
      table_(new TableView(this)),
      pages_(new QStackedWidget(this)),
      offset_(new QLineEdit(this)),
      apply_(new QPushButton(tr("Apply"), this)),
      automatic_(new QPushButton(tr("Auto"), this)),
      drag_(new QToolButton(this)),
      open_(new QPushButton(tr("Open tool…"), this)),
      score_(new QLabel(this)),
      refusal_(new QLabel(this)),
      curve_(new AlignmentCurve(theme, this)),
      theme_(&theme) {
    build();
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &AlignmentPane::choose);
    connect(offset_, &QLineEdit::returnPressed, this, &AlignmentPane::applyTyped);
    connect(offset_, &QLineEdit::textEdited, this, [this](const QString &text) {
        if (const auto offset = parseOffset(text))
            score(*offset);
    });
    connect(apply_, &QPushButton::clicked, this, &AlignmentPane::applyTyped);
    connect(automatic_, &QPushButton::clicked, this, [this] { emit alignRequested(chosen_); });
    connect(open_, &QPushButton::clicked, this, &AlignmentPane::openWindow);
    connect(drag_, &QToolButton::toggled, this, [this](bool on) { emit dragModeChanged(on, chosen_); });
    connect(curve_, &AlignmentCurve::offsetClicked, this, [this](qint64 offset) {
        offset_->setText(offsetText(offset));
        score(offset);
    });
    connect(session, &Session::dataChanged, this, &AlignmentPane::ask);
    ask();
}

void AlignmentPane::build() {
    table_->setAccessibleName(tr("Alignment of power sources"));
    table_->setSourceModel(model_);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->horizontalHeader()->setStretchLastSection(true);
    offset_->setPlaceholderText(tr("+1.25 s, -300 ms, 1:00:00"));
    offset_->setAccessibleName(tr("Offset"));
    offset_->setMaximumWidth(180);
    drag_->setText(tr("Drag in overlay"));
    drag_->setCheckable(true);
    drag_->setToolTip(tr("While on, dragging in the overlay moves the power curve in time"));
    refusal_->setWordWrap(true);
    refusal_->setForegroundRole(QPalette::PlaceholderText);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    auto *label = new QLabel(tr("&Offset"), this);
    label->setBuddy(offset_);
    for (QWidget *widget : std::initializer_list<QWidget *>{label, offset_, apply_, automatic_, drag_, open_})
        row->addWidget(widget);
    row->addWidget(score_, 1);
    auto *left = new QVBoxLayout;
    left->setSpacing(0);
    left->addWidget(table_, 1);
    left->addLayout(row);
    left->addWidget(refusal_);
    auto *page = new QWidget(this);
    auto *columns = new QHBoxLayout(page);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->addLayout(left, 3);
    columns->addWidget(curve_, 1);
    pages_->addWidget(
        new EmptyHint(tr("A power log that is added to the trace is put on its clock here."), {}, this));
    pages_->addWidget(page);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(pages_);
}

void AlignmentPane::ask() {
    session_->edits().ask(
        this, [](store::Edits &edits) { return edits.alignments(); },
        [this](Expected<std::vector<store::Alignment>> &&alignments) {
            if (!alignments)
                return;
            session_->queries().ask(
                this, "alignment/sources",
                [all = std::move(*alignments)](store::Reader &reader, const std::stop_token &) {
                    return readAlignable(reader, all);
                },
                [this](Expected<std::vector<AlignableSource>> &&sources) {
                    if (sources)
                        show(std::move(*sources));
                });
        });
}

void AlignmentPane::show(std::vector<AlignableSource> sources) {
    const SourceId before = chosen_;
    pages_->setCurrentIndex(sources.empty() ? 0 : 1);
    model_->setRows(std::move(sources));
    const auto &rows = model_->rows();
    const auto kept = std::find_if(rows.begin(), rows.end(),
                                   [before](const AlignableSource &s) { return s.source.id == before; });
    const int row = kept == rows.end() ? 0 : static_cast<int>(kept - rows.begin());
    for (int shown = 0; shown < table_->model()->rowCount(); ++shown)
        if (table_->sourceRow(table_->model()->index(shown, 0)) == row)
            table_->selectRow(shown);
    table_->resizeColumnsToContents();
    choose();
}

const AlignableSource *AlignmentPane::current() const {
    const QModelIndex index = table_->currentIndex();
    if (!index.isValid())
        return nullptr;
    return &model_->rows()[static_cast<std::size_t>(table_->sourceRow(index))];
}

void AlignmentPane::choose() {
    const AlignableSource *entry = current();
    const bool writable = session_->workspace().writable();
    for (QWidget *widget : std::initializer_list<QWidget *>{offset_, apply_, automatic_, drag_})
        widget->setEnabled(entry && writable);
    open_->setEnabled(entry != nullptr);
    if (!entry)
        return;
    chosen_ = entry->source.id;
    if (!offset_->hasFocus() || !offset_->isModified())
        offset_->setText(offsetText(entry->alignment.offset));
    curve_->setOffset(entry->alignment.offset);
    const auto proposal = proposals_.find(chosen_);
    if (proposal != proposals_.end())
        curve_->setProposal(proposal->second);
    else
        curve_->clear();
    const bool refused = proposal != proposals_.end() && !proposal->second.alignment;
    refusal_->setText(refused ? tr("Not aligned automatically: %1").arg(qs(proposal->second.refusal)) : QString());
    refusal_->setVisible(refused);
    askProbe(*entry);
}

void AlignmentPane::askProbe(const AlignableSource &entry) {
    const Ns offset = entry.alignment.offset;
    session_->queries().ask(
        this, "alignment/probe",
        [source = entry.source](store::Reader &reader, const std::stop_token &stop) {
            return readProbe(reader, source, stop);
        },
        [this, offset](Expected<std::shared_ptr<const AlignmentProbe>> &&probe) {
            if (!probe)
                return;
            probe_ = *probe;
            score(offset);
        });
}

void AlignmentPane::score(Ns offset) {
    curve_->setOffset(offset);
    if (!probe_)
        return;
    session_->queries().ask(
        this, "alignment/score",
        [probe = probe_, offset](store::Reader &, const std::stop_token &) { return probe->score(offset); },
        [this, offset](std::optional<double> &&value) {
            score_->setText(value ? tr("Correlation %1 at %2").arg(*value, 0, 'f', 3).arg(offsetText(offset))
                                  : tr("Correlation – (no device operations or marked load to compare with)"));
        });
}

void AlignmentPane::showDragged(SourceId source, Ns delta) {
    for (const AlignableSource &entry : model_->rows())
        if (entry.source.id == source) {
            offset_->setText(offsetText(entry.alignment.offset + delta));
            score(entry.alignment.offset + delta);
        }
}

void AlignmentPane::dropDragged(SourceId source, Ns offset) {
    place(source, offset);
}

void AlignmentPane::applyTyped() {
    const auto offset = parseOffset(offset_->text());
    if (!offset) {
        score_->setText(
            tr("“%1” is not an offset: write it like +1.25 s, -300 ms or 1:00:00").arg(offset_->text()));
        return;
    }
    offset_->setModified(false);
    place(chosen_, *offset);
}

void AlignmentPane::place(SourceId source, Ns offset) {
    store::Alignment alignment;
    alignment.source = source;
    alignment.offset = offset;
    alignment.method = "manual";
    alignment.note = tr("set by hand").toStdString();
    session_->edits().setAlignment(alignment);
}

void AlignmentPane::setProposals(const std::vector<analysis::SourceAlignment> &proposals) {
    for (const analysis::SourceAlignment &source : proposals)
        proposals_[source.source] = source.proposal;
    choose();
}

QString AlignmentPane::scoreText() const {
    return score_->text();
}

AlignmentWindow *AlignmentPane::openWindow() {
    const AlignableSource *entry = current();
    if (!entry)
        return nullptr;
    auto *window = new AlignmentWindow(session_, *entry, *theme_, this);
    window->resize(900, 560);
    window->show();
    return window;
}

void AlignmentPane::setTheme(const draw::Theme &theme) {
    theme_ = &theme;
    curve_->setTheme(theme);
}

}  // namespace wattproof::widgets
