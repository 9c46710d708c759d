#include "widgets/search/search_bar.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QToolButton>

namespace wattproof::widgets {
namespace {

constexpr int kMostWidth = 720;

QString number(std::int64_t value) {
    return QLocale(QLocale::English).toString(static_cast<qlonglong>(value));
}

}  // namespace

SearchBar::SearchBar(QWidget *parent)
    : QWidget(parent), field_(new QLineEdit(this)), result_(new QLabel(this)) {
    field_->setPlaceholderText(tr("Search slices"));
    field_->setAccessibleName(tr("Search slices"));
    field_->setClearButtonEnabled(true);
    field_->setToolTip(tr("<qt>Parts of names, in any order; \"quotes\" keep blanks together.<br>"
                          "<b>cat:</b>kernel &nbsp; <b>track:</b>stream &nbsp; <b>pid:</b>4242 &nbsp; <b>tid:</b>7 &nbsp; "
                          "<b>Input Dims</b>=… an argument: <b>dtype</b>=bf16, * stands for anything; large runs take "
                          "seconds for it</qt>"));
    field_->installEventFilter(this);
    result_->setAccessibleName(tr("Result of the search"));
    result_->setMinimumWidth(result_->fontMetrics().horizontalAdvance(tr("%1 of %2").arg("8,888,888", "8,888,888")));
    result_->setForegroundRole(QPalette::PlaceholderText);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 4, 0);
    layout->setSpacing(4);
    layout->addWidget(field_, 1);
    previous_ = addButton(Qt::UpArrow, tr("Previous hit"), -1);
    next_ = addButton(Qt::DownArrow, tr("Next hit"), 1);
    layout->addWidget(previous_);
    layout->addWidget(next_);
    layout->addWidget(result_);
    setFocusProxy(field_);
    setMaximumWidth(kMostWidth);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    connect(field_, &QLineEdit::textChanged, this, [this](const QString &text) {
        if (finder_)
            finder_->setText(text);
    });
    setSession(nullptr);
}

QToolButton *SearchBar::addButton(Qt::ArrowType arrow, const QString &name, int direction) {
    auto *button = new QToolButton(this);
    button->setArrowType(arrow);
    button->setAutoRaise(true);
    button->setToolTip(name);
    button->setAccessibleName(name);
    connect(button, &QToolButton::clicked, this, [this, direction] { step(direction); });
    return button;
}

void SearchBar::setSession(Session *session) {
    session_ = session;
    finder_ = session ? SliceFinder::of(session) : nullptr;
    field_->setText(finder_ ? finder_->text() : QString());
    field_->setEnabled(finder_ != nullptr);
    if (finder_) {
        connect(finder_, &SliceFinder::changed, this, &SearchBar::show);
        connect(finder_, &SliceFinder::numberChanged, this, &SearchBar::show);
    }
    show();
}

void SearchBar::show() {
    const bool any = finder_ && finder_->count() > 0;
    result_->setText(resultText());
    result_->setToolTip(finder_ ? finder_->error() : QString());
    previous_->setEnabled(any);
    next_->setEnabled(any);
}

QString SearchBar::resultText() const {
    if (!finder_ || !finder_->isActive())
        return {};
    if (!finder_->error().isEmpty())
        return tr("Search failed");
    const QString count = number(finder_->count());
    if (finder_->isSearching())
        return finder_->count() > 0 ? tr("%1 …").arg(count) : tr("Searching …");
    if (finder_->count() == 0)
        return tr("No hits");
    return finder_->number() > 0 ? tr("%1 of %2").arg(number(finder_->number()), count)
                                 : tr("%1 hits", nullptr, static_cast<int>(finder_->count())).arg(count);
}

void SearchBar::begin() {
    if (QWidget *focused = QApplication::focusWidget(); focused != field_)
        before_ = focused;
    field_->setFocus(Qt::ShortcutFocusReason);
    field_->selectAll();
}

void SearchBar::step(int direction) {
    if (finder_)
        finder_->step(direction);
}

void SearchBar::leave() {
    field_->clear();
    if (before_ && before_->isVisible())
        before_->setFocus(Qt::ShortcutFocusReason);
    else
        emit left();
}

bool SearchBar::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return QWidget::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (!enter && key->key() != Qt::Key_Escape)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::ShortcutOverride)
        event->accept();  // Escape is also a menu's key
    else if (enter)
        step(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
    else
        leave();
    return true;
}

}  // namespace wattproof::widgets
