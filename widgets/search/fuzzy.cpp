#include "widgets/search/fuzzy.h"

#include <algorithm>

#include <QList>

namespace wattproof::widgets {
namespace {

constexpr int kLetter = 1, kAtWord = 8, kBeside = 6, kAtBegin = 4, kWhole = 20;

bool beginsWord(QStringView text, qsizetype i) {
    return i == 0 || !text[i - 1].isLetterOrNumber() || (text[i].isDigit() && !text[i - 1].isDigit());
}

// From a place on, always the next letter that fits.
std::optional<int> scoreFrom(QStringView word, QStringView text, qsizetype at) {
    int score = at == 0 ? kAtBegin : 0;
    qsizetype last = -2;
    for (const QChar letter : word) {
        const qsizetype found = text.indexOf(letter, at);
        if (found < 0)
            return std::nullopt;
        score += kLetter + (beginsWord(text, found) ? kAtWord : 0) + (found == last + 1 ? kBeside : 0);
        last = found;
        at = found + 1;
    }
    return score;
}

// Each beginning is tried: the first letter that fits is not always the one that is meant.
std::optional<int> scoreOf(QStringView word, QStringView text) {
    std::optional<int> best;
    for (qsizetype at = text.indexOf(word[0]); at >= 0; at = text.indexOf(word[0], at + 1)) {
        const auto score = scoreFrom(word, text, at);
        if (!score)
            break;
        best = std::max(best.value_or(0), *score);
    }
    if (best && text.contains(word))
        *best += kWhole;
    return best;
}

}  // namespace

QString folded(const QString &text) {
    return text.toCaseFolded();
}

std::optional<int> fuzzyScore(QStringView pattern, QStringView text) {
    int sum = 0;
    for (const QStringView word : pattern.split(u' ', Qt::SkipEmptyParts)) {
        const auto score = scoreOf(word, text);
        if (!score)
            return std::nullopt;
        sum += *score;
    }
    return sum * 16 - static_cast<int>(std::min<qsizetype>(text.size(), 256));
}

}  // namespace wattproof::widgets
