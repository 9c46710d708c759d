#include "widgets/sql/result_series.h"

#include "widgets/panes/words.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wattproof::widgets {
namespace {

constexpr double kNsInASecond = 1e9;
constexpr qsizetype kLabel = 24;  // letters

bool isNumeric(const store::QueryResult &result, std::size_t column) {
    bool any = false;
    for (const std::vector<int> &types : result.types) {
        const int type = types[column];
        if (type == store::kText || type == store::kBlob)
            return false;
        any = any || type != store::kNull;
    }
    return any;
}

double valueAt(const store::QueryResult &result, std::size_t row, int column) {
    const auto number = numberAt(result, row, static_cast<std::size_t>(column));
    const double unit = isInNanoseconds(result.columns[static_cast<std::size_t>(column)]) ? kNsInASecond : 1;
    return number ? *number / unit : std::numeric_limits<double>::quiet_NaN();
}

QString labelAt(const store::QueryResult &result, std::size_t row, int column) {
    const QString text = qs(result.rows[row][static_cast<std::size_t>(column)]);
    return text.size() > kLabel ? text.left(kLabel) + QChar(0x2026) : text;
}

}  // namespace

bool isInNanoseconds(const std::string &column) {
    return column == "ts" || column == "dur";
}

std::vector<int> numericColumns(const store::QueryResult &result) {
    std::vector<int> columns;
    for (std::size_t column = 0; column < result.columns.size(); ++column)
        if (isNumeric(result, column))
            columns.push_back(static_cast<int>(column));
    return columns;
}

ResultSeries seriesOf(const store::QueryResult &result, const RowOrder &order, int x, int y, std::size_t most) {
    ResultSeries series;
    series.cut = result.rows.size() > most;
    const bool texts = x >= 0 && !isNumeric(result, static_cast<std::size_t>(x));
    for (std::size_t at = 0; at < std::min(most, result.rows.size()); ++at) {
        const std::size_t row = rowAt(order, at);
        const double place = x < 0 || texts ? static_cast<double>(at + 1) : valueAt(result, row, x);
        if (std::isnan(place))
            continue;
        series.x << place;
        series.y << valueAt(result, row, y);
        if (texts)
            series.labels << labelAt(result, row, x);
    }
    return series;
}

QString tickText(double value, double step, double most, const QString &unit) {
    constexpr std::pair<double, const char *> kPrefixes[] = {{1e12, "T"}, {1e9, "G"},  {1e6, "M"},  {1e3, "k"},
                                                             {1, ""},     {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
    std::pair<double, const char *> prefix{1, ""};
    for (const auto &candidate : kPrefixes) {
        prefix = candidate;
        if (std::abs(most) >= candidate.first)
            break;
    }
    if (most == 0)
        prefix = {1, ""};
    const double scaledStep = std::abs(step) / prefix.first;
    const int decimals =
        scaledStep > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(scaledStep) - 1e-9)), 0, 9) : 0;
    // A zero has no sign.
    const double shown = std::abs(value) < std::abs(step) / 1e6 ? 0 : value / prefix.first;
    const QString tail = QString::fromUtf8(prefix.second) + unit;
    return QString::number(shown, 'f', decimals) + (tail.isEmpty() ? QString() : QChar(0x2009) + tail);
}

}  // namespace wattproof::widgets
