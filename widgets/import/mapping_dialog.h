// What the columns of a table mean, said by hand: its first rows, a guess of each column, and what would be read.
#pragma once

#include "widgets/import/mapping_model.h"
#include "widgets/import_service.h"
#include "widgets/window/task_runner.h"

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTableView;
class QTableWidget;

namespace wattproof::widgets {

class MappingDialog : public QDialog {
    Q_OBJECT

public:
    // choice: its zone counts for the preview.
    MappingDialog(ImportService &service, std::string path, FileChoice choice, QWidget *parent = nullptr);

    [[nodiscard]] MappingModel &model() { return *model_; }
    [[nodiscard]] QTableView *columns() const { return columns_; }
    [[nodiscard]] QTableWidget *firstRows() const { return first_; }
    [[nodiscard]] QTableWidget *result() const { return result_; }
    [[nodiscard]] QComboBox *separatorField() const { return separator_; }
    [[nodiscard]] QCheckBox *commaField() const { return comma_; }
    [[nodiscard]] QCheckBox *headerField() const { return header_; }
    [[nodiscard]] QSpinBox *aboveField() const { return above_; }
    [[nodiscard]] QComboBox *timeField() const { return time_; }
    [[nodiscard]] QLineEdit *nameField() const { return name_; }
    [[nodiscard]] QPushButton *useButton() const { return use_; }
    [[nodiscard]] QPushButton *keepButton() const { return keep_; }
    [[nodiscard]] QString message() const;
    [[nodiscard]] bool isBusy() const { return tasks_.isBusy() || later_.isActive(); }

signals:
    void chosen(const QString &descriptor);

private:
    void build();
    QWidget *buildTableChoices();
    void guess(bool fixed);
    void takeGuess(Expected<TableLook> &&);
    void showFirstRows();
    void tableChosen();
    void preview();
    void showPreview(Expected<FileLook> &&);
    void showResult(const FileLook &);
    void say(const QString &);
    void keep();
    [[nodiscard]] TableMapping whole() const;

    ImportService &service_;
    std::string path_;
    FileChoice choice_;
    MappingModel *model_;
    QComboBox *separator_;
    QCheckBox *comma_;
    QCheckBox *header_;
    QSpinBox *above_;
    QComboBox *time_;
    QLineEdit *fallback_;
    QTableWidget *first_;
    QTableView *columns_;
    QTableWidget *result_;
    QLabel *message_;
    QLineEdit *name_;
    QPushButton *keep_ = nullptr;
    QPushButton *use_ = nullptr;
    std::string descriptor_;
    QTimer later_;  // edits that follow each other make one preview
    TaskNumber looking_ = 0;
    bool filling_ = false;
    TaskRunner tasks_;  // last: its thread ends before what it tells goes
};

}  // namespace wattproof::widgets
