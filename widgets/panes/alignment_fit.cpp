#include "widgets/panes/alignment_fit.h"

#include "analysis/alignment/sensor_view.h"

#include <algorithm>

namespace wattproof::widgets {
namespace {

constexpr Ns kMostPoints = 8'000;

std::vector<Sample> loadCurve(const analysis::IntervalSet &busy, const analysis::SensorModel &model) {
    const TimeRange range = analysis::observedRange(busy, model);
    const Ns step = std::max({model.period / 2, range.length() / kMostPoints, Ns{1}});
    analysis::SensorView sensor(busy, model);
    std::vector<Sample> curve;
    for (Ns t = range.begin; t <= range.end; t += step)
        curve.push_back({t, sensor.share(t)});
    return curve;
}

// Every reading, or of each group the least and the greatest.
std::vector<Sample> thinned(std::vector<Sample> points) {
    const std::size_t group = points.size() / static_cast<std::size_t>(kMostPoints / 2);
    if (group < 2)
        return points;
    std::vector<Sample> kept;
    for (std::size_t from = 0; from < points.size(); from += group) {
        const auto end = points.begin() + static_cast<std::ptrdiff_t>(std::min(points.size(), from + group));
        const auto [low, high] =
            std::minmax_element(points.begin() + static_cast<std::ptrdiff_t>(from), end,
                                [](const Sample &a, const Sample &b) { return a.value < b.value; });
        kept.push_back(low->ts <= high->ts ? *low : *high);
        if (low != high)
            kept.push_back(low->ts <= high->ts ? *high : *low);
    }
    return kept;
}

}  // namespace

Expected<std::shared_ptr<const AlignmentFit>> readFit(store::Reader &reader, const SourceRow &source,
                                                      const std::stop_token &stop) {
    auto probe = readProbe(reader, source, stop);
    if (!probe)
        return passOn(probe);
    auto fit = std::make_shared<AlignmentFit>();
    fit->probe = *probe;
    if ((*probe)->power) {
        const analysis::SensorModel model = analysis::sensorModel(*(*probe)->power);
        fit->period = model.period;
        fit->power = thinned(analysis::wattPoints(*(*probe)->power));
        if (!(*probe)->busy.empty()) {
            fit->load = loadCurve((*probe)->busy, model);
            Task task;
            task.stop = stop;
            fit->proposal = analysis::correlate((*probe)->busy, *(*probe)->power, task);
        }
    }
    return std::shared_ptr<const AlignmentFit>(fit);
}

}  // namespace wattproof::widgets
