// Colours of SQL, from the theme.
#pragma once

#include "report/draw/theme.h"
#include "widgets/sql/sql_text.h"

#include <QSyntaxHighlighter>

namespace wattproof::widgets {

class SqlHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    SqlHighlighter(QTextDocument *, const draw::Theme &);

    void setTheme(const draw::Theme &);
    void setViews(const QStringList &);

protected:
    void highlightBlock(const QString &) override;

private:
    [[nodiscard]] QTextCharFormat formatOf(SqlKind) const;

    const draw::Theme *theme_;
    QStringList views_;
};

}  // namespace wattproof::widgets
