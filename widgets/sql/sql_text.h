// SQL as text: what its parts are, and what could be written at a place. Free of widgets, so that tests can ask it.
#pragma once

#include "store/public_views.h"

#include <vector>

#include <QString>
#include <QStringList>

namespace wattproof::widgets {

enum class SqlKind { Keyword, Function, View, Number, String, Comment, Parameter, Other };

struct SqlSpan {
    int begin = 0, length = 0;
    SqlKind kind = SqlKind::Other;

    bool operator==(const SqlSpan &) const = default;
};

// What a line leaves open for the next.
enum class SqlOpen { Nothing, Comment, String };

struct SqlLine {
    std::vector<SqlSpan> spans;
    SqlOpen open = SqlOpen::Nothing;
};

[[nodiscard]] SqlLine sqlSpans(const QString &line, SqlOpen before, const QStringList &views);

[[nodiscard]] const QStringList &sqlKeywords();
[[nodiscard]] const QStringList &sqlFunctions();

// The word that ends at the place, as far as it is written: what a completion replaces.
[[nodiscard]] QString wordBefore(const QString &text, qsizetype at);
// What may stand there: behind "slices." or an alias of it its columns; else the columns of the views that the text
// names, then views, keywords and functions.
[[nodiscard]] QStringList sqlCompletions(const QString &text, qsizetype at, const std::vector<store::PublicView> &);

// From a byte of the text in UTF-8 to the place in a QString; -1 stays -1.
[[nodiscard]] qsizetype placeOfByte(const QString &text, qint64 byte);

}  // namespace wattproof::widgets
