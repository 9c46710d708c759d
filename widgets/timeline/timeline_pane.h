// The timeline: tracks of all sources on the shared time axis, with names in the gutter.
#pragma once

#include "report/draw/lanes.h"
#include "widgets/plot/picture_cache.h"
#include "widgets/plot/plot_pane.h"
#include "widgets/plot/run_tables.h"
#include "widgets/timeline/selected_slice.h"
#include "widgets/timeline/track_layout.h"

#include <optional>
#include <set>
#include <string>

#include <QTimer>

class QLineEdit;

namespace wattproof::widgets {

// What is under a point of the timeline.
struct TimelineHit {
    int node = -1;  // into the track tree; -1: nothing
    std::int32_t row = 0;
    Ns time = 0;
    std::optional<store::LaneSpan> span;  // the slice or run there
};

class TimelinePane : public PlotPane {
    Q_OBJECT

public:
    explicit TimelinePane(Session *session, QWidget *parent = nullptr);
    ~TimelinePane() override;

    [[nodiscard]] const TrackTree &tree() const { return tree_; }
    [[nodiscard]] const TrackLayout &trackLayout() const { return layout_; }
    [[nodiscard]] TimelineHit hitAt(const QPointF &) const;
    // A row of a track in this widget's coordinates; empty when it is not laid out (collapsed away or filtered
    // out).
    [[nodiscard]] QRectF rowRect(TrackId, std::int32_t row) const;
    [[nodiscard]] bool isCollapsed(int node) const;

    void setCollapsed(int node, bool collapsed);
    void setFilter(const QString &);
    void reveal(TrackId, std::int32_t row);  // opens what hides it and scrolls it into sight
    // The same for any node of the tree, which is then framed for a moment.
    void revealNode(int node);

    [[nodiscard]] QSize sizeHint() const override { return {1000, 420}; }

protected:
    void themeChanged() override;
    void clicked(const QPointF &) override;
    void doubleClicked(const QPointF &) override;
    void hovered(const QPointF &) override;
    void hoverEnded() override;
    bool command(NavigationCommand) override;
    [[nodiscard]] std::vector<TrackId> tracksBetween(double top, double bottom) const override;
    void paintPicture(QPainter &) override;
    void paintOver(QPainter &) override;
    void resizeEvent(QResizeEvent *) override;
    void changeEvent(QEvent *) override;
    bool event(QEvent *) override;

private:
    static constexpr int kRulerHeight = 26;

    void takeTables();
    void restoreCollapsed(const std::string &stored);
    void storeCollapsed();
    void relayout();
    void selectionChanged();
    void selectHit(const TimelineHit &);
    bool leaveFilter();
    void openAbove(int node);
    void paintFlash(QPainter &) const;
    void stepSlice(int direction);
    void showTime(TimeRange);
    [[nodiscard]] double offset() const;  // from the top of all tracks to this widget's coordinates
    [[nodiscard]] QString hoverText(const TimelineHit &) const;
    void paintLinks(QPainter &) const;
    void paintHoverTime(QPainter &) const;

    RunData *data_;
    PictureCache pictures_;
    QLineEdit *filter_;
    TrackTree tree_;
    std::set<std::string> collapsed_;
    bool collapsedKnown_ = false;
    TrackLayout layout_;
    std::optional<SelectedSlice> selected_;
    std::string flashed_;  // key of the node that is framed; empty: none
    QTimer flash_;
    SliceId revealed_;  // the slice that this pane selected itself: no scrolling
};

}  // namespace wattproof::widgets
