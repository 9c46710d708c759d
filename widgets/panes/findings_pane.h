// The ranked findings of the last analysis as cards. A click shows a finding's range in every pane.
#pragma once

#include "report/draw/theme.h"
#include "widgets/panes/finding_card.h"
#include "widgets/session.h"

#include <QScrollArea>
#include <QStringList>

class QVBoxLayout;

namespace wattproof::widgets {

class FindingsPane : public QScrollArea {
    Q_OBJECT

public:
    FindingsPane(Session *session, const draw::Theme &theme, QWidget *parent = nullptr);
    void setTheme(const draw::Theme &);
    [[nodiscard]] const QList<FindingCard *> &cards() const { return cards_; }
    // As a click on the card of the first rank, unfolded; nothing where there is none.
    void showFirst();

signals:
    void analysisRequested();

private:
    void rebuild();
    void addCards(QWidget *content, QVBoxLayout *);
    void addRest(QWidget *content, QVBoxLayout *);
    void connectCard(FindingCard *);
    void choose(const FindingCard *);
    void markSelected();
    void askDecisions();

    Session *session_;
    const draw::Theme *theme_;
    QList<FindingCard *> cards_;
};

}  // namespace wattproof::widgets
