// The report before it is written: headline, ranking and what is open, and the ways to take it along.
#pragma once

#include "widgets/session.h"

#include <QWidget>

class QPushButton;
class QStackedWidget;
class QTextBrowser;

namespace wattproof::widgets {

// The preview as simple rich text; every text of the data is escaped. Pure.
[[nodiscard]] QString previewHtml(const analysis::AnalysisResult &);

class ReportPane : public QWidget {
    Q_OBJECT

public:
    explicit ReportPane(Session *session, QWidget *parent = nullptr);
    [[nodiscard]] QString text() const;

signals:
    void browserRequested();
    void exportRequested();

private:
    void fill();

    Session *session_;
    QStackedWidget *pages_;
    QTextBrowser *preview_;
};

}  // namespace wattproof::widgets
