// What stands in the window before anything is open: open a file, look at the sample, or go on with a recent one.
#pragma once

#include "report/draw/theme.h"

#include <QStringList>
#include <QWidget>

class QLabel;
class QListWidget;
class QPushButton;

namespace wattproof::widgets {

class WelcomePage : public QWidget {
    Q_OBJECT

public:
    explicit WelcomePage(QWidget *parent = nullptr);
    // Each entry: the files that were opened together.
    void setRecent(const QList<QStringList> &entries);
    void setSampleAvailable(bool);
    void setTheme(const draw::Theme &);

signals:
    void openRequested();
    void sampleRequested();
    void recentRequested(const QStringList &paths);

private:
    QLabel *hint_;
    QPushButton *open_;
    QPushButton *sample_;
    QLabel *recentTitle_;
    QListWidget *recent_;
};

}  // namespace wattproof::widgets
