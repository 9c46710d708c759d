// What ran before, the newest last, kept in the settings; and a walk through it.
#pragma once

#include <QString>
#include <QStringList>

class QSettings;

namespace wattproof::widgets {

class QueryHistory {
public:
    void use(QSettings *);  // reads what it holds; null: remembers until the end only
    void add(const QString &text);
    [[nodiscard]] const QStringList &entries() const { return entries_; }

    // One step older (-1) or newer (1) from where the walk stands; `written` is what it leaves at its begin. None: there
    // is nothing further.
    [[nodiscard]] QString step(int direction, const QString &written);

private:
    QSettings *settings_ = nullptr;
    QStringList entries_;
    qsizetype at_ = 0;  // of the walk; size(): at what was being written
    QString draft_;
};

}  // namespace wattproof::widgets
