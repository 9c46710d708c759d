#include "widgets/window/session_view.h"

#include "widgets/events/events_pane.h"
#include "widgets/minimap/minimap.h"
#include "widgets/occupancy/occupancy_pane.h"
#include "widgets/overlay/overlay_pane.h"
#include "widgets/panes/alignment_pane.h"
#include "widgets/panes/annotations_pane.h"
#include "widgets/panes/channels_pane.h"
#include "widgets/panes/details_pane.h"
#include "widgets/panes/findings_pane.h"
#include "widgets/panes/report_pane.h"
#include "widgets/panes/selection_pane.h"
#include "widgets/panes/warnings_pane.h"
#include "widgets/sql/sql_pane.h"
#include "widgets/timeline/timeline_pane.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace wattproof::widgets {

SessionView::SessionView(Session *session, Docks &docks, const draw::Theme &theme, QWidget *parent)
    : QWidget(parent),
      session_(session),
      minimap_(new Minimap(session, this)),
      splitter_(new QSplitter(Qt::Vertical, this)),
      timeline_(new TimelinePane(session, this)),
      overlay_(new OverlayPane(session, this)),
      occupancy_(new OccupancyPane(session, this)),
      findings_(new FindingsPane(session, theme)),
      details_(new DetailsPane(session)),
      selection_(new SelectionPane(session)),
      events_(new EventsPane(session)),
      sql_(new SqlPane(session, theme)),
      channels_(new ChannelsPane(session)),
      annotations_(new AnnotationsPane(session)),
      warnings_(new WarningsPane(session)),
      report_(new ReportPane(session)),
      alignment_(new AlignmentPane(session, theme)) {
    for (QWidget *pane : std::initializer_list<QWidget *>{timeline_, overlay_, occupancy_})
        splitter_->addWidget(pane);
    splitter_->setStretchFactor(0, 4);
    splitter_->setStretchFactor(1, 3);
    splitter_->setStretchFactor(2, 2);
    splitter_->setChildrenCollapsible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(minimap_);
    layout->addWidget(splitter_, 1);
    fillDocks(docks);
    connectAlignment();
    setTheme(theme);
}

void SessionView::fillDocks(Docks &docks) {
    docks.put(Place::Findings, findings_);
    docks.put(Place::Details, details_);
    docks.put(Place::Annotations, annotations_);
    docks.put(Place::Selection, selection_);
    docks.put(Place::Events, events_);
    docks.put(Place::Sql, sql_);
    docks.put(Place::Channels, channels_);
    docks.put(Place::Warnings, warnings_);
    docks.put(Place::Report, report_);
    docks.put(Place::Alignment, alignment_);
    connect(overlay_, &OverlayPane::warningsRequested, &docks, [&docks] { docks.raise(Place::Warnings); });
    connect(warnings_, &WarningsPane::countChanged, &docks, [&docks](int count) {
        docks.setTitle(Place::Warnings, count > 0 ? tr("Warnings (%1)").arg(count) : tr("Warnings"));
    });
}

void SessionView::connectAlignment() {
    connect(alignment_, &AlignmentPane::dragModeChanged, overlay_,
            [this](bool on, SourceId source) { overlay_->setAlignmentMode(on, source); });
    connect(overlay_, &OverlayPane::alignmentDragged, alignment_, &AlignmentPane::showDragged);
    connect(overlay_, &OverlayPane::alignmentDropped, alignment_, &AlignmentPane::dropDragged);
}

void SessionView::setTheme(const draw::Theme &theme) {
    minimap_->setTheme(theme);
    timeline_->setTheme(theme);
    overlay_->setTheme(theme);
    occupancy_->setTheme(theme);
    findings_->setTheme(theme);
    sql_->setTheme(theme);
    alignment_->setTheme(theme);
}

void SessionView::setPaneShown(const QString &name, bool shown) {
    QWidget *pane = name == QLatin1String("minimap")   ? static_cast<QWidget *>(minimap_)
                    : name == QLatin1String("overlay") ? static_cast<QWidget *>(overlay_)
                                                       : static_cast<QWidget *>(occupancy_);
    pane->setVisible(shown);
}

QByteArray SessionView::splitterState() const {
    return splitter_->saveState();
}

void SessionView::restoreSplitter(const QByteArray &state) {
    splitter_->restoreState(state);
}

}  // namespace wattproof::widgets
