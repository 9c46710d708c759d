#include "widgets/panes/annotations_pane.h"

#include "widgets/new_note.h"
#include "widgets/panes/empty_hint.h"
#include "widgets/panes/table_view.h"
#include "widgets/panes/words.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

// What a note written now would be about.
TimeRange noteRange(const TimeView &view) {
    if (!view.selection().isEmpty())
        return view.selection().range;
    const Ns at = view.cursor().value_or(view.visible().begin + view.visible().length() / 2);
    return {at, at};
}

}  // namespace

AnnotationsPane::AnnotationsPane(Session *session, QWidget *parent)
    : QWidget(parent),
      session_(session),
      model_(new AnnotationsModel(this)),
      table_(new TableView(this)),
      pages_(new QStackedWidget(this)),
      target_(new QLabel(this)),
      note_(new QLineEdit(this)),
      add_(new QPushButton(tr("Add note"), this)) {
    const bool writable = session->workspace().writable();
    model_->setWritable(writable);
    note_->setEnabled(writable);
    note_->setPlaceholderText(writable ? tr("A note on the selection (N)") : tr("This workspace is read-only"));
    note_->setAccessibleName(tr("New note"));
    add_->setEnabled(false);
    target_->setForegroundRole(QPalette::PlaceholderText);
    target_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    table_->setAccessibleName(tr("Notes"));
    table_->setSourceModel(model_);
    table_->sortByColumn(AnnotationsModel::Time, Qt::AscendingOrder);
    table_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
    table_->horizontalHeader()->setSectionResizeMode(AnnotationsModel::Text, QHeaderView::Stretch);
    auto *remove = new QAction(tr("Delete note"), this);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    table_->addAction(remove);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    pages_->addWidget(new EmptyHint(
        tr("Notes mark what the data cannot say. Select a slice or an area and press N."), {}, this));
    pages_->addWidget(table_);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(note_, 1);
    row->addWidget(add_);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    target_->setContentsMargins(8, 0, 8, 4);
    layout->addWidget(target_);
    layout->addWidget(pages_, 1);
    connect(note_, &QLineEdit::textChanged, this,
            [this](const QString &text) { add_->setEnabled(!text.trimmed().isEmpty()); });
    connect(note_, &QLineEdit::returnPressed, this, &AnnotationsPane::addNote);
    connect(add_, &QPushButton::clicked, this, &AnnotationsPane::addNote);
    connect(remove, &QAction::triggered, this, &AnnotationsPane::removeSelected);
    connect(table_, &QTableView::doubleClicked, this, &AnnotationsPane::jumpTo);
    connect(table_, &QTableView::activated, this, &AnnotationsPane::jumpTo);
    connect(model_, &AnnotationsModel::textEdited, this, [this](const store::Annotation &changed) {
        session_->edits().apply([changed](store::Edits &edits) { return edits.changeAnnotation(changed); });
    });
    connect(&session->view(), &TimeView::selectionChanged, this, &AnnotationsPane::sayTarget);
    connect(session, &Session::dataChanged, this, &AnnotationsPane::ask);
    sayTarget();
    ask();
}

void AnnotationsPane::ask() {
    session_->edits().ask(
        this, [](store::Edits &edits) { return edits.annotations(); },
        [this](Expected<std::vector<store::Annotation>> &&rows) {
            if (!rows)
                return;
            model_->setRows(std::move(*rows));
            pages_->setCurrentIndex(model_->rowCount() > 0 ? 1 : 0);
        });
}

void AnnotationsPane::sayTarget() {
    const Selection &selection = session_->view().selection();
    target_->setText(selection.isEmpty()
                         ? tr("On the cursor's time; select a slice or an area to note on it instead")
                         : tr("On %1").arg(rangeText(selection.range)));
}

void AnnotationsPane::beginNote() {
    sayTarget();
    note_->setFocus(Qt::ShortcutFocusReason);
}

void AnnotationsPane::addNote() {
    const QString text = note_->text().trimmed();
    if (text.isEmpty())
        return;
    const TimeView &view = session_->view();
    const std::vector<TrackId> &tracks = view.selection().tracks;
    widgets::addNote(*session_, {noteRange(view), tracks.size() == 1 ? tracks.front() : TrackId(), text,
                                 view.selection().findingKey});
    note_->clear();
}

void AnnotationsPane::removeSelected() {
    std::vector<AnnotationId> ids;
    for (const QModelIndex &index : table_->selectionModel()->selectedRows())
        ids.push_back(model_->rows()[static_cast<std::size_t>(table_->sourceRow(index))].id);
    for (const AnnotationId id : ids)
        session_->edits().apply([id](store::Edits &edits) { return edits.removeAnnotation(id); });
}

void AnnotationsPane::jumpTo(const QModelIndex &shown) {
    const store::Annotation &note = model_->rows()[static_cast<std::size_t>(table_->sourceRow(shown))];
    Selection selection;
    selection.range = {note.ts, note.ts + note.dur};
    if (note.track.valid())
        selection.tracks = {note.track};
    selection.findingKey = qs(note.findingKey);
    TimeView &view = session_->view();
    if (note.dur > 0) {
        view.select(selection);
        view.fit(selection.range, 0.5);
        return;
    }
    const Ns half = view.visible().length() / 2;
    view.setVisible({note.ts - half, note.ts + half});
    view.setCursor(note.ts);
}

}  // namespace wattproof::widgets
