// All of a trace, or only a part of it? Asked before a large file is imported, or when the user wants a part.
#pragma once

#include "widgets/window/loading.h"
#include "widgets/window/part_fields.h"

#include <QDialog>
#include <QStringList>

class QPushButton;

namespace wattproof::widgets {

class PartDialog : public QDialog {
    Q_OBJECT

public:
    // large: the file that takes a while; none when the user asked for a part by himself.
    PartDialog(const QStringList &paths, const std::optional<LargeFile> &large, PartFields::Check check,
               QWidget *parent = nullptr);
    [[nodiscard]] PartFields *fields() const { return fields_; }
    [[nodiscard]] QPushButton *partButton() const { return part_; }
    [[nodiscard]] QPushButton *allButton() const { return all_; }

signals:
    void chosen(const wattproof::widgets::TracePart &part);  // whole: all of it

private:
    void choose(const TracePart &);
    void showState();

    PartFields *fields_;
    QPushButton *part_;
    QPushButton *all_;
};

}  // namespace wattproof::widgets
