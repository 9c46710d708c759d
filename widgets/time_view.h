// The one owner of the visible range, the cursor and the selection. Every pane subscribes; none keeps a copy of its own.
#pragma once

#include <optional>
#include <vector>

#include <QObject>

#include "store/ids.h"
#include "store/time.h"

namespace wattproof::widgets {

// What is selected: nothing, one slice, or an area (a range over some tracks; no tracks = all).
struct Selection {
    SliceId slice;
    TimeRange range;                   // of the slice, or of the area
    std::vector<TrackId> tracks;
    QString findingKey;                // set when a finding was clicked: panes may mark its range

    [[nodiscard]] bool isSlice() const { return slice.valid(); }
    [[nodiscard]] bool isArea() const { return !slice.valid() && !range.empty(); }
    [[nodiscard]] bool isEmpty() const { return !isSlice() && !isArea(); }
    bool operator==(const Selection &) const = default;
};

class TimeView : public QObject {
    Q_OBJECT

public:
    explicit TimeView(QObject *parent = nullptr);

    [[nodiscard]] TimeRange extent() const { return extent_; }
    [[nodiscard]] TimeRange mainRange() const { return main_; }   // what holds nearly all events; most often the extent
    // What an overview shows: the main range while all that is visible lies about it, else everything.
    [[nodiscard]] TimeRange overview() const;
    [[nodiscard]] TimeRange visible() const { return visible_; }
    [[nodiscard]] std::optional<Ns> cursor() const { return cursor_; }
    [[nodiscard]] const Selection &selection() const { return selection_; }

    void setExtent(TimeRange extent) { setExtent(extent, extent); }
    void setExtent(TimeRange, TimeRange mainRange);   // keeps the visible range where it still overlaps
    void setVisible(TimeRange);                    // clamped: at least 1 ns a pixel column is up to the painter, at most 1.2 × extent
    void zoomAround(Ns anchor, double factor);     // factor < 1 zooms in
    void panBy(Ns delta);
    void fitMain();
    void fitAll();                                 // the main range; everything where that is shown already
    void fit(TimeRange, double margin = 0.05);     // shows the range with a margin on both sides
    void setCursor(std::optional<Ns>);
    void select(const Selection &);
    void clearSelection();

signals:
    void extentChanged();
    void visibleChanged();
    void cursorChanged();
    void selectionChanged();

private:
    TimeRange extent_{0, 1};
    TimeRange main_{0, 1};
    TimeRange visible_{0, 1};
    std::optional<Ns> cursor_;
    Selection selection_;
};

// Time to pixel and back, as free functions: x is in device-independent pixels from the left edge of the plot.
[[nodiscard]] double timeToX(Ns time, TimeRange visible, double width);
[[nodiscard]] Ns xToTime(double x, TimeRange visible, double width);

// Width of the gutter that all central panes share, so that their time axes stand under one another.
inline constexpr int kGutterWidth = 220;

}  // namespace wattproof::widgets
