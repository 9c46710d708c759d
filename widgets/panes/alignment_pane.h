// Where each power log stands on the trace's clock, how that came about, and the means to change it.
#pragma once

#include "report/draw/theme.h"
#include "widgets/panes/alignment_model.h"
#include "widgets/session.h"

#include <map>
#include <memory>

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace wattproof::widgets {

class AlignmentCurve;
class AlignmentWindow;
class TableView;

class AlignmentPane : public QWidget {
    Q_OBJECT

public:
    AlignmentPane(Session *session, const draw::Theme &theme, QWidget *parent = nullptr);

    void setTheme(const draw::Theme &);
    void setProposals(const std::vector<analysis::SourceAlignment> &);
    // The overlay moves the curve: delta from where the drag began.
    void showDragged(SourceId, Ns delta);
    void dropDragged(SourceId, Ns offset);
    void applyTyped();
    [[nodiscard]] const AlignmentModel &model() const { return *model_; }
    [[nodiscard]] QLineEdit *offsetField() const { return offset_; }
    [[nodiscard]] QString scoreText() const;
    // The window in which the chosen log is moved over the load; null without a log.
    AlignmentWindow *openWindow();

signals:
    void alignRequested(wattproof::SourceId source);
    void dragModeChanged(bool on, wattproof::SourceId source);

private:
    void build();
    void ask();
    void show(std::vector<AlignableSource>);
    void choose();
    void askProbe(const AlignableSource &);
    void score(Ns offset);
    void place(SourceId, Ns offset);
    [[nodiscard]] const AlignableSource *current() const;

    Session *session_;
    AlignmentModel *model_;
    TableView *table_;
    QStackedWidget *pages_;
    QLineEdit *offset_;
    QPushButton *apply_;
    QPushButton *automatic_;
    QToolButton *drag_;
    QPushButton *open_;
    QLabel *score_;
    QLabel *refusal_;
    AlignmentCurve *curve_;
    const draw::Theme *theme_;
    SourceId chosen_;
    std::shared_ptr<const AlignmentProbe> probe_;
    std::map<SourceId, analysis::AlignmentProposal> proposals_;
};

}  // namespace wattproof::widgets
