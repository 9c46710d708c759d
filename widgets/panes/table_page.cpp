#include "widgets/panes/table_page.h"

#include "widgets/panes/table_view.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace wattproof::widgets {

TablePage::TablePage(TableView *table, QWidget *parent) : QWidget(parent), line_(new QHBoxLayout) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    line_->setContentsMargins(8, 4, 8, 4);
    line_->setSpacing(16);
    auto *copy = new QToolButton(this);
    copy->setText(tr("Copy"));
    copy->setToolTip(tr("Copy the selected rows, or all, with exact values"));
    line_->addWidget(copy);
    layout->addLayout(line_);
    layout->addWidget(table, 1);
    connect(copy, &QToolButton::clicked, table, &TableView::copy);
}

void TablePage::addToLine(QWidget *widget, int stretch) {
    line_->insertWidget(texts_++, widget, stretch);
}

void TablePage::addButton(QWidget *button) {
    line_->addWidget(button);
}

}  // namespace wattproof::widgets
