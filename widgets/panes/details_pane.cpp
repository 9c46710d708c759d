#include "widgets/panes/details_pane.h"

#include "report/report.h"
#include "widgets/panes/empty_hint.h"
#include "widgets/panes/words.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

enum ItemRole { SliceRole = Qt::UserRole, BeginRole, EndRole };

QString emptyDetails() {
    return DetailsPane::tr("Click a slice in the timeline to see its times, arguments, launch and energy.");
}

QTreeWidgetItem *addRow(QTreeWidgetItem *group, const QString &name, const QString &value,
                        const QString &hint = {}) {
    auto *row = new QTreeWidgetItem(group, {name, value});
    row->setToolTip(1, hint.isEmpty() ? value : hint);
    return row;
}

void addDimensions(QTreeWidgetItem *group, const QString &name,
                   const std::optional<std::array<std::int64_t, 3>> &size) {
    if (size)
        addRow(group, name, QStringLiteral("%1 × %2 × %3").arg((*size)[0]).arg((*size)[1]).arg((*size)[2]));
}

QString stateText(const SliceRow &slice) {
    if (slice.state == SliceState::Unfinished)
        return DetailsPane::tr("unfinished: runs to the end of the trace");
    if (slice.state == SliceState::UnmatchedEnd)
        return DetailsPane::tr("an end without a begin");
    return {};
}

// "Input Dims[0].x" -> "Input Dims", "[0]", "x": the levels of the tree.
QStringList levelsOf(const std::string &key) {
    QStringList levels;
    QString level;
    for (const QChar c : qs(key)) {
        if (c == QLatin1Char('.') || c == QLatin1Char('[')) {
            if (!level.isEmpty())
                levels << level;
            level.clear();
        }
        if (c != QLatin1Char('.'))
            level += c;
    }
    if (!level.isEmpty() || levels.isEmpty())
        levels << level;
    return levels;
}

QTreeWidgetItem *childNamed(QTreeWidgetItem *parent, const QString &name) {
    // Arguments arrive in order, so a level that exists already is the last child.
    const int count = parent->childCount();
    if (count > 0 && parent->child(count - 1)->text(0) == name)
        return parent->child(count - 1);
    return new QTreeWidgetItem(parent, {name, QString()});
}

}  // namespace

DetailsPane::DetailsPane(Session *session, QWidget *parent)
    : QWidget(parent),
      session_(session),
      pages_(new QStackedWidget(this)),
      hint_(new EmptyHint(emptyDetails(), {}, this)),
      tree_(new QTreeWidget(this)) {
    tree_->setColumnCount(2);
    tree_->setHeaderLabels({tr("Property"), tr("Value")});
    tree_->setAccessibleName(tr("Details of the selected slice"));
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setUniformRowHeights(true);
    tree_->setIndentation(14);
    tree_->header()->setStretchLastSection(true);
    tree_->header()->resizeSection(0, 130);
    auto *copy = new QAction(tr("Copy value"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    tree_->addAction(copy);
    tree_->setContextMenuPolicy(Qt::ActionsContextMenu);
    pages_->addWidget(hint_);
    pages_->addWidget(tree_);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(pages_);
    connect(copy, &QAction::triggered, this, &DetailsPane::copyCurrent);
    connect(tree_, &QTreeWidget::itemActivated, this, &DetailsPane::follow);
    connect(&session->view(), &TimeView::selectionChanged, this, &DetailsPane::ask);
    connect(session, &Session::dataChanged, this, &DetailsPane::ask);
    connect(session, &Session::analysisChanged, this, &DetailsPane::ask);
}

void DetailsPane::ask() {
    const Selection selection = session_->view().selection();
    if (!selection.isSlice()) {
        hint_->setText(emptyDetails());
        pages_->setCurrentIndex(0);
        return;
    }
    session_->queries().ask(
        this, "details",
        [id = selection.slice](store::Reader &reader, const std::stop_token &stop) {
            return readSliceStory(reader, id, stop);
        },
        [this, id = selection.slice](Expected<SliceStory> &&story) {
            if (session_->view().selection().slice != id)
                return;
            if (story) {
                show(*story);
                return;
            }
            hint_->setText(qs(story.error().sentence()));
            pages_->setCurrentIndex(0);
        });
}

void DetailsPane::show(const SliceStory &story) {
    tree_->clear();
    addGeneral(story);
    addEnergy(story);
    addOperation(story);
    addArguments(story.details.arguments);
    addRelated(tr("Launched"), story.launched, story.details.launchedCount);
    addRelated(tr("Inside of"), story.ancestors, static_cast<std::int64_t>(story.details.ancestors.size()));
    addRelated(tr("Flows in"), story.flowsIn, static_cast<std::int64_t>(story.details.flowsIn.size()));
    addRelated(tr("Flows out"), story.flowsOut, static_cast<std::int64_t>(story.details.flowsOut.size()));
    pages_->setCurrentIndex(1);
}

QTreeWidgetItem *DetailsPane::addGroup(const QString &title) {
    auto *group = new QTreeWidgetItem(tree_, {title});
    QFont font = group->font(0);
    font.setWeight(QFont::DemiBold);
    group->setFont(0, font);
    group->setFirstColumnSpanned(true);
    group->setExpanded(true);
    return group;
}

void DetailsPane::addGeneral(const SliceStory &story) {
    const store::SliceDetails &details = story.details;
    QTreeWidgetItem *group = addGroup(tr("Slice"));
    addRow(group, tr("Name"), qs(details.name));
    if (!details.category.empty())
        addRow(group, tr("Category"), qs(details.category));
    addRow(group, tr("Track"), qs(details.trackName));
    addRow(group, tr("Start"), timeText(details.slice.ts),
           tr("%1 ns after the workspace's origin").arg(details.slice.ts));
    const bool wall = story.source.clock == ClockBasis::Epoch || story.source.clock == ClockBasis::WallAssumedZone;
    addRow(group, tr("Wall time"), wall ? utcText(story.statedStart) : QStringLiteral("–"),
           wall ? tr("As the trace states it: %1 ns").arg(story.statedStart) : tr("The trace has no wall time"));
    if (details.slice.kind == SliceKind::Slice)
        addRow(group, tr("Duration"), durationText(details.slice.dur), tr("%1 ns").arg(details.slice.dur));
    if (const QString state = stateText(details.slice); !state.isEmpty())
        addRow(group, tr("State"), state);
}

void DetailsPane::addEnergy(const SliceStory &story) {
    QTreeWidgetItem *group = addGroup(tr("Energy"));
    const store::SliceDetails &details = story.details;
    if (!details.joules) {
        addRow(group, tr("Energy"), QStringLiteral("–"),
               details.gpuOp ? tr("Unknown: there is no power log of this device at this time, or no analysis yet")
                             : tr("Energy is given to operations on devices; this slice ran on a host thread"));
        return;
    }
    const analysis::Interval interval{details.joulesLow.value_or(*details.joules),
                                      details.joulesHigh.value_or(*details.joules)};
    addRow(group, tr("Energy"), qs(report::intervalText(*details.joules, interval, "J")),
           tr("%1 J [%2, %3]").arg(exactText(*details.joules), exactText(interval.low), exactText(interval.high)));
}

void DetailsPane::addOperation(const SliceStory &story) {
    if (!story.details.gpuOp)
        return;
    const GpuOpRow &operation = *story.details.gpuOp;
    QTreeWidgetItem *group = addGroup(tr("Device operation"));
    addRow(group, tr("Device"), tr("%1, stream %2").arg(qs(story.device), qs(operation.stream)));
    if (!story.details.opClass.empty())
        addRow(group, tr("Class"),
               qs(story.details.opClass + (story.details.precision.empty() ? "" : "/" + story.details.precision)));
    addDimensions(group, tr("Grid"), operation.grid);
    addDimensions(group, tr("Block"), operation.block);
    if (operation.occupancy)
        addRow(group, tr("Occupancy"), qs(report::percent(*operation.occupancy)),
               tr("An estimate from the launch configuration"));
    if (operation.bytes)
        addRow(group, tr("Bytes"), qs(report::quantity(static_cast<double>(*operation.bytes), "B")),
               tr("%1 B").arg(*operation.bytes));
    if (story.launch) {
        QTreeWidgetItem *row = addRow(group, tr("Launched by"), qs(story.launch->name));
        row->setData(0, SliceRole, QVariant::fromValue<qlonglong>(story.launch->slice.value));
        row->setData(0, BeginRole, QVariant::fromValue<qlonglong>(story.launch->range.begin));
        row->setData(0, EndRole, QVariant::fromValue<qlonglong>(story.launch->range.end));
        addRow(group, tr("Queue delay"), durationText(*story.launch->delay),
               tr("%1 ns from the begin of the launch to the start on the device").arg(*story.launch->delay));
    } else {
        addRow(group, tr("Launched by"), QStringLiteral("–"),
               tr("The trace links no host call to this operation"));
    }
}

void DetailsPane::addArguments(const std::vector<store::Argument> &arguments) {
    if (arguments.empty())
        return;
    QTreeWidgetItem *group = addGroup(tr("Arguments"));
    for (const store::Argument &argument : arguments) {
        QTreeWidgetItem *item = group;
        for (const QString &level : levelsOf(argument.key))
            item = childNamed(item, level);
        item->setText(1, argument.type == "null" ? tr("null") : qs(argument.value));
        item->setToolTip(1, item->text(1));
    }
}

void DetailsPane::addRelated(const QString &title, const std::vector<RelatedSlice> &slices, std::int64_t total) {
    if (slices.empty())
        return;
    QTreeWidgetItem *group = addGroup(total > 1 ? tr("%1 (%2)").arg(title).arg(total) : title);
    for (const RelatedSlice &slice : slices) {
        const QString value =
            slice.delay
                ? tr("%1, starts after %2").arg(durationText(slice.range.length()), durationText(*slice.delay))
                : durationText(slice.range.length());
        QTreeWidgetItem *row = addRow(group, qs(slice.name), value, tr("Double-click or Enter goes there"));
        row->setToolTip(0, qs(slice.name));
        row->setData(0, SliceRole, QVariant::fromValue<qlonglong>(slice.slice.value));
        row->setData(0, BeginRole, QVariant::fromValue<qlonglong>(slice.range.begin));
        row->setData(0, EndRole, QVariant::fromValue<qlonglong>(slice.range.end));
    }
}

void DetailsPane::follow(const QTreeWidgetItem *item) {
    const SliceId slice(item->data(0, SliceRole).toLongLong());
    if (!slice.valid())
        return;
    Selection selection;
    selection.slice = slice;
    selection.range = {item->data(0, BeginRole).toLongLong(), item->data(0, EndRole).toLongLong()};
    session_->view().select(selection);
    if (!session_->view().visible().overlaps(selection.range))
        session_->view().fit(selection.range, 2.0);
}

void DetailsPane::copyCurrent() const {
    if (const QTreeWidgetItem *item = tree_->currentItem())
        QGuiApplication::clipboard()->setText(item->text(1).isEmpty() ? item->text(0) : item->text(1));
}

}  // namespace wattproof::widgets
