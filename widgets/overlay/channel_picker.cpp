#include "widgets/overlay/channel_picker.h"

#include <algorithm>

#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

constexpr int kWidth = 300, kRowHeight = 20, kMostRows = 18;

}  // namespace

ChannelPicker::ChannelPicker(QWidget *parent)
    : QToolButton(parent), popup_(new QFrame(this, Qt::Popup)), list_(new QTreeWidget(popup_)) {
    setText(tr("Channels ▾"));
    setAccessibleName(tr("Devices and channels to show"));
    setToolTip(tr("Choose devices and channels"));
    setFocusPolicy(Qt::TabFocus);
    list_->setHeaderHidden(true);
    list_->setAccessibleName(tr("Devices and channels"));
    list_->setUniformRowHeights(true);
    auto *all = new QPushButton(tr("All devices"), popup_);
    auto *one = new QPushButton(tr("First only"), popup_);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(all);
    buttons->addWidget(one);
    auto *layout = new QVBoxLayout(popup_);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(list_, 1);
    layout->addLayout(buttons);
    connect(this, &QToolButton::clicked, this, &ChannelPicker::open);
    connect(list_, &QTreeWidget::itemChanged, this, &ChannelPicker::changed);
    connect(all, &QPushButton::clicked, this, [this] { emit allChosen(true); });
    connect(one, &QPushButton::clicked, this, [this] { emit allChosen(false); });
}

void ChannelPicker::setDevices(std::vector<PickedDevice> devices) {
    const auto sameList = [&] {
        return std::equal(devices.begin(), devices.end(), devices_.begin(), devices_.end(),
                          [](const PickedDevice &a, const PickedDevice &b) {
                              return a.name == b.name && a.channels.size() == b.channels.size();
                          });
    }();
    devices_ = std::move(devices);
    const QSignalBlocker quiet(list_);
    if (!sameList)
        fill();
    for (int d = 0; d < list_->topLevelItemCount(); ++d) {
        const PickedDevice &device = devices_[static_cast<std::size_t>(d)];
        QTreeWidgetItem *item = list_->topLevelItem(d);
        item->setCheckState(0, device.chosen ? Qt::Checked : Qt::Unchecked);
        for (int c = 0; c < item->childCount(); ++c) {
            const PickedChannel &channel = device.channels[static_cast<std::size_t>(c)];
            item->child(c)->setCheckState(0, channel.shown ? Qt::Checked : Qt::Unchecked);
            item->child(c)->setDisabled(!device.chosen);
        }
    }
}

void ChannelPicker::fill() {
    list_->clear();
    for (const PickedDevice &device : devices_) {
        auto *item = new QTreeWidgetItem(list_, {device.name});
        for (const PickedChannel &channel : device.channels)
            new QTreeWidgetItem(item, {channel.name});
        item->setExpanded(device.chosen || devices_.size() <= 2);
    }
}

void ChannelPicker::changed(QTreeWidgetItem *item) {
    const bool checked = item->checkState(0) == Qt::Checked;
    if (QTreeWidgetItem *device = item->parent())
        emit channelShown(static_cast<std::size_t>(list_->indexOfTopLevelItem(device)),
                          static_cast<std::size_t>(device->indexOfChild(item)), checked);
    else
        emit deviceChosen(static_cast<std::size_t>(list_->indexOfTopLevelItem(item)), checked);
}

void ChannelPicker::open() {
    std::size_t rows = 0;
    for (const PickedDevice &device : devices_)
        rows += 1 + (device.chosen ? device.channels.size() : 0);
    const int height = static_cast<int>(std::clamp<std::size_t>(rows, 4, kMostRows)) * kRowHeight + 60;
    popup_->resize(kWidth, height);
    popup_->move(mapToGlobal(QPoint(0, this->height())));
    popup_->show();
    list_->setFocus();
}

}  // namespace wattproof::widgets
