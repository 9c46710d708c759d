// Correlation over the offsets that were searched: where the peak stands, and whether a second one rivals it.
#pragma once

#include "analysis/alignment/align.h"
#include "report/draw/theme.h"

#include <optional>

#include <QWidget>

namespace wattproof::widgets {

class AlignmentCurve : public QWidget {
    Q_OBJECT

public:
    explicit AlignmentCurve(const draw::Theme &theme, QWidget *parent = nullptr);

    void setProposal(const analysis::AlignmentProposal &);
    void clear();
    void setOffset(Ns offset);  // the one in force or being tried
    void setTheme(const draw::Theme &);
    [[nodiscard]] QSize sizeHint() const override { return {260, 90}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 50}; }

signals:
    void offsetClicked(qint64 offset);

protected:
    void paintEvent(QPaintEvent *) override;
    void mousePressEvent(QMouseEvent *) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double xOf(Ns offset) const;
    [[nodiscard]] double yOf(double correlation) const;
    void paintCurve(QPainter &) const;
    void paintPeak(QPainter &, const analysis::AlignmentScore &, const QString &name) const;

    const draw::Theme *theme_;
    std::optional<analysis::AlignmentProposal> proposal_;
    Ns offset_ = 0;
};

}  // namespace wattproof::widgets
