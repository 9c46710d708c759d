#include "widgets/plot/axis_choices.h"

#include "store/reader.h"
#include "widgets/panes/words.h"

namespace wattproof::widgets {
namespace {

// The origin is wall time when the source that the workspace began with has it.
Expected<std::optional<Ns>> readEpochOrigin(store::Reader &reader, const std::stop_token &) {
    auto sources = reader.sources();
    if (!sources)
        return passOn(sources);
    std::optional<Ns> origin;
    for (const SourceRow &source : *sources)
        if (source.clock == ClockBasis::Epoch || source.clock == ClockBasis::WallAssumedZone)
            origin = reader.origin();
    return origin;
}

}  // namespace

AxisChoices *AxisChoices::of(Session *session) {
    if (auto *existing = session->findChild<AxisChoices *>(QString(), Qt::FindDirectChildrenOnly))
        return existing;
    return new AxisChoices(session);
}

AxisChoices::AxisChoices(Session *session) : QObject(session), session_(session) {
    connect(session, &Session::dataChanged, this, &AxisChoices::askOrigin);
    askOrigin();
}

void AxisChoices::askOrigin() {
    session_->queries().ask(this, "plot/origin", readEpochOrigin, [this](Expected<std::optional<Ns>> &&origin) {
        if (!origin || *origin == epochOrigin_)
            return;
        epochOrigin_ = *origin;
        emit changed();
    });
}

void AxisChoices::setTimeShown(draw::TimeShown shown) {
    if (shown == shown_)
        return;
    shown_ = shown;
    emit changed();
}

void AxisChoices::setMark(std::optional<TimeRange> mark) {
    if (mark == mark_)
        return;
    mark_ = mark;
    emit changed();
}

draw::TimeWords AxisChoices::words() const {
    const bool wall = shown_ == draw::TimeShown::Utc || shown_ == draw::TimeShown::Local;
    if (wall && epochOrigin_)
        return {shown_, *epochOrigin_};
    if (shown_ == draw::TimeShown::Mark && mark_)
        return {shown_, mark_->begin};
    return {};
}

QString AxisChoices::inFull(Ns time) const {
    const draw::TimeWords words = this->words();
    QStringList parts;
    if (words.shown == draw::TimeShown::Local)
        parts << tr("%1 local").arg(qs(words.full(time)));
    else if (words.shown == draw::TimeShown::Mark)
        parts << tr("%1 from the mark").arg(qs(words.full(time)));
    if (words.shown == draw::TimeShown::Utc)
        parts << utcText(*epochOrigin_ + time) << timeText(time);
    else if (parts << timeText(time); epochOrigin_)
        parts << utcText(*epochOrigin_ + time);
    return parts.join(QStringLiteral(" · "));
}

}  // namespace wattproof::widgets
