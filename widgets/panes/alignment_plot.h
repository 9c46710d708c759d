// Load and power over each other on a time axis of their own; dragging and the arrow keys move the power.
#pragma once

#include "report/draw/theme.h"
#include "report/draw/time_scale.h"
#include "widgets/panes/alignment_fit.h"

#include <memory>

#include <QWidget>

namespace wattproof::widgets {

class AlignmentPlot : public QWidget {
    Q_OBJECT

public:
    explicit AlignmentPlot(const draw::Theme &theme, QWidget *parent = nullptr);

    void setFit(std::shared_ptr<const AlignmentFit>, Ns offset);  // shows the whole trace
    void setOffset(Ns offset);
    [[nodiscard]] Ns offset() const { return offset_; }
    [[nodiscard]] draw::TimeScale timeScale() const;
    // A step of the arrow keys: a tenth of the sensor's period, with Shift ten periods.
    [[nodiscard]] Ns fineStep() const;
    [[nodiscard]] Ns coarseStep() const { return 100 * fineStep(); }

    [[nodiscard]] QSize sizeHint() const override { return {860, 260}; }

signals:
    void offsetMoved(qint64 offset);

protected:
    void paintEvent(QPaintEvent *) override;
    void mousePressEvent(QMouseEvent *) override;
    void mouseMoveEvent(QMouseEvent *) override;
    void mouseReleaseEvent(QMouseEvent *) override;
    void keyPressEvent(QKeyEvent *) override;
    void wheelEvent(QWheelEvent *) override;

private:
    void move(Ns offset);
    void paintLoad(QPainter &, const draw::TimeScale &) const;
    void paintPower(QPainter &, const draw::TimeScale &) const;
    [[nodiscard]] QRectF plot() const;

    const draw::Theme *theme_;
    std::shared_ptr<const AlignmentFit> fit_;
    Ns offset_ = 0;
    TimeRange visible_{0, 1};
    std::optional<double> dragX_;
    Ns dragOffset_ = 0;
    double lowest_ = 0, highest_ = 1;  // of the power
};

}  // namespace wattproof::widgets
