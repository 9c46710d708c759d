// What the events table is asked for: texts, durations, and where.
#pragma once

#include <optional>
#include <utility>

#include "store/time.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QLineEdit;

namespace wattproof::widgets {

enum class EventScope { Everything, Area, Visible };

class EventFilterBar : public QWidget {
    Q_OBJECT

public:
    explicit EventFilterBar(QWidget *parent = nullptr);

    [[nodiscard]] QString name() const;
    [[nodiscard]] QString category() const;
    [[nodiscard]] QString track() const;
    [[nodiscard]] Ns least() const;
    [[nodiscard]] Ns most() const;
    [[nodiscard]] EventScope scope() const;
    void setName(const QString &);  // and no other condition
    void setScope(EventScope);
    [[nodiscard]] QLineEdit *nameField() const { return name_; }

signals:
    void changed();  // a moment after the last letter

private:
    QLineEdit *makeField(const QString &name, const QString &label, const QString &hint);
    void limitsChanged();

    QLineEdit *name_, *category_, *track_, *least_, *most_;
    QComboBox *scope_;
    QTimer settle_;
};

// "5 ms" as typed; empty: no limit. None: not understood.
[[nodiscard]] std::optional<Ns> durationLimit(const QString &text, Ns ifEmpty);

}  // namespace wattproof::widgets
