// One source read anew: from its file or another one, all of it or a part.
#pragma once

#include "widgets/window/part_fields.h"

#include <QDialog>

class QLineEdit;
class QPushButton;

namespace wattproof::widgets {

class ImportAgainDialog : public QDialog {
    Q_OBJECT

public:
    // filter: of the file dialog.
    ImportAgainDialog(const SourceEntry &source, const QString &filter, PartFields::Check check,
                      QWidget *parent = nullptr);
    [[nodiscard]] QLineEdit *fileField() const { return file_; }
    [[nodiscard]] PartFields *fields() const { return fields_; }  // hidden for logs
    [[nodiscard]] QPushButton *importButton() const { return import_; }

signals:
    // file empty: the one that the source came from.
    void chosen(const QString &file, const wattproof::widgets::TracePart &part);

private:
    void build();
    void choose();
    void askFile();
    void showState();

    SourceEntry source_;
    QString filter_;
    QLineEdit *file_;
    PartFields *fields_;
    QPushButton *import_;
};

}  // namespace wattproof::widgets
