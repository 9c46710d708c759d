// The search of a session: what is typed, its hits, and the way from one to the next. Panes mark what it found; the search
// bar is one of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "store/search.h"
#include "widgets/session.h"

#include <QObject>
#include <QString>

namespace wattproof::widgets {

class SliceFinder : public QObject {
    Q_OBJECT

public:
    // The one of a session; made on first use.
    [[nodiscard]] static SliceFinder *of(Session *);

    [[nodiscard]] QString text() const { return text_; }
    // A search that runs ends; an empty text finds nothing and marks nothing.
    void setText(const QString &);
    [[nodiscard]] bool isActive() const { return !terms_.empty(); }
    [[nodiscard]] bool isSearching() const { return searching_; }
    [[nodiscard]] QString error() const { return error_; }
    [[nodiscard]] std::int64_t count() const { return count_; }  // while it searches: so far
    // The first hits soon after the text, all of them at the end; never null.
    [[nodiscard]] const store::SearchHits &hits() const { return *hits_; }
    [[nodiscard]] std::int64_t number() const { return number_; }  // of the hit that is selected, from 1; 0: none is

    // Selects the next (+1) or previous (-1) hit after the selected slice, or in what is shown, round the end to the other
    // one. Asked for while the search runs, it is done at its end: only then is it known which hit is next.
    void step(int direction);
    // Hits that begin in each of so many equal parts of the range. Counted in the background: the last answer for the same
    // question, else nothing until columnsChanged().
    [[nodiscard]] const std::vector<std::uint32_t> &columns(TimeRange, std::size_t count);

signals:
    void changed();  // text, hits, error
    void numberChanged();
    void stepped(wattproof::TimeRange);  // a hit was selected: it wants to be in sight
    void columnsChanged();

private:
    struct Columns {
        TimeRange range;
        std::vector<std::uint32_t> counts;
        std::shared_ptr<const store::SearchHits> of;
    };

    explicit SliceFinder(Session *);
    void search();
    void takeFirst(std::int64_t count, std::shared_ptr<const store::SearchHits>);
    void takeAll(Expected<store::SearchHits> &&);
    void go(int direction);
    void selectHit(const store::SearchHit &);
    void followSelection();
    void setNumber(std::int64_t);

    Session *session_;
    QString text_, error_;
    store::SearchTerms terms_;
    std::shared_ptr<const store::SearchHits> hits_ = std::make_shared<const store::SearchHits>();
    std::optional<store::SearchHit> current_;  // stepped to last; its slice is selected, or about to be
    std::int64_t count_ = 0, number_ = 0;
    std::uint64_t turn_ = 0;  // of the search: what an earlier one still says is dropped
    int pending_ = 0;         // steps to take when the search is through
    bool searching_ = false;
    Columns columns_;
};

}  // namespace wattproof::widgets
