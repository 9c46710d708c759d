// Power as it was sampled: each reading as the mean it is, over the stretch of time that the sensor's window covers,
// and what the power behind the readings can have been.
#pragma once

#include "analysis/energy/reconstruction.h"
#include "report/draw/counter_painter.h"
#include "widgets/overlay/channels.h"
#include "widgets/session.h"

#include <map>
#include <stop_token>
#include <vector>

#include <QObject>
#include <QPainter>

namespace wattproof::widgets {

// Of each channel, by its counter; `tooMany`: there are more readings than pixels, so that none is drawn.
struct SampledPower {
    std::map<CounterId, analysis::Reconstruction> channels;
    bool tooMany = false;
};

[[nodiscard]] Expected<SampledPower> readSampled(store::Reader &, const std::vector<CounterRow> &, TimeRange,
                                                 const std::stop_token &);

class SampledCache : public QObject {
    Q_OBJECT

public:
    SampledCache(Session *, QObject *parent);

    void setChannels(std::vector<OverlayChannel>);  // none: nothing is asked
    void show(TimeRange visible);                   // asks where the last answer does not cover it
    [[nodiscard]] const SampledPower &power() const { return power_; }
    // What the picture says of itself: the sensor's window and the band, or why there is nothing.
    [[nodiscard]] QString note() const;
    void paint(QPainter &, const draw::TimeScale &, const draw::ValueScale &, const draw::Theme &) const;

signals:
    void arrived();

private:
    Session *session_;
    std::vector<OverlayChannel> channels_;
    SampledPower power_;
    TimeRange asked_;
};

}  // namespace wattproof::widgets
