// How well what is typed fits a text when letters may be left out: "ghi" finds "Go higher".
#pragma once

#include <optional>

#include <QString>
#include <QStringView>

namespace wattproof::widgets {

// Both as folded() gives them. Every word of the pattern has to be in the text with its letters in order. More is better:
// letters side by side and at the beginnings of words count most, then short texts. None: it does not fit.
[[nodiscard]] std::optional<int> fuzzyScore(QStringView pattern, QStringView text);
[[nodiscard]] QString folded(const QString &);

}  // namespace wattproof::widgets
