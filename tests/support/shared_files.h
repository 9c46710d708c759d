// Real sample files that stand outside the project. Where the folder is missing, tests say "skipped".
#pragma once

#include <QString>
#include <QStringList>

namespace wattproof::test {

// Full path of a shared file ("peer/h100_bert_small.json.gz"); empty when it is not there.
QString sharedFile(const QString &relative);
// A recorded log of power and the times at which its load went on and off; both empty when they are not there.
struct MarkedLog {
    QString log, marks;
};
MarkedLog markedLog(const QString &name);  // "k40m_step"
// Full paths of the files below a shared folder that match the wildcard, sorted.
QStringList sharedFiles(const QString &folder, const QString &wildcard);

}  // namespace wattproof::test

#define WATTPROOF_SHARED_OR_SKIP(variable, relative)                                    \
    const QString variable = wattproof::test::sharedFile(QStringLiteral(relative));     \
    if (variable.isEmpty())                                                             \
    QSKIP("skipped: the shared sample " relative " is not here")
