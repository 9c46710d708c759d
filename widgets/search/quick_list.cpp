#include "widgets/search/quick_list.h"

#include <algorithm>

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

constexpr int kWidth = 620, kHeight = 420, kTop = 64, kMargin = 24, kPad = 8;
constexpr int kTextShare = 3;  // of four parts of a row, where the detail is long

// The text at the left, its detail in grey at the right; the text is cut last.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        QStyleOptionViewItem row = option;
        initStyleOption(&row, index);
        const QString text = row.text, detail = index.data(QuickListModel::Detail).toString();
        row.text.clear();
        const QStyle *style = row.widget ? row.widget->style() : QApplication::style();
        style->drawControl(QStyle::CE_ItemViewItem, &row, painter, row.widget);
        const bool selected = row.state & QStyle::State_Selected, enabled = row.state & QStyle::State_Enabled;
        const QPalette::ColorGroup group = enabled ? QPalette::Active : QPalette::Disabled;
        const QRect area = row.rect.adjusted(kPad, 0, -kPad, 0);
        const QFontMetrics metrics = row.fontMetrics;
        const int wanted = metrics.horizontalAdvance(text) + kPad;  // advances are rounded: to the pixel it would be cut
        const int textWidth = std::min(wanted, std::max(area.width() * kTextShare / 4,
                                                        area.width() - kMargin - metrics.horizontalAdvance(detail)));
        painter->save();
        painter->setPen(row.palette.color(group, selected ? QPalette::HighlightedText : QPalette::Text));
        painter->drawText(area, Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(text, Qt::ElideMiddle, textWidth));
        painter->setPen(row.palette.color(group, selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
        painter->drawText(area, Qt::AlignVCenter | Qt::AlignRight,
                          metrics.elidedText(detail, Qt::ElideRight, area.width() - textWidth - kMargin));
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const override {
        return {kWidth / 2, option.fontMetrics.height() + kPad};
    }
};

}  // namespace

QuickList::QuickList(QWidget *window)
    : QWidget(window),
      field_(new QLineEdit(this)),
      list_(new QListView(this)),
      none_(new QLabel(this)),
      model_(new QuickListModel(this)) {
    setAutoFillBackground(true);
    list_->setModel(model_);
    list_->setUniformItemSizes(true);
    list_->setItemDelegate(new RowDelegate(list_));
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setFrameShape(QFrame::NoFrame);
    none_->setAlignment(Qt::AlignHCenter);
    none_->setForegroundRole(QPalette::PlaceholderText);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPad, kPad, kPad, kPad);
    layout->addWidget(field_);
    layout->addWidget(none_);
    layout->addWidget(list_, 1);
    field_->installEventFilter(this);
    window->installEventFilter(this);
    connect(field_, &QLineEdit::textChanged, this, &QuickList::narrow);
    connect(list_, &QListView::clicked, this, &QuickList::choose);
    hide();
}

void QuickList::open(std::vector<QuickItem> items, const QString &prompt, const QString &none) {
    if (!isVisible())
        before_ = QApplication::focusWidget();
    field_->setPlaceholderText(prompt);
    field_->setAccessibleName(prompt);
    list_->setAccessibleName(prompt);
    none_->setText(none);
    model_->setItems(std::move(items));
    field_->clear();
    narrow({});
    place();
    show();
    raise();
    field_->setFocus(Qt::PopupFocusReason);
}

void QuickList::leave() {
    if (!isVisible())
        return;
    const bool hadFocus = field_->hasFocus();
    hide();
    if (hadFocus && before_)
        before_->setFocus(Qt::PopupFocusReason);
}

void QuickList::place() {
    const QSize room = parentWidget()->size();
    const int width = std::min(kWidth, room.width() - 2 * kMargin);
    setGeometry((room.width() - width) / 2, kTop, width, std::min(kHeight, room.height() - kTop - kMargin));
}

// A line that sets it off from what lies below, in both themes.
void QuickList::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void QuickList::narrow(const QString &pattern) {
    model_->setPattern(pattern);
    none_->setVisible(model_->rowCount() == 0);
    list_->setCurrentIndex(model_->index(model_->firstEnabledRow()));
    list_->scrollToTop();
}

void QuickList::choose(const QModelIndex &index) {
    if (!(model_->flags(index) & Qt::ItemIsEnabled))
        return;
    const QString key = index.data(QuickListModel::Key).toString();
    leave();
    emit chosen(key);
}

bool QuickList::handleKey(int key, QEvent *event) {
    switch (key) {
        case Qt::Key_Escape:
            leave();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            choose(list_->currentIndex());
            return true;
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            QApplication::sendEvent(list_, event);
            return true;
        default:
            return false;
    }
}

bool QuickList::eventFilter(QObject *watched, QEvent *event) {
    if (watched == parent() && event->type() == QEvent::Resize && isVisible())
        place();
    if (watched != field_)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::KeyPress)
        return handleKey(static_cast<QKeyEvent *>(event)->key(), event);
    // Escape is also a menu's key; here it means this list.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent *>(event)->reason() != Qt::ActiveWindowFocusReason &&
        static_cast<QFocusEvent *>(event)->reason() != Qt::PopupFocusReason)
        leave();
    return QWidget::eventFilter(watched, event);
}

}  // namespace wattproof::widgets
