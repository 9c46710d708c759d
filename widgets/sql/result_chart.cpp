#include "widgets/sql/result_chart.h"

#include "widgets/panes/words.h"
#include "widgets/sql/result_series.h"

#include <algorithm>
#include <cmath>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <qcustomplot.h>

namespace wattproof::widgets {
namespace {

enum Kind { Line, Bars };

constexpr double kBarShare = 0.8;  // of the distance between rows
constexpr int kTicks = 5, kMostLabels = 12;

// Ticks with SI prefixes; nothing like 1.24e+03.
class SiTicker : public QCPAxisTicker {
public:
    SiTicker(QString unit, double most) : unit_(std::move(unit)), most_(most) { setTickCount(kTicks); }

protected:
    double getTickStep(const QCPRange &range) override { return step_ = QCPAxisTicker::getTickStep(range); }
    QString getTickLabel(double tick, const QLocale &, QChar, int) override {
        return tickText(tick, step_, most_, unit_);
    }

private:
    QString unit_;
    double most_, step_ = 1;
};

QString unitOf(const store::QueryResult &result, int column) {
    const bool time = column >= 0 && isInNanoseconds(result.columns[static_cast<std::size_t>(column)]);
    return time ? QStringLiteral("s") : QString();
}

double largest(const QVector<double> &values) {
    double most = 0;
    for (const double value : values)
        if (!std::isnan(value))
            most = std::max(most, std::abs(value));
    return most;
}

double leastDistance(QVector<double> values) {
    std::sort(values.begin(), values.end());
    double least = 0;
    for (qsizetype i = 1; i < values.size(); ++i) {
        const double distance = values[i] - values[i - 1];
        if (distance > 0 && (least == 0 || distance < least))
            least = distance;
    }
    return least > 0 ? least : 1;
}

}  // namespace

struct ResultChart::Parts {
    QCustomPlot *plot = nullptr;
    const draw::Theme *theme = nullptr;
    int points = 0;

    void applyTheme() const {
        plot->setBackground(theme->background);
        for (QCPAxis *axis : {plot->xAxis, plot->yAxis}) {
            axis->setBasePen(QPen(theme->grid, 0));
            axis->setTickPen(QPen(theme->grid, 0));
            axis->setSubTickPen(Qt::NoPen);
            axis->setTickLabelColor(theme->muted);
            axis->setLabelColor(theme->text);
            axis->setTickLabelFont(plot->font());
            axis->setLabelFont(plot->font());
            axis->grid()->setPen(QPen(theme->grid, 0));
            axis->grid()->setZeroLinePen(Qt::NoPen);
        }
    }

    void addLine(const ResultSeries &series) const {
        QCPGraph *graph = plot->addGraph();
        graph->setAdaptiveSampling(true);
        graph->setPen(QPen(theme->accent, 0));
        graph->setData(series.x, series.y);
    }

    void addBars(const ResultSeries &series) const {
        auto *bars = new QCPBars(plot->xAxis, plot->yAxis);
        bars->setWidth(leastDistance(series.x) * kBarShare);
        bars->setPen(Qt::NoPen);
        bars->setBrush(theme->accent);
        bars->setData(series.x, series.y);
    }

    void setTickers(const ResultSeries &series, const QString &xUnit, const QString &yUnit) const {
        plot->yAxis->setTicker(QSharedPointer<SiTicker>::create(yUnit, largest(series.y)));
        if (series.labels.isEmpty())
            return plot->xAxis->setTicker(QSharedPointer<SiTicker>::create(xUnit, largest(series.x)));
        auto words = QSharedPointer<QCPAxisTickerText>::create();
        const qsizetype every = (series.labels.size() + kMostLabels - 1) / kMostLabels;
        for (qsizetype i = 0; i < series.labels.size(); i += every)
            words->addTick(series.x[i], series.labels[i]);
        plot->xAxis->setTicker(words);
    }
};

ResultChart::ResultChart(const draw::Theme &theme, QWidget *parent)
    : QWidget(parent),
      parts_(std::make_unique<Parts>()),
      x_(new QComboBox(this)),
      y_(new QComboBox(this)),
      kind_(new QComboBox(this)),
      word_(new QLabel(this)) {
    parts_->plot = new QCustomPlot(this);
    parts_->theme = &theme;
    parts_->plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    parts_->plot->setAccessibleName(tr("Chart of the query"));
    x_->setAccessibleName(tr("Across"));
    y_->setAccessibleName(tr("Up"));
    kind_->setAccessibleName(tr("Kind of chart"));
    kind_->addItems({tr("Line"), tr("Bars")});
    word_->setForegroundRole(QPalette::PlaceholderText);
    auto *line = new QHBoxLayout;
    line->setContentsMargins(8, 4, 8, 4);
    line->setSpacing(8);
    line->addWidget(y_);
    line->addWidget(new QLabel(tr("by"), this));
    line->addWidget(x_);
    line->addWidget(kind_);
    line->addWidget(word_, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(line);
    layout->addWidget(parts_->plot, 1);
    for (QComboBox *box : {x_, y_, kind_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        connect(box, &QComboBox::currentIndexChanged, this, &ResultChart::draw);
    }
    setTheme(theme);
}

ResultChart::~ResultChart() = default;

void ResultChart::setTheme(const draw::Theme &theme) {
    parts_->theme = &theme;
    parts_->applyTheme();
    draw();
}

// The first column across, the first of numbers behind it up; one column alone stands by its rows.
void ResultChart::setResult(ResultPtr result, RowOrder order) {
    const bool sameColumns = result_ && result && result_->columns == result->columns;
    result_ = std::move(result);
    order_ = std::move(order);
    const std::vector<int> numbers = result_ ? numericColumns(*result_) : std::vector<int>();
    if (!sameColumns || y_->count() != static_cast<int>(numbers.size())) {
        const QSignalBlocker quietX(x_), quietY(y_), quietKind(kind_);
        x_->clear();
        y_->clear();
        x_->addItem(tr("row"), -1);
        for (int column = 0; result_ && column < static_cast<int>(result_->columns.size()); ++column)
            x_->addItem(qs(result_->columns[static_cast<std::size_t>(column)]), column);
        for (const int column : numbers)
            y_->addItem(qs(result_->columns[static_cast<std::size_t>(column)]), column);
        const bool first = numbers.size() > 1 && numbers.front() == 0;
        y_->setCurrentIndex(first ? 1 : 0);
        x_->setCurrentIndex(numbers.empty() || numbers == std::vector<int>{0} ? 0 : 1);
        kind_->setCurrentIndex(first ? Line : Bars);
    }
    draw();
}

int ResultChart::points() const {
    return parts_->points;
}

void ResultChart::draw() {
    QCustomPlot *plot = parts_->plot;
    plot->clearPlottables();
    parts_->points = 0;
    word_->clear();
    if (!result_ || y_->count() == 0) {
        word_->setText(tr("There is no column of numbers to draw."));
        return plot->replot(QCustomPlot::rpQueuedReplot);
    }
    const int x = x_->currentData().toInt(), y = y_->currentData().toInt();
    const bool bars = kind_->currentIndex() == Bars;
    const std::size_t most = bars ? kMostBars : kMostPoints;
    const ResultSeries series = seriesOf(*result_, order_, x, y, most);
    parts_->points = static_cast<int>(series.x.size());
    parts_->setTickers(series, unitOf(*result_, x), unitOf(*result_, y));
    if (bars)
        parts_->addBars(series);
    else
        parts_->addLine(series);
    plot->xAxis->setLabel(x_->currentText());
    plot->yAxis->setLabel(y_->currentText());
    if (series.cut)
        word_->setText(tr("of the first %1 rows").arg(QLocale().toString(static_cast<qulonglong>(most))));
    plot->rescaleAxes();
    plot->xAxis->scaleRange(1.05);
    plot->yAxis->scaleRange(1.08);
    plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace wattproof::widgets
