#include "widgets/panes/welcome_page.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

constexpr int kColumnWidth = 560;

QLabel *heading(const QString &text, double scale, QWidget *parent) {
    auto *label = new QLabel(text, parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

}  // namespace

WelcomePage::WelcomePage(QWidget *parent)
    : QWidget(parent),
      hint_(new QLabel(
          tr("Open an accelerator trace together with the power log of the same run: what the machine did, and "
             "what "
             "it cost, on one time axis.\nChrome and Kineto JSON (plain or compressed), nsys tables, nvidia-smi "
             "logs; several files may be opened or dropped here at once."),
          this)),
      open_(new QPushButton(tr("Open files…"), this)),
      sample_(new QPushButton(tr("Open the simulated sample"), this)),
      recentTitle_(heading(tr("Recent"), 1.1, this)),
      recent_(new QListWidget(this)) {
    auto *column = new QWidget(this);
    column->setMaximumWidth(kColumnWidth);
    auto *layout = new QVBoxLayout(column);
    layout->setSpacing(12);
    hint_->setWordWrap(true);
    open_->setDefault(true);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(open_);
    buttons->addWidget(sample_);
    buttons->addStretch();
    recent_->setAccessibleName(tr("Recent files"));
    recent_->setUniformItemSizes(true);
    recent_->setMaximumHeight(240);
    layout->addStretch(1);
    layout->addWidget(heading(tr("Wattproof"), 1.8, this));
    layout->addWidget(hint_);
    layout->addLayout(buttons);
    layout->addSpacing(8);
    layout->addWidget(recentTitle_);
    layout->addWidget(recent_);
    layout->addStretch(2);
    auto *outer = new QHBoxLayout(this);
    outer->addStretch(1);
    outer->addWidget(column, 4);
    outer->addStretch(1);
    connect(open_, &QPushButton::clicked, this, &WelcomePage::openRequested);
    connect(sample_, &QPushButton::clicked, this, &WelcomePage::sampleRequested);
    connect(recent_, &QListWidget::itemClicked, this,
            [this](QListWidgetItem *item) { emit recentRequested(item->data(Qt::UserRole).toStringList()); });
    auto *enter = new QShortcut(Qt::Key_Return, recent_, nullptr, nullptr, Qt::WidgetShortcut);
    connect(enter, &QShortcut::activated, this, [this] {
        if (const QListWidgetItem *item = recent_->currentItem())
            emit recentRequested(item->data(Qt::UserRole).toStringList());
    });
    setRecent({});
}

void WelcomePage::setRecent(const QList<QStringList> &entries) {
    recent_->clear();
    for (const QStringList &paths : entries) {
        const QFileInfo file(paths.value(0));
        QString name = file.fileName();
        if (paths.size() > 1)
            name = tr("%1 and %n more", nullptr, static_cast<int>(paths.size()) - 1).arg(name);
        auto *item =
            new QListWidgetItem(tr("%1   in %2").arg(name, QDir::toNativeSeparators(file.path())), recent_);
        item->setData(Qt::UserRole, paths);
        item->setToolTip(paths.join(QLatin1Char('\n')));
    }
    recent_->setVisible(!entries.isEmpty());
    recentTitle_->setVisible(!entries.isEmpty());
}

void WelcomePage::setSampleAvailable(bool available) {
    sample_->setVisible(available);
}

void WelcomePage::setTheme(const draw::Theme &theme) {
    QPalette mine = hint_->palette();
    mine.setColor(QPalette::WindowText, theme.muted);
    hint_->setPalette(mine);
}

}  // namespace wattproof::widgets
