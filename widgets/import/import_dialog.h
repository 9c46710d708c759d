// What the files are that are about to come in, and how each is to be read. Nothing is stored before Import.
#pragma once

#include "report/draw/theme.h"
#include "widgets/import/look_model.h"
#include "widgets/import_service.h"
#include "widgets/window/task_runner.h"

#include <deque>
#include <set>

#include <QDialog>
#include <QPointer>

class QCheckBox;
class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableView;

namespace wattproof::widgets {

class MappingDialog;

class ImportDialog : public QDialog {
    Q_OBJECT

public:
    // seen: looks that were taken already.
    ImportDialog(ImportService &service, const std::vector<std::string> &paths, const std::vector<FileLook> &seen,
                 const draw::Theme &theme, QWidget *parent = nullptr);

    [[nodiscard]] LookModel &model() { return *model_; }
    [[nodiscard]] QTableView *table() const { return table_; }
    [[nodiscard]] QComboBox *formatField() const { return format_; }
    [[nodiscard]] QComboBox *zoneField() const { return zone_; }
    [[nodiscard]] QCheckBox *zoneForAll() const { return forAll_; }
    [[nodiscard]] QPushButton *mapButton() const { return map_; }
    [[nodiscard]] QPushButton *importButton() const { return import_; }
    [[nodiscard]] MappingDialog *mapping() const;  // null: not open
    [[nodiscard]] QString story() const;
    [[nodiscard]] QString summary() const;
    [[nodiscard]] bool isLooking() const { return tasks_.isBusy(); }
    void setZone(const QString &zone);

signals:
    void chosen(const QStringList &paths, const wattproof::FileChoices &choices);

private:
    void build();
    QWidget *buildChoices();
    void fillFormats();
    void fillZones();
    void lookNext();
    void lookAgain(std::size_t row, const FileChoice &);
    void showChosen();
    void showState();
    void takeFormat();
    void takeZone();
    void openMapping();
    void choose();
    [[nodiscard]] std::optional<std::size_t> current() const;

    ImportService &service_;
    const draw::Theme &theme_;
    LookModel *model_;
    QTableView *table_;
    QComboBox *format_;
    QComboBox *zone_;
    QCheckBox *forAll_;
    QPushButton *map_;
    QLabel *summary_;
    QLabel *clockHint_;
    QPlainTextEdit *story_;
    QPushButton *import_ = nullptr;
    QPointer<MappingDialog> mapping_;
    std::deque<std::size_t> waiting_;
    std::size_t lookingAt_ = 0;
    bool filling_ = false;
    TaskRunner tasks_;  // last: its thread ends before what it tells goes
};

}  // namespace wattproof::widgets
