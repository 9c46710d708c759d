#include "widgets/time_view.h"

#include <algorithm>
#include <cmath>

namespace wattproof::widgets {
namespace {

constexpr Ns kShortestView = 1;

// How far the view may reach beyond what it fits.
Ns marginOf(TimeRange range) {
    return range.length() / 5;
}

// At a few nanoseconds a step of the zoom rounds to nothing: it takes one all the same.
Ns zoomed(Ns length, double factor) {
    const Ns rounded = std::llround(static_cast<double>(length) * factor);
    const Ns least = factor < 1 ? -1 : factor > 1 ? 1 : 0;
    return std::max(kShortestView, rounded == length ? length + least : rounded);
}

}  // namespace

TimeView::TimeView(QObject *parent) : QObject(parent) {}

TimeRange TimeView::overview() const {
    const Ns margin = marginOf(main_);
    return visible_.begin >= main_.begin - margin && visible_.end <= main_.end + margin ? main_ : extent_;
}

void TimeView::setExtent(TimeRange extent, TimeRange mainRange) {
    if (extent.empty())
        extent.end = extent.begin + 1;
    if (mainRange.empty())
        mainRange = extent;
    if (extent == extent_ && mainRange == main_)
        return;
    const bool showedMain = visible_ == main_, showedAll = visible_ == extent_;
    extent_ = extent;
    main_ = mainRange;
    emit extentChanged();
    if (showedAll && !showedMain)
        setVisible(extent_);
    else if (showedMain || !visible_.overlaps(extent_))
        fitMain();
}

void TimeView::setVisible(TimeRange range) {
    const Ns longest = std::max<Ns>(kShortestView, extent_.length() + marginOf(extent_));
    const Ns length = std::clamp(range.length(), kShortestView, longest);
    if (length != range.length())
        range.begin += (range.length() - length) / 2;
    // Some of the extent always stays in sight, so that nobody is lost in emptiness.
    range.begin = std::clamp(range.begin, extent_.begin - length + length / 10, extent_.end - length / 10);
    range.end = range.begin + length;
    if (range == visible_)
        return;
    visible_ = range;
    emit visibleChanged();
}

void TimeView::zoomAround(Ns anchor, double factor) {
    const double before = static_cast<double>(anchor - visible_.begin);
    const Ns length = zoomed(visible_.length(), factor);
    const double share = before / static_cast<double>(std::max<Ns>(1, visible_.length()));
    Ns beforeAnchor = std::llround(share * static_cast<double>(length));
    if (share < 1)
        beforeAnchor = std::min(beforeAnchor, length - 1);   // what was in sight stays in sight
    const Ns begin = anchor - beforeAnchor;
    setVisible({begin, begin + length});
}

void TimeView::panBy(Ns delta) {
    setVisible({visible_.begin + delta, visible_.end + delta});
}

void TimeView::fitMain() {
    setVisible(main_);
}

void TimeView::fitAll() {
    const TimeRange before = visible_;
    fitMain();
    if (visible_ == before)
        setVisible(extent_);
}

void TimeView::fit(TimeRange range, double margin) {
    const Ns pad = std::max<Ns>(1, static_cast<Ns>(static_cast<double>(range.length()) * margin));
    setVisible({range.begin - pad, range.end + pad});
}

void TimeView::setCursor(std::optional<Ns> cursor) {
    if (cursor == cursor_)
        return;
    cursor_ = cursor;
    emit cursorChanged();
}

void TimeView::select(const Selection &selection) {
    if (selection == selection_)
        return;
    selection_ = selection;
    emit selectionChanged();
}

void TimeView::clearSelection() {
    select({});
}

double timeToX(Ns time, TimeRange visible, double width) {
    return static_cast<double>(time - visible.begin) * width / static_cast<double>(std::max<Ns>(1, visible.length()));
}

Ns xToTime(double x, TimeRange visible, double width) {
    if (width <= 0)
        return visible.begin;
    return visible.begin + static_cast<Ns>(std::floor(x * static_cast<double>(visible.length()) / width));
}

}  // namespace wattproof::widgets
