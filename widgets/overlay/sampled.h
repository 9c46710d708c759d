// Power as it was sampled: each reading as the mean it is, over the stretch of time that the sensor's window
// covers.
#pragma once

#include "analysis/energy/sensor_windows.h"
#include "report/draw/counter_painter.h"
#include "widgets/overlay/channels.h"
#include "widgets/session.h"

#include <map>
#include <stop_token>
#include <vector>

#include <QObject>
#include <QPainter>

namespace wattproof::widgets {

// Windows of each channel, by its counter; `tooMany`: there are more than pixels, so that none is drawn.
struct SampledWindows {
    std::map<CounterId, std::vector<analysis::PowerWindow>> windows;
    bool tooMany = false;
};

[[nodiscard]] Expected<SampledWindows> readSampled(store::Reader &, const std::vector<CounterRow> &, TimeRange,
                                                   const std::stop_token &);

class SampledCache : public QObject {
    Q_OBJECT

public:
    SampledCache(Session *, QObject *parent);

    void setChannels(std::vector<OverlayChannel>);  // none: nothing is asked
    void show(TimeRange visible);                   // asks where the last answer does not cover it
    [[nodiscard]] const SampledWindows &windows() const { return windows_; }
    void paint(QPainter &, const draw::TimeScale &, const draw::ValueScale &, const draw::Theme &) const;

signals:
    void arrived();

private:
    Session *session_;
    std::vector<OverlayChannel> channels_;
    SampledWindows windows_;
    TimeRange asked_;
};

}  // namespace wattproof::widgets
