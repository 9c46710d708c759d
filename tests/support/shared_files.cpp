#include "tests/support/shared_files.h"

#include <QDir>
#include <QFileInfo>

namespace wattproof::test {

QString sharedFile(const QString &relative) {
    const QString path = QDir(QStringLiteral(WATTPROOF_SHARED_DIR)).filePath(relative);
    return QFileInfo::exists(path) ? path : QString();
}

QStringList sharedFiles(const QString &folder, const QString &wildcard) {
    const QDir dir(QDir(QStringLiteral(WATTPROOF_SHARED_DIR)).filePath(folder));
    QStringList paths;
    for (const QString &name : dir.entryList({wildcard}, QDir::Files, QDir::Name))
        paths << dir.filePath(name);
    return paths;
}

}  // namespace wattproof::test
