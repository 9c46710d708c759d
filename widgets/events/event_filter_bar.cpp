#include "widgets/events/event_filter_bar.h"

#include "widgets/panes/words.h"

#include <limits>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>

namespace wattproof::widgets {
namespace {

constexpr int kSettleMs = 150;
constexpr Ns kLongest = std::numeric_limits<Ns>::max();

}  // namespace

std::optional<Ns> durationLimit(const QString &text, Ns ifEmpty) {
    if (text.trimmed().isEmpty())
        return ifEmpty;
    const auto limit = parseOffset(text);
    return limit && *limit >= 0 ? limit : std::nullopt;
}

EventFilterBar::EventFilterBar(QWidget *parent) : QWidget(parent) {
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    name_ = makeField(QStringLiteral("events-name"), tr("Name"), tr("A part of the name, in any case"));
    category_ = makeField(QStringLiteral("events-category"), tr("Category"), tr("A part of the category"));
    track_ = makeField(QStringLiteral("events-track"), tr("Track"),
                       tr("A part of the name of the track, or of its process or device"));
    least_ = makeField(QStringLiteral("events-least"), tr("At least"), tr("Least duration: 5 us, 1.5 ms, 2 s"));
    most_ = makeField(QStringLiteral("events-most"), tr("At most"), tr("Greatest duration: 5 us, 1.5 ms, 2 s"));
    scope_ = new QComboBox(this);
    scope_->setObjectName(QStringLiteral("events-scope"));
    scope_->addItems({tr("Everywhere"), tr("Selected area"), tr("Visible range")});
    scope_->setAccessibleName(tr("Where"));
    layout->addWidget(name_, 3);
    for (QLineEdit *field : {category_, track_})
        layout->addWidget(field, 2);
    for (QLineEdit *field : {least_, most_})
        layout->addWidget(field, 1);
    layout->addWidget(scope_);
    settle_.setSingleShot(true);
    settle_.setInterval(kSettleMs);
    connect(&settle_, &QTimer::timeout, this, &EventFilterBar::changed);
    connect(scope_, &QComboBox::currentIndexChanged, this, &EventFilterBar::changed);
    for (QLineEdit *field : {least_, most_})
        connect(field, &QLineEdit::textChanged, this, &EventFilterBar::limitsChanged);
}

QLineEdit *EventFilterBar::makeField(const QString &name, const QString &label, const QString &hint) {
    auto *field = new QLineEdit(this);
    field->setObjectName(name);
    field->setPlaceholderText(label);
    field->setToolTip(hint);
    field->setAccessibleName(label);
    field->setClearButtonEnabled(true);
    field->setMinimumWidth(50);
    connect(field, &QLineEdit::textChanged, &settle_, qOverload<>(&QTimer::start));
    return field;
}

// A limit that is not understood limits nothing, and says so by its look and hint.
void EventFilterBar::limitsChanged() {
    for (QLineEdit *field : {least_, most_}) {
        QFont font = field->font();
        font.setStrikeOut(!durationLimit(field->text(), 0));
        field->setFont(font);
    }
}

QString EventFilterBar::name() const {
    return name_->text();
}

QString EventFilterBar::category() const {
    return category_->text();
}

QString EventFilterBar::track() const {
    return track_->text().trimmed();
}

Ns EventFilterBar::least() const {
    return durationLimit(least_->text(), 0).value_or(0);
}

Ns EventFilterBar::most() const {
    return durationLimit(most_->text(), kLongest).value_or(kLongest);
}

EventScope EventFilterBar::scope() const {
    return static_cast<EventScope>(scope_->currentIndex());
}

void EventFilterBar::setName(const QString &name) {
    for (QLineEdit *field : {category_, track_, least_, most_})
        field->clear();
    name_->setText(name);
    scope_->setCurrentIndex(0);
}

void EventFilterBar::setScope(EventScope scope) {
    scope_->setCurrentIndex(static_cast<int>(scope));
}

}  // namespace wattproof::widgets
