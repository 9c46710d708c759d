#include "widgets/tables/csv.h"

namespace wattproof::widgets {

QString csvCell(QString cell, QChar separator) {
    if (!cell.contains(separator) && !cell.contains(QLatin1Char('"')) && !cell.contains(QLatin1Char('\n')) &&
        !cell.contains(QLatin1Char('\r')))
        return cell;
    cell.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + cell + QLatin1Char('"');
}

QString notAFormula(const QString &text) {
    return !text.isEmpty() && QStringLiteral("=+-@\t\r").contains(text.front()) ? QLatin1Char('\'') + text : text;
}

}  // namespace wattproof::widgets
