// Which part of a trace is wanted: a time and categories, checked while they are typed.
#pragma once

#include "widgets/import_service.h"

#include <functional>

#include <QWidget>

class QLabel;
class QLineEdit;

namespace wattproof::widgets {

class PartFields : public QWidget {
    Q_OBJECT

public:
    // check: whether the part is written as it has to be; called while typing.
    using Check = std::function<Status(const TracePart &)>;
    explicit PartFields(Check check, QWidget *parent = nullptr);

    // For a row above or below that is to stand in line with these.
    static constexpr int kLabelSpacing = 12;
    [[nodiscard]] int labelWidth() const;

    void setPart(const TracePart &);
    [[nodiscard]] TracePart part() const;
    [[nodiscard]] bool isValid() const { return valid_; }
    [[nodiscard]] QString message() const;
    [[nodiscard]] QLineEdit *beginField() const { return begin_; }
    [[nodiscard]] QLineEdit *endField() const { return end_; }
    [[nodiscard]] QLineEdit *categoriesField() const { return categories_; }

signals:
    void changed();

private:
    void build();
    void look();

    Check check_;
    QLineEdit *begin_;
    QLineEdit *end_;
    QLineEdit *categories_;
    QLabel *message_;
    bool valid_ = true;
};

}  // namespace wattproof::widgets
