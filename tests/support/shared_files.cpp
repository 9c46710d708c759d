#include "tests/support/shared_files.h"

#include <QDir>
#include <QFileInfo>

namespace wattproof::test {

QString sharedFile(const QString &relative) {
    const QString path = QDir(QStringLiteral(WATTPROOF_SHARED_DIR)).filePath(relative);
    return QFileInfo::exists(path) ? path : QString();
}

MarkedLog markedLog(const QString &name) {
    const QString path = QStringLiteral("powerlogs/nvidia-smi-query/") + name;
    const QString log = sharedFile(path + QStringLiteral("_query.csv"));
    const QString marks = sharedFile(path + QStringLiteral("_load_marks_us.csv"));
    return log.isEmpty() || marks.isEmpty() ? MarkedLog() : MarkedLog{log, marks};
}

QStringList sharedFiles(const QString &folder, const QString &wildcard) {
    const QDir dir(QDir(QStringLiteral(WATTPROOF_SHARED_DIR)).filePath(folder));
    QStringList paths;
    for (const QString &name : dir.entryList({wildcard}, QDir::Files, QDir::Name))
        paths << dir.filePath(name);
    return paths;
}

}  // namespace wattproof::test
