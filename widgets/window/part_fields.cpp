#include "widgets/window/part_fields.h"

#include "widgets/panes/words.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

namespace wattproof::widgets {
namespace {

constexpr int kSecondsWidth = 96;
const QLatin1String kBetween("..");

QLabel *labelFor(const QString &text, QWidget *field) {
    auto *label = new QLabel(text, field->parentWidget());
    label->setBuddy(field);
    return label;
}

}  // namespace

PartFields::PartFields(Check check, QWidget *parent)
    : QWidget(parent),
      check_(std::move(check)),
      begin_(new QLineEdit(this)),
      end_(new QLineEdit(this)),
      categories_(new QLineEdit(this)),
      message_(new QLabel(this)) {
    build();
    for (QLineEdit *field : {begin_, end_, categories_})
        connect(field, &QLineEdit::textChanged, this, &PartFields::look);
}

void PartFields::build() {
    begin_->setPlaceholderText(tr("beginning"));
    begin_->setAccessibleName(tr("From, in seconds since the beginning of the trace"));
    end_->setPlaceholderText(tr("end"));
    end_->setAccessibleName(tr("To, in seconds since the beginning of the trace"));
    categories_->setPlaceholderText(tr("all, or for example: kernel, cuda_runtime"));
    categories_->setAccessibleName(tr("Categories, with commas between them"));
    begin_->setFixedWidth(kSecondsWidth);
    end_->setFixedWidth(kSecondsWidth);
    auto *times = new QHBoxLayout;
    times->setSpacing(8);
    times->addWidget(begin_);
    times->addWidget(labelFor(tr("&to"), end_));
    times->addWidget(end_);
    times->addWidget(new QLabel(tr("seconds since the beginning of the trace"), this));
    times->addStretch(1);
    // Its lines are there before they say anything, so that nothing moves when they do.
    message_->setWordWrap(true);
    message_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    message_->setMinimumHeight(2 * message_->fontMetrics().lineSpacing());
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kLabelSpacing);
    grid->setVerticalSpacing(8);
    grid->setColumnMinimumWidth(0, labelWidth());
    grid->addWidget(labelFor(tr("&From"), begin_), 0, 0);
    grid->addLayout(times, 0, 1);
    grid->addWidget(labelFor(tr("&Categories"), categories_), 1, 0);
    grid->addWidget(categories_, 1, 1);
    grid->addWidget(message_, 2, 1);
    grid->setColumnStretch(1, 1);
}

int PartFields::labelWidth() const {
    return fontMetrics().horizontalAdvance(tr("Categories")) + 4;
}

void PartFields::setPart(const TracePart &part) {
    const QString range = qs(part.range);
    const auto between = range.indexOf(kBetween);
    begin_->setText(range.left(std::max<qsizetype>(between, 0)));
    end_->setText(between < 0 ? QString() : range.mid(between + kBetween.size()));
    categories_->setText(qs(part.categories));
}

TracePart PartFields::part() const {
    const QString begin = begin_->text().trimmed(), end = end_->text().trimmed();
    const QString range = begin.isEmpty() && end.isEmpty() ? QString() : begin + kBetween + end;
    return {range.toStdString(), categories_->text().trimmed().toStdString()};
}

void PartFields::look() {
    const Status checked = check_(part());
    valid_ = checked.has_value();
    const QString begin = begin_->text().trimmed(), end = end_->text().trimmed();
    message_->setText(valid_ ? QString()
                             : tr("From %1 to %2 is no range of time: give seconds, the earlier first.")
                                   .arg(begin.isEmpty() ? tr("the beginning") : begin,
                                        end.isEmpty() ? tr("the end") : end));
    emit changed();
}

QString PartFields::message() const {
    return message_->text();
}

}  // namespace wattproof::widgets
