#include "widgets/events/events_pane.h"

#include "widgets/panes/empty_hint.h"
#include "widgets/panes/words.h"
#include "widgets/tables/go_to.h"
#include "widgets/tables/long_table.h"

#include <algorithm>
#include <limits>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

constexpr int kSettleMs = 250;  // while the visible range moves
constexpr std::pair<EventsModel::Column, int> kWidths[] = {
    {EventsModel::Time, 120},  {EventsModel::Duration, 80}, {EventsModel::Name, 320},  {EventsModel::Category, 100},
    {EventsModel::Track, 120}, {EventsModel::Group, 140},   {EventsModel::Depth, 50}, {EventsModel::Joules, 80}};

constexpr double kMargin = 2.0;  // on both sides of a slice that is gone to

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

}  // namespace

EventsPane::EventsPane(Session *session, QWidget *parent)
    : QWidget(parent),
      session_(session),
      bar_(new EventFilterBar(this)),
      status_(new QLabel(this)),
      pages_(new QStackedWidget(this)),
      hint_(new EmptyHint({}, {}, this)),
      model_(new EventsModel(this)),
      table_(new LongTable(this)) {
    status_->setAccessibleName(tr("Number of events"));
    table_->setModel(model_);
    table_->table()->setAccessibleName(tr("Events"));
    table_->showSort(EventsModel::Time, Qt::AscendingOrder);
    for (const auto &[column, width] : kWidths)
        table_->table()->setColumnWidth(column, width);
    pages_->addWidget(table_);
    pages_->addWidget(hint_);
    settle_.setSingleShot(true);
    settle_.setInterval(kSettleMs);
    arrange();
    connectParts();
    takeNames();
}

void EventsPane::arrange() {
    auto *copyButton = new QToolButton(this);
    copyButton->setText(tr("Copy"));
    copyButton->setToolTip(tr("Copy the selected rows, or all, with exact values"));
    connect(copyButton, &QToolButton::clicked, this, &EventsPane::copy);
    auto *line = new QHBoxLayout;
    line->setContentsMargins(8, 4, 8, 4);
    line->setSpacing(8);
    line->addWidget(bar_, 1);
    line->addWidget(status_);
    line->addWidget(copyButton);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(line);
    layout->addWidget(pages_, 1);
}

void EventsPane::connectParts() {
    connect(&settle_, &QTimer::timeout, this, &EventsPane::ask);
    connect(bar_, &EventFilterBar::changed, this, &EventsPane::ask);
    connect(table_, &LongTable::copyRequested, this, &EventsPane::copy);
    connect(table_, &LongTable::sortRequested, this, &EventsPane::sort);
    connect(table_, &LongTable::currentRowChanged, this, &EventsPane::selectRow);
    connect(table_, &LongTable::activated, this, [this] {
        if (session_->view().selection().isSlice())
            session_->view().fit(session_->view().selection().range, kMargin);
    });
    connect(model_, &EventsModel::rowsWanted, this, &EventsPane::askRows);
    connect(&session_->view(), &TimeView::selectionChanged, this, &EventsPane::selectionChanged);
    connect(&session_->view(), &TimeView::visibleChanged, this, [this] {
        if (bar_->scope() == EventScope::Visible)
            settle_.start();
    });
    connect(session_, &Session::dataChanged, this, &EventsPane::askAgain);
    connect(session_, &Session::analysisChanged, this, &EventsPane::askAgain);
    connect(RunData::of(session_), &RunData::changed, this, &EventsPane::takeNames);
}

void EventsPane::begin() {
    bar_->nameField()->setFocus(Qt::ShortcutFocusReason);
    bar_->nameField()->selectAll();
}

void EventsPane::showNamed(const QString &name) {
    bar_->setName(name);
    ask();
}

void EventsPane::takeNames() {
    names_ = std::make_shared<const TrackNames>(RunData::of(session_)->tables());
    model_->setNames(names_);
    ask();
}

EventsPane::Question EventsPane::question() const {
    Question wanted;
    wanted.order = order_;
    store::EventFilter &filter = wanted.filter;
    filter.name = bar_->name().toStdString();
    filter.category = bar_->category().toStdString();
    filter.leastDur = bar_->least();
    filter.mostDur = bar_->most();
    if (!bar_->track().isEmpty())
        filter.tracks = names_->matching(bar_->track());
    if (bar_->scope() == EventScope::Visible)
        filter.range = session_->view().visible();
    if (bar_->scope() != EventScope::Area || !area_)
        return wanted;
    filter.range = area_->range;
    if (!area_->tracks.empty() && !filter.tracks)
        filter.tracks = area_->tracks;
    else if (!area_->tracks.empty())
        std::erase_if(*filter.tracks, [&](TrackId track) {
            return std::find(area_->tracks.begin(), area_->tracks.end(), track) == area_->tracks.end();
        });
    return wanted;
}

void EventsPane::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    ask();
}

void EventsPane::askAgain() {
    if (isVisible() && complete_ && asked_ == question())
        return askAll();
    asked_.reset();
    ask();
}

// Behind another tab nobody waits for millions of ids.
void EventsPane::ask() {
    if (!isVisible())
        return;
    Question wanted = question();
    if (asked_ == wanted)
        return;
    asked_ = std::move(wanted);
    complete_ = false;
    ++turn_;
    clock_.start();
    session_->longQueries().service().cancel("events/all");
    session_->longQueries().ask(
        this, "events/first",
        [filter = asked_->filter, order = asked_->order](store::Reader &reader, const std::stop_token &stop) {
            return reader.events(filter, order, kFirst, stop);
        },
        [this, turn = turn_](Expected<std::vector<SliceId>> &&ids) {
            if (turn == turn_)
                takeFirst(std::move(ids));
        });
}

void EventsPane::takeFirst(Expected<std::vector<SliceId>> &&ids) {
    if (!ids)
        return sayError(ids.error());
    const bool more = static_cast<qint64>(ids->size()) == kFirst;
    model_->setIds(std::make_shared<const std::vector<SliceId>>(std::move(*ids)));
    if (more)
        return askAll();
    complete_ = true;
    say();
    findSelected();
}

void EventsPane::askAll() {
    say();
    const auto read = [filter = asked_->filter, order = asked_->order, shown = complete_ ? model_->ids() : EventIds()](
                          store::Reader &reader, const std::stop_token &stop) -> Expected<Whole> {
        auto ids = reader.events(filter, order, kAll, stop);
        if (!ids)
            return passOn(ids);
        const bool same = shown && *shown == *ids;
        return Whole{same ? shown : std::make_shared<const std::vector<SliceId>>(std::move(*ids)), same};
    };
    session_->longQueries().ask(this, "events/all", read, [this, turn = turn_](Expected<Whole> &&whole) {
        if (turn == turn_)
            takeAll(std::move(whole));
    });
}

void EventsPane::takeAll(Expected<Whole> &&whole) {
    if (!whole)
        return sayError(whole.error());
    if (whole->same)
        model_->refresh();
    else if (complete_)
        model_->setIds(whole->ids);
    else
        model_->growTo(whole->ids);
    complete_ = true;
    say();
    findSelected();
}

void EventsPane::sayError(const Error &error) {
    if (isCancelled(error))
        return;
    hint_->setText(qs(error.sentence()));
    pages_->setCurrentWidget(hint_);
}

void EventsPane::say() {
    const QString count = QLocale().toString(model_->total());
    status_->setText(!complete_             ? tr("counting…")
                     : model_->total() == 1 ? tr("1 event")
                                            : tr("%1 events").arg(count));
    status_->setToolTip(complete_ ? tr("Found in %1").arg(durationText(clock_.nsecsElapsed())) : QString());
    hint_->setText(tr("No event passes this filter."));
    pages_->setCurrentWidget(complete_ && model_->total() == 0 ? static_cast<QWidget *>(hint_) : table_);
}

void EventsPane::askRows(qint64 firstPage, qint64 lastPage) {
    const EventIds &ids = model_->ids();
    const auto begin = static_cast<std::size_t>(firstPage * EventsModel::kPageRows);
    const auto end = std::min(ids->size(), static_cast<std::size_t>((lastPage + 1) * EventsModel::kPageRows));
    const std::vector<SliceId> wanted(ids->begin() + static_cast<std::ptrdiff_t>(begin),
                                      ids->begin() + static_cast<std::ptrdiff_t>(end));
    session_->queries().ask(
        this, "events/rows",
        [wanted](store::Reader &reader, const std::stop_token &stop) { return reader.eventRows(wanted, stop); },
        [this, firstPage, ids](Expected<std::vector<store::EventRow>> &&rows) {
            if (rows && ids == model_->ids())
                model_->setRows(firstPage, std::move(*rows));
        });
}

void EventsPane::sort(int column, Qt::SortOrder order) {
    order_ = {column == EventsModel::Duration ? store::EventKey::Duration : store::EventKey::Time,
              order == Qt::DescendingOrder};
    ask();
}

void EventsPane::selectionChanged() {
    const Selection &selection = session_->view().selection();
    if (selection.isArea())
        area_ = selection;
    else if (selection.isEmpty())
        area_.reset();
    if (bar_->scope() == EventScope::Area)
        ask();
    if (selection.slice == chosen_)
        return;
    chosen_ = {};
    findSelected();
}

// Where the timeline's slice stands among the rows: looked for on another thread, there may be millions.
void EventsPane::findSelected() {
    const SliceId slice = session_->view().selection().slice;
    if (!slice.valid() || !model_->ids())
        return table_->setCurrentRow(-1);
    session_->longQueries().ask(
        this, "events/find",
        [slice, ids = model_->ids()](store::Reader &, const std::stop_token &) {
            const auto found = std::find(ids->begin(), ids->end(), slice);
            return std::pair(ids, found == ids->end() ? qint64{-1} : qint64{found - ids->begin()});
        },
        [this, slice](const std::pair<EventIds, qint64> &found) {
            if (found.first == model_->ids() && slice == session_->view().selection().slice)
                table_->setCurrentRow(found.second);
        });
}

void EventsPane::selectRow(qint64 row) {
    chosen_ = (*model_->ids())[static_cast<std::size_t>(row)];
    goToSlice(*session_, this, "events/go", chosen_, Approach::Pan);
}

void EventsPane::copy() {
    if (model_->total() == 0)
        return;
    const auto range = table_->selectedRows().value_or(std::pair<qint64, qint64>(0, model_->total() - 1));
    const qint64 last = std::min(range.second, range.first + kMostCopied - 1);
    const EventIds &ids = model_->ids();
    const std::vector<SliceId> wanted(ids->begin() + range.first, ids->begin() + last + 1);
    session_->longQueries().ask(
        this, "events/copy",
        [wanted, names = names_](store::Reader &reader, const std::stop_token &stop) -> Expected<QString> {
            auto rows = reader.eventRows(wanted, stop);
            if (!rows)
                return passOn(rows);
            return eventsText(*rows, *names);
        },
        [this, cut = last < range.second](const Expected<QString> &text) {
            if (!text)
                return;
            QGuiApplication::clipboard()->setText(*text);
            if (cut)
                status_->setText(tr("copied the first %1").arg(QLocale().toString(kMostCopied)));
        });
}

QString EventsPane::statusText() const {
    return status_->text();
}

}  // namespace wattproof::widgets
