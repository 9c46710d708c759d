// The timeline: tracks of all sources on the shared time axis, with names in the gutter.
#pragma once

#include "report/draw/lanes.h"
#include "widgets/occupancy/activity_data.h"
#include "widgets/plot/picture_cache.h"
#include "widgets/plot/plot_pane.h"
#include "widgets/plot/run_tables.h"
#include "widgets/timeline/arrangement_store.h"
#include "widgets/timeline/hand_commands.h"
#include "widgets/timeline/saved_views.h"
#include "widgets/timeline/selected_slice.h"
#include "widgets/timeline/track_commands.h"
#include "widgets/timeline/track_layout.h"

#include <map>
#include <optional>
#include <set>
#include <string>

#include <QStringList>
#include <QTimer>

class QLineEdit;
class QMenu;

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
    [[nodiscard]] const Arrangement &arrangement() const { return arrangement_->now(); }
    // The track that commands act on: the one last chosen or selected in, else the one under the pointer. -1: none.
    [[nodiscard]] int currentTrack() const;
    void setCurrentTrack(int node);

    void setCollapsed(int node, bool collapsed);
    void perform(TrackCommand);
    void perform(HandCommand);
    void saveView(int digit);
    void recallView(int digit);
    [[nodiscard]] bool canPerform(TrackCommand, int node) const;
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
    bool startDrag(const QPointF &) override;
    void dragTo(const QPointF &) override;
    void endDrag(const QPointF &) override;
    bool command(NavigationCommand) override;
    [[nodiscard]] std::vector<TrackId> tracksBetween(double top, double bottom) const override;
    void paintPicture(QPainter &) override;
    void paintOver(QPainter &) override;
    void resizeEvent(QResizeEvent *) override;
    void changeEvent(QEvent *) override;
    bool event(QEvent *) override;
    bool eventFilter(QObject *, QEvent *) override;
    void contextMenuEvent(QContextMenuEvent *) override;

private:
    static constexpr int kRulerHeight = 26;

    // A track's name that is being dragged to another place, or its lower edge.
    struct GutterDrag {
        enum class Kind { None, Move, Resize } kind = Kind::None;
        int node = -1;
        double from = 0;       // height of the press
        double height = 0;     // of the track then
        bool started = false;  // moved far enough to be no click
        int before = -1;       // Move: where it would go; see moveTrack()
        double line = 0;       // and where that is
        Arrangement draft;     // Resize: as it would be
    };

    void say(const QString &sentence);
    [[nodiscard]] std::optional<TimeRange> rangeToMark() const;
    void markSelection();
    void keepMark();
    void sliceToArea();
    void followFlow(int direction);
    void selectSlice(SliceId, TimeRange, TrackId);
    void copyTime();
    void recallSelection(const SavedView &);

    void takeTables();
    void takeNotes();
    void takeColours();
    void filterChanged();
    void arrange();
    [[nodiscard]] const TrackNode &nodeOf(int index) const { return tree_.nodes[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const LaidTrack *laidAt(double y) const;
    [[nodiscard]] double topOf(const LaidTrack &) const;
    [[nodiscard]] int edgeAt(double y) const;
    void clickedName(const QPointF &);
    void toggleHiddenShown();
    void moveCurrent(int direction);
    void dropTrack(int node, int before);  // as moveTrack()
    void chooseNeighbour(int direction);
    void changeHeight(int node, double factor);
    void dragName(double y);
    void dragEdge(double y);
    void scrollToTrack(int node);
    [[nodiscard]] QMenu *makeTrackMenu(int node);
    void beginTrackNote(int node);
    void keepTrackNote();
    void paintGutterHands(QPainter &) const;
    void paintNotes(QPainter &) const;
    [[nodiscard]] QString notesAt(double x) const;
    void relayout();
    void selectionChanged();
    void selectHit(const TimelineHit &);
    bool leaveFilter();
    void openAbove(int node);
    void paintFlash(QPainter &) const;
    void stepSlice(int direction);
    void showTime(TimeRange);
    [[nodiscard]] double offset() const;  // from the top of what scrolls to this widget's coordinates
    [[nodiscard]] double tracksTop() const { return kRulerHeight + layout_.pinnedHeight; }
    [[nodiscard]] QString summaryOf(int node) const;
    [[nodiscard]] QString hoverText(const TimelineHit &) const;
    void paintLinks(QPainter &) const;
    void paintHoverTime(QPainter &) const;

    RunData *data_;
    ActivityData *activity_;
    PictureCache pictures_;
    QLineEdit *filter_;
    QLineEdit *noteField_;  // stands in the gutter while a note on a track is written
    int notedNode_ = -1;
    TrackTree natural_, tree_;  // as the file has it; as the user has it
    ArrangementStore *arrangement_;
    bool arrangementKnown_ = false;
    std::map<TrackId, std::string> categories_;
    bool categoriesAsked_ = false;
    bool showHidden_ = false;
    std::string current_;  // key of the track that commands act on
    GutterDrag gutterDrag_;
    std::map<TrackId, QStringList> notes_;  // on whole tracks
    std::set<TrackId> noted_;
    std::vector<store::Annotation> timedNotes_;  // by time
    SavedViews savedViews_;
    StoredDocument *viewsDocument_;
    TrackLayout layout_;
    std::optional<SelectedSlice> selected_;
    std::string flashed_;  // key of the node that is framed; empty: none
    QTimer flash_;
    SliceId revealed_;  // the slice that this pane selected itself: no scrolling
};

}  // namespace wattproof::widgets
