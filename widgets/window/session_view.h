// All panes on one session: the central ones on their shared axis, the others in the docks. Lives as long as the
// session.
#pragma once

#include "report/draw/theme.h"
#include "widgets/session.h"
#include "widgets/window/docks.h"

#include <QWidget>

class QSplitter;

namespace wattproof::widgets {

class AlignmentPane;
class AnnotationsPane;
class ChannelsPane;
class DetailsPane;
class EventsPane;
class FindingsPane;
class Minimap;
class OccupancyPane;
class OverlayPane;
class ReportPane;
class SelectionPane;
class SqlPane;
class TimelinePane;
class WarningsPane;

class SessionView : public QWidget {
    Q_OBJECT

public:
    SessionView(Session *session, Docks &docks, const draw::Theme &theme, QWidget *parent = nullptr);

    void setTheme(const draw::Theme &);
    void setPaneShown(const QString &name, bool shown);  // "minimap", "overlay", "occupancy"
    [[nodiscard]] QByteArray splitterState() const;
    void restoreSplitter(const QByteArray &);

    [[nodiscard]] TimelinePane *timeline() const { return timeline_; }
    [[nodiscard]] OverlayPane *overlay() const { return overlay_; }
    [[nodiscard]] FindingsPane *findings() const { return findings_; }
    [[nodiscard]] DetailsPane *details() const { return details_; }
    [[nodiscard]] SelectionPane *selection() const { return selection_; }
    [[nodiscard]] EventsPane *events() const { return events_; }
    [[nodiscard]] SqlPane *sql() const { return sql_; }
    [[nodiscard]] ChannelsPane *channels() const { return channels_; }
    [[nodiscard]] AnnotationsPane *annotations() const { return annotations_; }
    [[nodiscard]] WarningsPane *warnings() const { return warnings_; }
    [[nodiscard]] ReportPane *report() const { return report_; }
    [[nodiscard]] AlignmentPane *alignment() const { return alignment_; }

private:
    void fillDocks(Docks &);
    void connectAlignment();

    Session *session_;
    Minimap *minimap_;
    QSplitter *splitter_;
    TimelinePane *timeline_;
    OverlayPane *overlay_;
    OccupancyPane *occupancy_;
    FindingsPane *findings_;
    DetailsPane *details_;
    SelectionPane *selection_;
    EventsPane *events_;
    SqlPane *sql_;
    ChannelsPane *channels_;
    AnnotationsPane *annotations_;
    WarningsPane *warnings_;
    ReportPane *report_;
    AlignmentPane *alignment_;
};

}  // namespace wattproof::widgets
