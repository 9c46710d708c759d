#include "widgets/panes/empty_hint.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace wattproof::widgets {

EmptyHint::EmptyHint(const QString &text, const QString &actionText, QWidget *parent)
    : QWidget(parent), label_(new QLabel(text, this)) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    label_->setWordWrap(true);
    label_->setAlignment(Qt::AlignCenter);
    label_->setForegroundRole(QPalette::PlaceholderText);
    layout->addStretch();
    layout->addWidget(label_);
    if (!actionText.isEmpty()) {
        auto *button = new QPushButton(actionText, this);
        layout->addWidget(button, 0, Qt::AlignHCenter);
        connect(button, &QPushButton::clicked, this, &EmptyHint::triggered);
    }
    layout->addStretch();
}

void EmptyHint::setText(const QString &text) {
    label_->setText(text);
}

}  // namespace wattproof::widgets
