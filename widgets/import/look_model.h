// The files of an import as a table: what each is, and whether it is taken.
#pragma once

#include "report/draw/theme.h"
#include "store/import_plan.h"

#include <optional>
#include <vector>

#include <QAbstractTableModel>
#include <QStringList>

namespace wattproof::widgets {

class LookModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { File, Note, Format, Begin, Length, Clock, Devices, Coverage, ColumnCount };
    struct Row {
        std::string path;
        FileChoice choice;
        std::optional<FileLook> look;  // none: not looked at yet
        bool wanted = true;
        [[nodiscard]] bool taken() const { return wanted && look && look->readable(); }
    };

    LookModel(const std::vector<std::string> &paths, const draw::Theme &theme, QObject *parent = nullptr);

    [[nodiscard]] const std::vector<Row> &rows() const { return rows_; }
    void setLook(std::size_t row, FileLook look);
    void setChoice(std::size_t row, const FileChoice &choice);  // its look is taken again
    void setWanted(std::size_t row, bool wanted);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    void rowChanged(std::size_t row);

    std::vector<Row> rows_;
    const draw::Theme &theme_;
};

}  // namespace wattproof::widgets
