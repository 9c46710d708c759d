#include "widgets/sql/sql_text.h"

#include <algorithm>

#include <QMap>
#include <QRegularExpression>

namespace wattproof::widgets {
namespace {

bool isWordStart(QChar c) {
    return c.isLetter() || c == QLatin1Char('_');
}

bool isWord(QChar c) {
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

bool has(const QStringList &words, const QString &word) {
    return words.contains(word, Qt::CaseInsensitive);
}

// Reads one line from left to right.
class LineReader {
public:
    LineReader(const QString &line, const QStringList &views) : line_(line), views_(views) {}

    SqlLine read(SqlOpen before) {
        if (before == SqlOpen::Comment)
            comment(0, 0);
        else if (before == SqlOpen::String)
            string(0, 0);
        while (at_ < line_.size())
            next();
        return std::move(result_);
    }

private:
    void next() {
        const QChar c = line_[at_];
        if (line_.mid(at_, 2) == QLatin1String("--"))
            add(at_, line_.size(), SqlKind::Comment);
        else if (line_.mid(at_, 2) == QLatin1String("/*"))
            comment(at_, at_ + 2);
        else if (c == QLatin1Char('\''))
            string(at_, at_ + 1);
        else if (c == QLatin1Char('"'))
            name();
        else if (isWordStart(c))
            word();
        else if (c.isDigit())
            run(SqlKind::Number, [](QChar d) { return isWord(d) || d == QLatin1Char('.'); });
        else if (c == QLatin1Char(':') && at_ + 1 < line_.size() && isWordStart(line_[at_ + 1]))
            run(SqlKind::Parameter, isWord);
        else
            ++at_;
    }

    template <class Belongs>
    void run(SqlKind kind, Belongs belongs) {
        qsizetype end = at_ + 1;
        while (end < line_.size() && belongs(line_[end]))
            ++end;
        add(at_, end, kind);
    }

    void word() {
        qsizetype end = at_;
        while (end < line_.size() && isWord(line_[end]))
            ++end;
        const QString text = line_.mid(at_, end - at_);
        const bool member = at_ > 0 && line_[at_ - 1] == QLatin1Char('.');
        const bool called = end < line_.size() && line_[end] == QLatin1Char('(');
        SqlKind kind = SqlKind::Other;
        if (called && has(sqlFunctions(), text))
            kind = SqlKind::Function;
        else if (!member && has(sqlKeywords(), text))
            kind = SqlKind::Keyword;
        else if (!member && has(views_, text))
            kind = SqlKind::View;
        add(at_, end, kind);
    }

    void name() {
        const qsizetype end = line_.indexOf(QLatin1Char('"'), at_ + 1);
        add(at_, end < 0 ? line_.size() : end + 1, SqlKind::Other);
    }

    void comment(qsizetype begin, qsizetype from) {
        const qsizetype end = line_.indexOf(QLatin1String("*/"), from);
        if (end < 0)
            result_.open = SqlOpen::Comment;
        add(begin, end < 0 ? line_.size() : end + 2, SqlKind::Comment);
    }

    // Two quotes in a row are one in the text.
    void string(qsizetype begin, qsizetype from) {
        qsizetype end = line_.indexOf(QLatin1Char('\''), from);
        while (end >= 0 && end + 1 < line_.size() && line_[end + 1] == QLatin1Char('\''))
            end = line_.indexOf(QLatin1Char('\''), end + 2);
        if (end < 0)
            result_.open = SqlOpen::String;
        add(begin, end < 0 ? line_.size() : end + 1, SqlKind::String);
    }

    void add(qsizetype begin, qsizetype end, SqlKind kind) {
        if (kind != SqlKind::Other && end > begin)
            result_.spans.push_back({static_cast<int>(begin), static_cast<int>(end - begin), kind});
        at_ = std::max(end, at_);
    }

    const QString &line_;
    const QStringList &views_;
    qsizetype at_ = 0;
    SqlLine result_;
};

// View names and their aliases in the text, both in lower case, to the view.
QMap<QString, const store::PublicView *> viewsIn(const QString &text, const std::vector<store::PublicView> &views) {
    // An alias is looked ahead for: behind a column it may be the FROM that comes next.
    static const QRegularExpression from(QStringLiteral("(?:\\bfrom|\\bjoin|,)\\s*(\\w+)(?=(?:\\s+(?:as\\s+)?(\\w+))?)"),
                                         QRegularExpression::CaseInsensitiveOption);
    QMap<QString, const store::PublicView *> found;
    for (const store::PublicView &view : views) {
        for (auto matches = from.globalMatch(text); matches.hasNext();) {
            const auto match = matches.next();
            const QString name = QString::fromStdString(view.name), alias = match.captured(2);
            if (match.captured(1).compare(name, Qt::CaseInsensitive) != 0)
                continue;
            found.insert(name, &view);
            if (!alias.isEmpty() && !has(sqlKeywords(), alias))
                found.insert(alias.toLower(), &view);
        }
    }
    return found;
}

QStringList columnsOf(const store::PublicView &view) {
    QStringList columns;
    for (const std::string &column : view.columns)
        columns << QString::fromStdString(column);
    return columns;
}

QStringList starting(QStringList words, const QString &with) {
    words.removeIf([&](const QString &word) { return !word.startsWith(with, Qt::CaseInsensitive); });
    words.removeDuplicates();
    return words;
}

}  // namespace

SqlLine sqlSpans(const QString &line, SqlOpen before, const QStringList &views) {
    return LineReader(line, views).read(before);
}

const QStringList &sqlKeywords() {
    static const QStringList words =
        QStringLiteral(
            "SELECT FROM WHERE GROUP BY ORDER LIMIT OFFSET HAVING JOIN LEFT INNER CROSS OUTER ON USING AS AND OR NOT "
            "IN IS NULL LIKE GLOB BETWEEN EXISTS CASE WHEN THEN ELSE END DISTINCT UNION ALL EXCEPT INTERSECT WITH "
            "RECURSIVE ASC DESC OVER PARTITION ROWS RANGE PRECEDING FOLLOWING UNBOUNDED CURRENT ROW FILTER VALUES "
            "CAST INTEGER REAL TEXT COLLATE NOCASE ESCAPE NULLS FIRST LAST WINDOW")
            .split(QLatin1Char(' '));
    return words;
}

const QStringList &sqlFunctions() {
    static const QStringList words =
        QStringLiteral(
            "count sum avg min max total group_concat abs round coalesce ifnull nullif iif length lower upper substr "
            "replace trim ltrim rtrim instr printf format typeof hex quote random sign ceil floor sqrt pow exp ln log10 "
            "row_number rank dense_rank ntile lag lead first_value last_value nth_value percent_rank cume_dist "
            "date time datetime strftime julianday json json_extract json_each json_tree json_array_length json_valid")
            .split(QLatin1Char(' '));
    return words;
}

QString wordBefore(const QString &text, qsizetype at) {
    qsizetype begin = at;
    while (begin > 0 && isWord(text[begin - 1]))
        --begin;
    return text.mid(begin, at - begin);
}

QStringList sqlCompletions(const QString &text, qsizetype at, const std::vector<store::PublicView> &views) {
    const QString word = wordBefore(text, at);
    const qsizetype begin = at - word.size();
    const auto named = viewsIn(text, views);
    if (begin > 0 && text[begin - 1] == QLatin1Char('.')) {
        const auto view = named.value(wordBefore(text, begin - 1).toLower());
        return view ? starting(columnsOf(*view), word) : QStringList();
    }
    QStringList words;
    for (const store::PublicView *view : named)
        words << columnsOf(*view);
    for (const store::PublicView &view : views)
        words << QString::fromStdString(view.name);
    return starting(words + sqlKeywords() + sqlFunctions(), word);
}

qsizetype placeOfByte(const QString &text, qint64 byte) {
    return byte < 0 ? -1 : QString::fromUtf8(text.toUtf8().left(byte)).size();
}

}  // namespace wattproof::widgets
