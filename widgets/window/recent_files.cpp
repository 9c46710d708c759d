#include "widgets/window/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace wattproof::widgets {
namespace {

constexpr int kMostRecent = 10;

QString recentKey() {
    return QStringLiteral("recent");
}

}  // namespace

QList<QStringList> RecentFiles::entries() const {
    QList<QStringList> all;
    for (const QVariant &entry : settings_.value(recentKey()).toList())
        if (const QStringList paths = entry.toStringList(); !paths.isEmpty())
            all << paths;
    return all;
}

void RecentFiles::add(const QStringList &paths) {
    QStringList absolute;
    for (const QString &path : paths)
        absolute << QFileInfo(path).absoluteFilePath();
    QList<QStringList> all = entries();
    all.removeAll(absolute);
    all.prepend(absolute);
    QVariantList stored;
    for (const QStringList &entry : all.mid(0, kMostRecent))
        stored << QVariant(entry);
    settings_.setValue(recentKey(), stored);
}

void RecentFiles::clear() {
    settings_.remove(recentKey());
}

}  // namespace wattproof::widgets
