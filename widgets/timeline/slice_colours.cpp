#include "widgets/timeline/slice_colours.h"

#include "report/report.h"
#include "store/reader.h"
#include "widgets/panes/words.h"

#include <algorithm>

namespace wattproof::widgets {
namespace {

using Power = std::unordered_map<StringId, double>;

Expected<Power> readPower(store::Reader &reader, const std::stop_token &stop) {
    auto whole = reader.extent();
    if (!whole)
        return passOn(whole);
    auto names = reader.statsByName(*whole, {}, stop);
    if (!names)
        return passOn(names);
    Power power;
    for (const store::NameStats &name : *names)
        if (name.joules && name.total > 0)
            power.emplace(name.name, *name.joules / (static_cast<double>(name.total) * 1e-9));
    return power;
}

}  // namespace

SliceColours *SliceColours::of(Session *session) {
    if (auto *existing = session->findChild<SliceColours *>(QString(), Qt::FindDirectChildrenOnly))
        return existing;
    return new SliceColours(session);
}

SliceColours::SliceColours(Session *session) : QObject(session), session_(session) {
    const auto readAgain = [this] {
        powerKnown_ = false;
        if (chosen_ == draw::ColourBy::Power)
            askPower();
    };
    connect(session, &Session::dataChanged, this, readAgain);
    connect(session, &Session::analysisChanged, this, readAgain);
}

void SliceColours::choose(draw::ColourBy by) {
    if (by == chosen_)
        return;
    chosen_ = by;
    if (by == draw::ColourBy::Power && !powerKnown_)
        askPower();
    emit changed();
}

void SliceColours::askPower() {
    session_->longQueries().ask(this, "timeline/power", readPower, [this](Expected<Power> &&power) {
        if (!power)
            return;
        powerKnown_ = true;
        power_ = std::move(*power);
        emit changed();
    });
}

QString SliceColours::legend() const {
    switch (chosen_) {
        case draw::ColourBy::Class:
            return {};
        case draw::ColourBy::Name:
            return tr("Coloured by name");
        case draw::ColourBy::Precision:
            return tr("Coloured by precision of kernels; grey: none known");
        case draw::ColourBy::Power:
            break;
    }
    if (!powerKnown_)
        return tr("Coloured by mean power of names: reading…");
    if (power_.empty())
        return tr("No slice has energy yet: Analyze gives it where power was measured");
    const auto most = std::max_element(power_.begin(), power_.end(),
                                       [](const auto &a, const auto &b) { return a.second < b.second; });
    return tr("Coloured by mean power of names, up to %1; grey: none known").arg(qs(report::quantity(most->second, "W")));
}

QString SliceColours::say(const draw::NameLook &look) const {
    if (chosen_ == draw::ColourBy::Precision && !look.precision.empty())
        return qs(look.precision);
    if (chosen_ == draw::ColourBy::Power && look.watts)
        return tr("%1 on average over all of this name").arg(qs(report::quantity(look.watts, "W")));
    return {};
}

}  // namespace wattproof::widgets
