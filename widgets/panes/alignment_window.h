// The alignment tool: one power log over the device's load, moved by hand or put where it fits best, and applied.
#pragma once

#include "report/draw/theme.h"
#include "widgets/panes/alignment_fit.h"
#include "widgets/session.h"

#include <memory>

#include <QDialog>

class QLabel;
class QPushButton;

namespace wattproof::widgets {

class AlignmentCurve;
class AlignmentPlot;

class AlignmentWindow : public QDialog {
    Q_OBJECT

public:
    AlignmentWindow(Session *session, const AlignableSource &source, const draw::Theme &theme,
                    QWidget *parent = nullptr);

    [[nodiscard]] AlignmentPlot *plot() const { return plot_; }
    [[nodiscard]] QString scoreText() const;
    [[nodiscard]] QString verdict() const;  // peak and second peak, or why there is no answer
    [[nodiscard]] QPushButton *button(const QString &name) const;  // "apply", "best", "reset", "undo"

private:
    void build();
    QPushButton *addButton(const QString &name, const QString &text);
    void take(std::shared_ptr<const AlignmentFit>);
    void tryOffset(Ns offset);
    void score();
    void apply();
    void readApplied();
    void showState();

    Session *session_;
    AlignableSource source_;
    AlignmentPlot *plot_;
    AlignmentCurve *curve_;
    QLabel *score_, *verdict_;
    std::shared_ptr<const AlignmentFit> fit_;
    Ns applied_ = 0;  // the offset in force
};

}  // namespace wattproof::widgets
