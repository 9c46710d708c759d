// The console's editor: highlighted, completed, with the place of an error underlined.
#pragma once

#include "report/draw/theme.h"
#include "store/public_views.h"

#include <QPlainTextEdit>

class QCompleter;
class QStringListModel;

namespace wattproof::widgets {

class SqlHighlighter;

class SqlEditor : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit SqlEditor(const draw::Theme &, QWidget *parent = nullptr);

    void setTheme(const draw::Theme &);
    void setViews(std::vector<store::PublicView>);
    // What is to be run: the selected part, or all; and where it begins in the text.
    [[nodiscard]] QString statement() const;
    [[nodiscard]] int statementBegin() const;
    void showFault(qsizetype at);  // underlines the word there; -1: nothing
    void put(const QString &text);  // as if typed, so that it can be undone
    [[nodiscard]] QCompleter *completer() const { return completer_; }

signals:
    void runRequested();
    void cancelRequested();
    void historyRequested(int direction);  // -1: older

protected:
    bool event(QEvent *) override;
    void keyPressEvent(QKeyEvent *) override;

private:
    [[nodiscard]] bool isOurs(const QKeyEvent &) const;
    void command(const QKeyEvent &);
    void complete(bool asked);
    void insertCompletion(const QString &);

    const draw::Theme *theme_;
    SqlHighlighter *highlighter_;
    QStringListModel *words_;
    QCompleter *completer_;
    std::vector<store::PublicView> views_;
};

}  // namespace wattproof::widgets
