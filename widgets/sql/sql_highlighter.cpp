#include "widgets/sql/sql_highlighter.h"

namespace wattproof::widgets {

SqlHighlighter::SqlHighlighter(QTextDocument *document, const draw::Theme &theme)
    : QSyntaxHighlighter(document), theme_(&theme) {}

void SqlHighlighter::setTheme(const draw::Theme &theme) {
    theme_ = &theme;
    rehighlight();
}

void SqlHighlighter::setViews(const QStringList &views) {
    views_ = views;
    rehighlight();
}

QTextCharFormat SqlHighlighter::formatOf(SqlKind kind) const {
    QTextCharFormat format;
    switch (kind) {
        case SqlKind::Keyword:
            format.setForeground(theme_->accent);
            format.setFontWeight(QFont::DemiBold);
            break;
        case SqlKind::Function:
            format.setForeground(theme_->accent);
            break;
        case SqlKind::View:
            format.setForeground(theme_->text);
            format.setFontWeight(QFont::DemiBold);
            break;
        case SqlKind::String:
            format.setForeground(theme_->good);
            break;
        case SqlKind::Number:
        case SqlKind::Parameter:
            format.setForeground(theme_->warn);
            break;
        case SqlKind::Comment:
            format.setForeground(theme_->muted);
            format.setFontItalic(true);
            break;
        case SqlKind::Other:
            break;
    }
    return format;
}

void SqlHighlighter::highlightBlock(const QString &text) {
    const auto before = static_cast<SqlOpen>(std::max(0, previousBlockState()));
    const SqlLine line = sqlSpans(text, before, views_);
    for (const SqlSpan &span : line.spans)
        setFormat(span.begin, span.length, formatOf(span.kind));
    setCurrentBlockState(static_cast<int>(line.open));
}

}  // namespace wattproof::widgets
