// All slices of a filter as a table, linked with the timeline both ways. Only the ids are asked for at once: the first
// of them at first, then all; rows come as they come into sight.
#pragma once

#include "widgets/events/event_filter_bar.h"
#include "widgets/events/events_model.h"
#include "widgets/session.h"

#include <optional>

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QStackedWidget;

namespace wattproof::widgets {

class EmptyHint;
class LongTable;

class EventsPane : public QWidget {
    Q_OBJECT

public:
    explicit EventsPane(Session *session, QWidget *parent = nullptr);

    void begin();                           // the keyboard into the field for names
    void showNamed(const QString &name);    // everything that holds the name
    [[nodiscard]] EventFilterBar *filterBar() const { return bar_; }
    [[nodiscard]] const EventsModel &model() const { return *model_; }
    [[nodiscard]] LongTable *table() const { return table_; }
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] bool isComplete() const { return complete_; }

    static constexpr qint64 kFirst = 4 * EventsModel::kPageRows;
    static constexpr qint64 kMostCopied = 100'000;

protected:
    void showEvent(QShowEvent *) override;

private:
    struct Question {
        store::EventFilter filter;
        store::EventOrder order;
        bool operator==(const Question &) const = default;
    };

    void arrange();
    void connectParts();
    [[nodiscard]] Question question() const;
    struct Whole {
        EventIds ids;
        bool same = false;  // as those that are shown
    };

    void ask();       // when it differs from what was asked last
    void askAgain();  // in any case: the data differ. What is shown stays until the answer, and after it if it is the same
    void askAll();
    void takeFirst(Expected<std::vector<SliceId>> &&);
    void takeAll(Expected<Whole> &&);
    void askRows(qint64 firstPage, qint64 lastPage);
    void takeNames();
    void selectionChanged();
    void findSelected();
    void selectRow(qint64 row);
    void sort(int column, Qt::SortOrder);
    void copy();
    void say();
    void sayError(const Error &);

    Session *session_;
    EventFilterBar *bar_;
    QLabel *status_;
    QStackedWidget *pages_;
    EmptyHint *hint_;
    EventsModel *model_;
    LongTable *table_;
    std::shared_ptr<const TrackNames> names_ = std::make_shared<const TrackNames>();
    std::optional<Selection> area_;    // the last: it stays while its slices are gone through
    std::optional<Question> asked_;
    store::EventOrder order_;
    bool complete_ = false;
    int turn_ = 0;    // of the question: answers to an earlier one may still be under way
    SliceId chosen_;  // by this table
    QElapsedTimer clock_;
    QTimer settle_;
};

}  // namespace wattproof::widgets
