// What the overlay says about stretches of time: what held a clock down, and where a channel is not to be trusted.
// Read on a worker thread, from tiles: the cost follows the pixels.
#pragma once

#include "widgets/overlay/throttle.h"
#include "widgets/overlay/trust.h"
#include "widgets/session.h"

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <vector>

#include <QObject>

namespace wattproof::widgets {

struct OverlayMarks {
    std::map<CounterId, std::vector<DoubtSpan>> doubts;
    std::vector<ThrottleSpan> throttle;  // by time
};

struct MarkedChannels {
    std::vector<CounterRow> judged;     // channels whose readings are judged
    std::vector<CounterRow> witnesses;  // of the same devices: what moves while a sensor is frozen
    std::vector<CounterRow> masks;      // throttle masks
};

// `extent`: of all; long stretches are found in it even where `range` shows only a little of them.
[[nodiscard]] Expected<OverlayMarks> readMarks(store::Reader &, const MarkedChannels &, TimeRange range, Ns bucket,
                                               TimeRange extent, const std::stop_token &);

// Keeps the marks of what is visible, as the picture cache keeps curves.
class MarkCache : public QObject {
    Q_OBJECT

public:
    MarkCache(Session *, QObject *parent);

    void setChannels(MarkedChannels);
    // The last marks (may be those of before), after asking for better ones if this view needs them.
    [[nodiscard]] const OverlayMarks &marks(TimeRange visible, double pixels);
    [[nodiscard]] std::uint64_t arrivals() const { return arrivals_; }  // answers taken so far

signals:
    void arrived();

private:
    void forget();

    Session *session_;
    MarkedChannels channels_;
    std::shared_ptr<const OverlayMarks> marks_ = std::make_shared<OverlayMarks>();
    TimeRange asked_;
    Ns askedBucket_ = 0;
    std::uint64_t arrivals_ = 0;
};

}  // namespace wattproof::widgets
