// Cells of a table as other programs read them.
#pragma once

#include <QString>

namespace wattproof::widgets {

// As RFC 4180 says: quoted where it has to be.
[[nodiscard]] QString csvCell(QString cell, QChar separator);
// A text that a spreadsheet would take for a formula, with an apostrophe before it: names come from files of others.
[[nodiscard]] QString notAFormula(const QString &text);

}  // namespace wattproof::widgets
