// One finding: rank, class, title, what it costs and how sure that is; unfolds into everything that speaks for and
// against.
#pragma once

#include "analysis/result.h"
#include "report/draw/theme.h"
#include "store/edits.h"

#include <QFrame>

class QLabel;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace wattproof::widgets {

// Three bars, filled by confidence: read without colour.
class ConfidenceMark : public QWidget {
    Q_OBJECT

public:
    ConfidenceMark(const QString &confidence, const draw::Theme &theme, QWidget *parent = nullptr);
    void setTheme(const draw::Theme &);
    [[nodiscard]] QSize sizeHint() const override { return {16, 12}; }

protected:
    void paintEvent(QPaintEvent *) override;

private:
    int filled_;
    const draw::Theme *theme_;
};

class FindingCard : public QFrame {
    Q_OBJECT

public:
    FindingCard(analysis::Finding finding, const draw::Theme &theme, QWidget *parent = nullptr);

    [[nodiscard]] const analysis::Finding &finding() const { return finding_; }
    [[nodiscard]] bool isExpanded() const;
    void setExpanded(bool);
    void setSelected(bool);
    void setDecision(const store::FindingDecision &);
    void setWritable(bool);
    void setTheme(const draw::Theme &);

signals:
    void selected();                                          // clicked, or Enter
    void rangeRequested(const wattproof::TimeRange &);        // of one piece of evidence
    void decided(const wattproof::store::FindingDecision &);  // owner or rollback were changed

protected:
    void mousePressEvent(QMouseEvent *) override;
    void keyPressEvent(QKeyEvent *) override;
    void paintEvent(QPaintEvent *) override;

private:
    [[nodiscard]] QWidget *makeHeader();
    [[nodiscard]] QWidget *makeBody();
    void addEvidence(QVBoxLayout *);
    void addChecks(QVBoxLayout *);
    void addDecision(QVBoxLayout *);
    [[nodiscard]] QWidget *queryRow(const QString &text, const std::string &query, TimeRange range);
    void decide();

    analysis::Finding finding_;
    store::FindingDecision decision_;
    const draw::Theme *theme_;
    bool selected_ = false;
    ConfidenceMark *mark_ = nullptr;
    QToolButton *toggle_ = nullptr;
    QWidget *body_ = nullptr;  // made when first unfolded
    QLineEdit *owner_ = nullptr;
    QLineEdit *rollback_ = nullptr;
    bool writable_ = true;
    QVBoxLayout *layout_;
};

}  // namespace wattproof::widgets
