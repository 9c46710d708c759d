// Statistics of the channels as a table.
#pragma once

#include "widgets/panes/channel_stats.h"

#include <vector>

#include <QAbstractTableModel>

namespace wattproof::widgets {

class ChannelStatsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Device, Channel, Readings, Mean, P95, Max, Joules, Coverage, LongestGap, Sensor, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<ChannelStats> rows);
    [[nodiscard]] const std::vector<ChannelStats> &rows() const { return rows_; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ChannelStats> rows_;
};

}  // namespace wattproof::widgets
