// Two columns of an answer as points to draw.
#pragma once

#include "widgets/sql/result_order.h"

#include <QStringList>
#include <QVector>

namespace wattproof::widgets {

// Columns that hold a number somewhere and nothing but numbers and NULL.
[[nodiscard]] std::vector<int> numericColumns(const store::QueryResult &);

struct ResultSeries {
    QVector<double> x, y;    // y NaN: unknown, the line stays open
    QStringList labels;      // of the rows, where x is a text
    bool cut = false;        // there are more rows

    [[nodiscard]] bool isEmpty() const { return x.isEmpty(); }
};

// The first `most` rows as they are shown. x -1, or a column of texts: rows stand side by side. Times and durations of
// the public views, in nanoseconds, become seconds.
[[nodiscard]] ResultSeries seriesOf(const store::QueryResult &, const RowOrder &, int x, int y, std::size_t most);
[[nodiscard]] bool isInNanoseconds(const std::string &column);

// A number of an axis whose ticks are `step` apart, up to `most`: "12.34 k", with the unit behind it.
[[nodiscard]] QString tickText(double value, double step, double most, const QString &unit);

}  // namespace wattproof::widgets
