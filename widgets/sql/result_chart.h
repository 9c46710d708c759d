// The answer of a query as a line or as bars.
#pragma once

#include "report/draw/theme.h"
#include "widgets/sql/result_order.h"

#include <memory>

#include <QWidget>

class QComboBox;
class QLabel;

namespace wattproof::widgets {

class ResultChart : public QWidget {
    Q_OBJECT

public:
    explicit ResultChart(const draw::Theme &, QWidget *parent = nullptr);
    ~ResultChart() override;

    void setTheme(const draw::Theme &);
    void setResult(ResultPtr, RowOrder);
    // What is drawn: none without a numeric column.
    [[nodiscard]] int points() const;
    [[nodiscard]] QComboBox *xBox() const { return x_; }
    [[nodiscard]] QComboBox *yBox() const { return y_; }
    [[nodiscard]] QComboBox *kindBox() const { return kind_; }

    static constexpr std::size_t kMostPoints = 100'000, kMostBars = 400;

private:
    struct Parts;
    void draw();

    std::unique_ptr<Parts> parts_;
    QComboBox *x_, *y_, *kind_;
    QLabel *word_;
    ResultPtr result_;
    RowOrder order_;
};

}  // namespace wattproof::widgets
