// Slices as rows: of all only the ids are in memory, of those in and near sight the rows too.
#pragma once

#include "store/events.h"
#include "widgets/events/track_names.h"
#include "widgets/tables/window_model.h"

#include <map>
#include <memory>
#include <vector>

namespace wattproof::widgets {

using EventIds = std::shared_ptr<const std::vector<SliceId>>;

// With the names of the columns, separated by tabs, exact.
[[nodiscard]] QString eventsText(const std::vector<store::EventRow> &, const TrackNames &);

class EventsModel : public WindowModel {
    Q_OBJECT

public:
    enum Column { Time, Duration, Name, Category, Track, Group, Depth, Joules, ColumnCount };

    using WindowModel::WindowModel;

    void setIds(EventIds);  // null: none
    // The first rows of the same order, now with what follows them.
    void growTo(EventIds);
    void refresh();  // the same slices, but what is said of them may differ
    [[nodiscard]] const EventIds &ids() const { return ids_; }
    void setNames(std::shared_ptr<const TrackNames>);
    // What rowsWanted asked for: the rows of pages from this one on. Rows may be missing at its end only.
    void setRows(qint64 firstPage, std::vector<store::EventRow>);

    [[nodiscard]] qint64 total() const override;
    [[nodiscard]] bool isSortable(int column) const override { return column == Time || column == Duration; }
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation, int role) const override;

    static constexpr qint64 kPageRows = 128;
    static constexpr std::size_t kMostPages = 64;  // in memory

signals:
    void rowsWanted(qint64 firstPage, qint64 lastPage);

protected:
    void windowMoved() override;

private:
    [[nodiscard]] const store::EventRow *rowAt(qint64 row) const;  // null: not here yet
    void forget();

    EventIds ids_;
    std::shared_ptr<const TrackNames> names_ = std::make_shared<const TrackNames>();
    std::map<qint64, std::vector<store::EventRow>> pages_;
    bool stale_ = false;  // the next rows take the place of all
    std::pair<qint64, qint64> wanted_{-1, -1};
};

}  // namespace wattproof::widgets
