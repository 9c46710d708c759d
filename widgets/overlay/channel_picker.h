// The button that opens the list of devices and channels to show.
#pragma once

#include <vector>

#include <QString>
#include <QToolButton>

class QTreeWidget;
class QTreeWidgetItem;

namespace wattproof::widgets {

struct PickedChannel {
    QString name;
    bool shown = true;
};

struct PickedDevice {
    QString name;
    bool chosen = true;
    std::vector<PickedChannel> channels;
};

class ChannelPicker : public QToolButton {
    Q_OBJECT

public:
    explicit ChannelPicker(QWidget *parent);

    void setDevices(std::vector<PickedDevice>);
    [[nodiscard]] QTreeWidget *list() const { return list_; }
    void open();

signals:
    void deviceChosen(std::size_t device, bool chosen);
    void channelShown(std::size_t device, std::size_t channel, bool shown);
    void allChosen(bool chosen);

private:
    void changed(QTreeWidgetItem *);
    void fill();

    std::vector<PickedDevice> devices_;
    QWidget *popup_;
    QTreeWidget *list_;
};

}  // namespace wattproof::widgets
