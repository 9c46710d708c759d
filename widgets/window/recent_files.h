// What was opened lately, newest first; files that were opened together are one entry.
#pragma once

#include <QList>
#include <QStringList>

class QSettings;

namespace wattproof::widgets {

class RecentFiles {
public:
    explicit RecentFiles(QSettings &settings) : settings_(settings) {}

    [[nodiscard]] QList<QStringList> entries() const;
    void add(const QStringList &paths);  // moves an entry that is there already to the front
    void clear();

private:
    QSettings &settings_;
};

}  // namespace wattproof::widgets
