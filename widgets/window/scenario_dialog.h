// What counts as work, and which latency is promised: the scenario document, checked while it is typed.
#pragma once

#include "widgets/session.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace wattproof::widgets {

class ScenarioDialog : public QDialog {
    Q_OBJECT

public:
    explicit ScenarioDialog(Session *session, QWidget *parent = nullptr);
    [[nodiscard]] QPlainTextEdit *editor() const { return editor_; }
    [[nodiscard]] QString message() const;
    void apply();

private:
    void load();
    void check();

    Session *session_;
    QPlainTextEdit *editor_;
    QLabel *message_;
    QPushButton *apply_;
};

}  // namespace wattproof::widgets
