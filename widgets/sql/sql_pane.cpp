#include "widgets/sql/sql_pane.h"

#include "widgets/panes/empty_hint.h"
#include "widgets/panes/words.h"
#include "widgets/sql/result_chart.h"
#include "widgets/sql/result_jump.h"
#include "widgets/sql/result_model.h"
#include "widgets/sql/sql_editor.h"
#include "widgets/sql/sql_text.h"
#include "widgets/tables/go_to.h"
#include "widgets/tables/long_table.h"

#include <limits>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

constexpr int kTickMs = 200;
constexpr int kMostPast = 20;       // entries of the menu; the keys go further
constexpr qsizetype kPastText = 80;
constexpr int kWidestColumn = 360;
constexpr double kBesideFrom = 1.8;  // width to height from which editor and answer stand side by side
const char *const kRunKey = "sql/run";

QString rowsText(qint64 rows) {
    return rows == 1 ? SqlPane::tr("1 row") : SqlPane::tr("%1 rows").arg(QLocale().toString(rows));
}

}  // namespace

SqlPane::SqlPane(Session *session, const draw::Theme &theme, QWidget *parent)
    : QWidget(parent),
      session_(session),
      theme_(&theme),
      editor_(new SqlEditor(theme, this)),
      error_(new QLabel(this)),
      status_(new QLabel(this)),
      pastMenu_(new QMenu(this)),
      splitter_(new QSplitter(Qt::Horizontal, this)),
      pages_(new QStackedWidget(this)),
      hint_(new EmptyHint(tr("The whole workspace as tables: slices, gpu_kernels, counters, samples, energy, findings "
                             "and more. Write a SELECT and press Ctrl+Enter."),
                          tr("Try an example"), this)),
      model_(new ResultModel(this)),
      table_(new LongTable(this)),
      chart_(new ResultChart(theme, this)) {
    error_->setWordWrap(true);
    error_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    error_->setContentsMargins(8, 4, 8, 4);
    error_->setAccessibleName(tr("Error of the query"));
    error_->hide();
    table_->setModel(model_);
    table_->table()->setAccessibleName(tr("Rows of the query"));
    arrange();
    connectParts();
    showRunning(false);
    setTheme(theme);
    askViews();
}

void SqlPane::arrange() {
    pages_->addWidget(hint_);
    pages_->addWidget(table_);
    pages_->addWidget(chart_);
    auto *text = new QWidget(this);
    auto *textLayout = new QVBoxLayout(text);
    textLayout->setContentsMargins(0, 0, 0, 0);
    textLayout->setSpacing(0);
    textLayout->addWidget(editor_, 1);
    textLayout->addWidget(error_);
    splitter_->addWidget(text);
    splitter_->addWidget(pages_);
    splitter_->setStretchFactor(0, 2);
    splitter_->setStretchFactor(1, 3);
    splitter_->setChildrenCollapsible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeLine());
    layout->addWidget(splitter_, 1);
}

void SqlPane::connectParts() {
    auto *cell = new QAction(tr("Copy cell"), this);
    cell->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_C);
    cell->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    auto *rows = new QAction(tr("Copy rows"), this);
    table_->addActions({rows, cell});
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(cell, &QAction::triggered, this, &SqlPane::copyCell);
    connect(rows, &QAction::triggered, this, &SqlPane::copyRows);
    connect(editor_, &SqlEditor::runRequested, this, [this] { run(); });
    connect(editor_, &SqlEditor::cancelRequested, this, &SqlPane::cancel);
    connect(editor_, &SqlEditor::historyRequested, this, &SqlPane::walkHistory);
    connect(hint_, &EmptyHint::triggered, this, [this] {
        editor_->put(qs(store::exampleQuery()));
        run();
    });
    connect(table_, &LongTable::activated, this, &SqlPane::jump);
    connect(table_, &LongTable::copyRequested, this, &SqlPane::copyRows);
    connect(table_, &LongTable::sortRequested, this, &SqlPane::sort);
    connect(pastMenu_, &QMenu::aboutToShow, this, &SqlPane::fillHistoryMenu);
    tick_.setInterval(kTickMs);
    connect(&tick_, &QTimer::timeout, this, &SqlPane::say);
}

QToolButton *SqlPane::makeButton(const QString &name, const QString &text, const QString &hint) {
    auto *button = new QToolButton(this);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(hint);
    return button;
}

QWidget *SqlPane::makeLine() {
    auto *line = new QWidget(this);
    auto *layout = new QHBoxLayout(line);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(8);
    run_ = makeButton(QStringLiteral("sql-run"), tr("Run"), tr("Run the text, or the selected part of it (Ctrl+Enter)"));
    cancel_ = makeButton(QStringLiteral("sql-cancel"), tr("Cancel"), tr("Stop the query (Esc)"));
    all_ = makeButton(QStringLiteral("sql-all"), tr("All rows"),
                      tr("Run it again without the limit of %1 rows; at most %2 MB of them are kept")
                          .arg(QLocale().toString(kFirstRows))
                          .arg(kMostBytes >> 20));
    past_ = makeButton(QStringLiteral("sql-history"), tr("History"), tr("What ran before (Ctrl+Up, Ctrl+Down)"));
    export_ = makeButton(QStringLiteral("sql-export"), tr("Save as…"), tr("Save the rows as CSV or JSON"));
    drawn_ = makeButton(QStringLiteral("sql-chart"), tr("Chart"), tr("Draw the rows instead of listing them"));
    drawn_->setCheckable(true);
    auto *copy = makeButton(QStringLiteral("sql-copy"), tr("Copy"), tr("Copy the selected rows, or all"));
    past_->setMenu(pastMenu_);
    past_->setPopupMode(QToolButton::InstantPopup);
    auto *formats = new QMenu(export_);
    for (const char *suffix : {"csv", "json"})
        connect(formats->addAction(QString::fromLatin1(suffix).toUpper()), &QAction::triggered, this,
                [this, suffix] { emit exportRequested(QString::fromLatin1(suffix)); });
    export_->setMenu(formats);
    export_->setPopupMode(QToolButton::InstantPopup);
    status_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    status_->setAccessibleName(tr("State of the query"));
    for (QWidget *widget : std::initializer_list<QWidget *>{run_, cancel_, past_})
        layout->addWidget(widget);
    layout->addWidget(status_, 1);
    for (QWidget *widget : std::initializer_list<QWidget *>{all_, drawn_, copy, export_})
        layout->addWidget(widget);
    connect(run_, &QToolButton::clicked, this, [this] { run(); });
    connect(cancel_, &QToolButton::clicked, this, &SqlPane::cancel);
    connect(all_, &QToolButton::clicked, this, [this] { run(std::numeric_limits<qint64>::max()); });
    connect(drawn_, &QToolButton::toggled, this, &SqlPane::showRows);
    connect(copy, &QToolButton::clicked, this, &SqlPane::copyRows);
    return line;
}

void SqlPane::askViews() {
    session_->longQueries().ask(
        this, "sql/views", [](store::Reader &, const std::stop_token &) { return store::publicViews(); },
        [this](Expected<std::vector<store::PublicView>> &&views) {
            if (views)
                editor_->setViews(std::move(*views));
        });
}

void SqlPane::setTheme(const draw::Theme &theme) {
    theme_ = &theme;
    editor_->setTheme(theme);
    chart_->setTheme(theme);
    QPalette colours = error_->palette();
    colours.setColor(QPalette::WindowText, theme.bad);
    error_->setPalette(colours);
}

void SqlPane::useSettings(QSettings *settings) {
    history_.use(settings);
}

void SqlPane::begin() {
    editor_->setFocus(Qt::ShortcutFocusReason);
}

void SqlPane::run(qint64 rowLimit) {
    const bool again = rowLimit != kFirstRows;  // all rows of what is shown, whatever stands in the editor now
    const QString text = again ? statement_ : editor_->statement();
    if (text.trimmed().isEmpty())
        return;
    statement_ = text;
    if (!again) {
        statementBegin_ = editor_->statementBegin();
        history_.add(text);
    }
    error_->hide();
    editor_->showFault(-1);
    showRunning(true);
    const auto read = [sql = text.toStdString(), rowLimit](store::Reader &reader, const std::stop_token &stop) {
        QElapsedTimer clock;
        clock.start();
        Answer answer{reader.query(sql, {rowLimit, kMostBytes}, {}, stop), -1, 0};
        answer.fault = reader.faultPosition();
        answer.elapsed = clock.nsecsElapsed();
        return answer;
    };
    session_->longQueries().ask(this, kRunKey, read, [this, turn = ++turn_](Answer &&answer) {
        if (turn == turn_)
            show(std::move(answer));
    });
}

// The stopped query gives no answer: what was shown before stays.
void SqlPane::cancel() {
    if (!running_)
        return;
    session_->longQueries().service().cancel(kRunKey);
    ++turn_;
    showRunning(false);
    status_->setText(tr("Cancelled after %1").arg(durationText(clock_.nsecsElapsed())));
}

void SqlPane::show(Answer &&answer) {
    elapsed_ = answer.elapsed;
    showRunning(false);
    if (!answer.result)
        return showError(answer.result.error(), placeOfByte(statement_, answer.fault));
    ResultPtr before = model_->result();
    model_->setResult(std::make_shared<const store::QueryResult>(std::move(*answer.result)));
    // Giving back the memory of millions of cells takes a while: not on this thread.
    session_->longQueries().service().submit(
        {}, [old = std::move(before)](store::Reader &, const std::stop_token &) mutable { old.reset(); });
    table_->showSort(-1, Qt::AscendingOrder);
    table_->table()->resizeColumnsToContents();
    for (int column = 0; column < model_->columnCount(); ++column)
        if (table_->table()->columnWidth(column) > kWidestColumn)
            table_->table()->setColumnWidth(column, kWidestColumn);
    ran_ = true;
    showRows();
    enableButtons();
    say();
}

void SqlPane::showError(const Error &error, qsizetype place) {
    if (isCancelled(error))
        return;
    status_->clear();
    error_->setText(qs(error.sentence()));
    error_->show();
    editor_->showFault(place < 0 ? -1 : place + statementBegin_);
}

void SqlPane::showRunning(bool running) {
    running_ = running;
    run_->setEnabled(!running);
    cancel_->setVisible(running);
    enableButtons();
    if (running) {
        clock_.start();
        tick_.start();
        say();
    } else {
        tick_.stop();
    }
}

void SqlPane::enableButtons() {
    const auto &result = model_->result();
    all_->setVisible(!running_ && result && result->truncated && !result->full);
    export_->setEnabled(!running_ && result);
}

void SqlPane::say() {
    if (running_)
        return status_->setText(tr("Running for %1…").arg(durationText(clock_.nsecsElapsed())));
    const auto &result = model_->result();
    if (!ran_ || !result)
        return;
    QString text = rowsText(model_->total());
    if (result->full)
        text = tr("First %1: the answer filled the %2 MB that are kept").arg(text).arg(kMostBytes >> 20);
    else if (result->truncated)
        text = tr("First %1, there are more").arg(text);
    text = tr("%1 in %2").arg(text, durationText(elapsed_));
    if (canJump(*result))
        text += tr(" · double-click or Enter goes to a row's time");
    status_->setText(text);
}

// The chart is made when it is asked for.
void SqlPane::showRows() {
    if (!ran_)
        return;
    if (drawn_->isChecked())
        chart_->setResult(model_->result(), model_->order());
    pages_->setCurrentWidget(drawn_->isChecked() ? static_cast<QWidget *>(chart_) : table_);
}

void SqlPane::sort(int column, Qt::SortOrder order) {
    const auto work = [result = model_->result(), column, order](store::Reader &, const std::stop_token &stop) {
        auto rows = orderBy(*result, static_cast<std::size_t>(column), order == Qt::DescendingOrder, stop);
        return std::pair(result, rows ? std::make_shared<const std::vector<std::uint32_t>>(std::move(*rows)) : RowOrder());
    };
    session_->longQueries().ask(this, "sql/sort", work, [this](std::pair<ResultPtr, RowOrder> &&sorted) {
        if (sorted.second && sorted.first == model_->result()) {
            model_->setOrder(sorted.second);
            table_->setCurrentRow(-1);
            showRows();
        }
    });
}

void SqlPane::jump(qint64 row) {
    const JumpTarget target = jumpTarget(*model_->result(), rowAt(model_->order(), static_cast<std::size_t>(row)));
    if (target.slice.valid()) {
        goToSlice(*session_, this, "sql/jump", target.slice);
    } else if (target.range) {
        goToRange(session_->view(), *target.range, target.track);
    } else if (target.track.valid()) {
        goToRange(session_->view(), session_->view().visible(), target.track);
    }
}

void SqlPane::copyRows() const {
    if (model_->total() == 0)
        return;
    const auto rows = table_->selectedRows().value_or(std::pair<qint64, qint64>(0, model_->total() - 1));
    QGuiApplication::clipboard()->setText(model_->copied(rows.first, rows.second));
}

void SqlPane::copyCell() const {
    if (table_->currentRow() >= 0)
        QGuiApplication::clipboard()->setText(model_->text(table_->currentRow(), table_->currentColumn()));
}

void SqlPane::walkHistory(int direction) {
    if (const QString text = history_.step(direction, editor_->toPlainText()); !text.isNull())
        editor_->put(text);
}

void SqlPane::fillHistoryMenu() {
    pastMenu_->clear();
    const QStringList &entries = history_.entries();
    for (qsizetype i = entries.size() - 1; i >= 0 && i >= entries.size() - kMostPast; --i) {
        QString text = entries[i].simplified().left(kPastText);
        connect(pastMenu_->addAction(text.replace(QLatin1Char('&'), QLatin1String("&&"))), &QAction::triggered, this,
                [this, entry = entries[i]] {
                    editor_->put(entry);
                    begin();
                });
    }
    if (entries.isEmpty())
        pastMenu_->addAction(tr("Nothing ran yet"))->setEnabled(false);
}

QString SqlPane::statusText() const {
    return status_->text();
}

QString SqlPane::errorText() const {
    return error_->isHidden() ? QString() : error_->text();
}

void SqlPane::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    splitter_->setOrientation(width() > kBesideFrom * height() ? Qt::Horizontal : Qt::Vertical);
}

}  // namespace wattproof::widgets
