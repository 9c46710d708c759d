// What all channels read at one instant: the raw reading, its age, and what the sensor is known to do.
#pragma once

#include "report/draw/theme.h"
#include "widgets/overlay/channels.h"

#include <stop_token>
#include <vector>

#include <QWidget>

namespace wattproof::widgets {

struct ReadoutRow {
    QString name;
    QString value;  // "231 W", "gap", "–"
    QString age;    // "12 ms ago"; of readings that stand for the time before them: "ends in 40 ms"
    QString sensor;
    QColor colour;
    Qt::PenStyle style = Qt::SolidLine;
};

// The channels at `at`, then the throttle reasons that stand there.
[[nodiscard]] Expected<std::vector<ReadoutRow>> readAt(store::Reader &, const std::vector<OverlayChannel> &,
                                                       const std::vector<CounterRow> &masks, Ns at,
                                                       const std::stop_token &);

// The box beside the pointer. It may leave the pane: with many channels it is taller.
class ReadoutBox : public QWidget {
    Q_OBJECT

public:
    explicit ReadoutBox(QWidget *parent);

    void setTheme(const draw::Theme &);
    void setRows(QString title, std::vector<ReadoutRow>);
    [[nodiscard]] const std::vector<ReadoutRow> &rows() const { return rows_; }
    // Beside the pointer, on the side that has room, inside the screen.
    void placeAt(QPoint globalPointer);

protected:
    void paintEvent(QPaintEvent *) override;

private:
    void fit();

    const draw::Theme *theme_;
    QString title_;
    std::vector<ReadoutRow> rows_;
    double nameWidth_ = 0, valueWidth_ = 0, ageWidth_ = 0;
};

}  // namespace wattproof::widgets
