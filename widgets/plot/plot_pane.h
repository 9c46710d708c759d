// What the panes on the time axis have in common: the gutter, the scale, hands and keys, cursor line and selected
// area.
#pragma once

#include "report/draw/theme.h"
#include "report/draw/time_words.h"
#include "widgets/plot/navigation.h"
#include "widgets/session.h"

#include <optional>
#include <vector>

#include <QPixmap>
#include <QWidget>

class QScrollBar;

namespace wattproof::widgets {

class AxisChoices;

class PlotPane : public QWidget {
    Q_OBJECT

public:
    PlotPane(Session *session, QWidget *parent);

    void setTheme(const draw::Theme &);
    [[nodiscard]] const draw::Theme &theme() const { return theme_; }
    // The plot's scale in this widget's coordinates; the same in all panes of one width.
    [[nodiscard]] draw::TimeScale timeScale() const;

protected:
    [[nodiscard]] Session &session() const { return *session_; }
    [[nodiscard]] TimeView &view() const { return session_->view(); }
    [[nodiscard]] AxisChoices &choices() const { return *choices_; }
    [[nodiscard]] draw::TimeWords timeWords() const;
    [[nodiscard]] double devicePixel() const { return 1.0 / devicePixelRatioF(); }
    [[nodiscard]] bool inPlot(const QPointF &p) const { return p.x() >= kGutterWidth && p.x() < width(); }

    // What a pane adds to the common hands.
    virtual void themeChanged() {}
    virtual void clicked(const QPointF &) {}
    virtual void doubleClicked(const QPointF &) {}
    virtual void hovered(const QPointF &) {}
    virtual void hoverEnded() {}
    virtual bool command(NavigationCommand) { return false; }
    virtual bool startDrag(const QPointF &) { return false; }  // true: the pane takes this drag
    virtual void dragTo(const QPointF &) {}
    virtual void endDrag(const QPointF &) {}
    // Tracks that an area dragged between two heights covers; none = all.
    [[nodiscard]] virtual std::vector<TrackId> tracksBetween(double, double) const { return {}; }

    // Everything but selection and cursor, kept in a picture until invalidate(): moving the cursor costs one copy
    // of it.
    virtual void paintPicture(QPainter &) = 0;
    virtual void paintOver(QPainter &) {}
    void invalidate();

    // Content taller than the pane scrolls: below `top`, by a bar at the gutter's right edge.
    void setContent(double height, int top);
    void scrollBy(double pixels);
    [[nodiscard]] double scrolled() const;  // pixels that have left at the top
    [[nodiscard]] int contentTop() const { return contentTop_; }
    [[nodiscard]] double nameWidth() const;  // of the gutter without the bar

    void paintAreaAndCursor(QPainter &, double top, double bottom) const;
    // A word over whatever lies there, beside a point and inside the plot.
    void paintTag(QPainter &, const QString &, const QPointF &beside) const;
    // Centred words in the plot where there is nothing to draw: what would fill it.
    void paintEmpty(QPainter &, const QString &title, const QString &remedy) const;
    void paintGrounds(QPainter &) const;  // background, gutter and its hairline
    // A label in the gutter, elided in the middle, vertically centred in the height.
    void paintGutterText(QPainter &, const QString &, double left, double top, double height, const QColor &,
                         double margin = 8) const;

    void paintEvent(QPaintEvent *) override;
    void resizeEvent(QResizeEvent *) override;
    void changeEvent(QEvent *) override;

    void keyPressEvent(QKeyEvent *) override;
    void wheelEvent(QWheelEvent *) override;
    void mousePressEvent(QMouseEvent *) override;
    void mouseMoveEvent(QMouseEvent *) override;
    void mouseReleaseEvent(QMouseEvent *) override;
    void mouseDoubleClickEvent(QMouseEvent *) override;
    void leaveEvent(QEvent *) override;
    bool event(QEvent *) override;

private:
    enum class Drag { None, Undecided, Pan, Area, Pane };

    bool scrollCommand(NavigationCommand);
    void zoomAt(double x, double factor);
    void panPixels(double);
    void scrollPixels(double);
    void paintMark(QPainter &, double top, double bottom) const;
    void placeScrollBar();
    void continueDrag(const QPointF &);
    void selectArea(const QPointF &);

    Session *session_;
    AxisChoices *choices_;
    draw::Theme theme_ = draw::lightTheme();
    QScrollBar *scroll_;
    double contentHeight_ = 0;
    int contentTop_ = 0;
    QPixmap picture_;
    bool dirty_ = true;
    Drag drag_ = Drag::None;
    QPointF pressed_, last_;
    Ns pressedTime_ = 0;
    double panRest_ = 0, scrollRest_ = 0;  // of a pixel or a nanosecond: slow hands lose no ground
};

}  // namespace wattproof::widgets
