// The SQL console: an editor over the public views, and what the last query answered.
#pragma once

#include "report/draw/theme.h"
#include "widgets/session.h"
#include "widgets/sql/query_history.h"
#include "widgets/sql/result_order.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QMenu;
class QSettings;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace wattproof::widgets {

class EmptyHint;
class LongTable;
class ResultChart;
class ResultModel;
class SqlEditor;

class SqlPane : public QWidget {
    Q_OBJECT

public:
    SqlPane(Session *session, const draw::Theme &theme, QWidget *parent = nullptr);

    void setTheme(const draw::Theme &);
    void useSettings(QSettings *);  // where the history is kept
    void begin();                   // the keyboard into the editor

    void run(qint64 rowLimit = kFirstRows);
    void cancel();
    [[nodiscard]] bool isRunning() const { return running_; }

    [[nodiscard]] SqlEditor *editor() const { return editor_; }
    [[nodiscard]] const ResultModel &model() const { return *model_; }
    [[nodiscard]] LongTable *table() const { return table_; }
    [[nodiscard]] ResultChart *chart() const { return chart_; }
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] QString errorText() const;

    static constexpr qint64 kFirstRows = 1'000;
    static constexpr std::size_t kMostBytes = std::size_t{256} << 20;  // of an answer in memory

signals:
    void exportRequested(const QString &suffix);  // "csv", "json"

protected:
    void resizeEvent(QResizeEvent *) override;

private:
    struct Answer {
        Expected<store::QueryResult> result;
        qint64 fault = -1;  // byte of the text
        qint64 elapsed = 0;  // ns
    };

    void arrange();
    void connectParts();
    QWidget *makeLine();
    QToolButton *makeButton(const QString &name, const QString &text, const QString &hint);
    void askViews();
    void show(Answer &&);
    void showError(const Error &, qsizetype place);
    void showRunning(bool running);
    void enableButtons();
    void say();
    void showRows();  // as a table, or drawn
    void sort(int column, Qt::SortOrder);
    void jump(qint64 row);
    void copyRows() const;
    void copyCell() const;
    void walkHistory(int direction);
    void fillHistoryMenu();

    Session *session_;
    const draw::Theme *theme_;
    QueryHistory history_;
    SqlEditor *editor_;
    QLabel *error_;
    QLabel *status_;
    QToolButton *run_ = nullptr, *cancel_ = nullptr, *all_ = nullptr, *past_ = nullptr, *export_ = nullptr,
                *drawn_ = nullptr;
    QMenu *pastMenu_;
    QSplitter *splitter_;
    QStackedWidget *pages_;
    EmptyHint *hint_;
    ResultModel *model_;
    LongTable *table_;
    ResultChart *chart_;
    bool running_ = false;
    int turn_ = 0;       // of the run: the answer to an earlier one may still be under way
    bool ran_ = false;   // what stands in the status is of an answer
    QString statement_;  // that runs or ran
    int statementBegin_ = 0;
    qint64 elapsed_ = 0;
    QElapsedTimer clock_;
    QTimer tick_;
};

}  // namespace wattproof::widgets
