// What the user chose about the time axis, shared by the panes of a session: which clock its times are told in, what
// the wheel does, and the mark.
#pragma once

#include "report/draw/time_words.h"
#include "widgets/session.h"

#include <optional>

#include <QObject>
#include <QString>

namespace wattproof::widgets {

enum class WheelUse { Zoom, Scroll };

class AxisChoices : public QObject {
    Q_OBJECT

public:
    // The one of a session; made on first use.
    [[nodiscard]] static AxisChoices *of(Session *);

    [[nodiscard]] WheelUse wheel() const { return wheel_; }
    void setWheel(WheelUse wheel) { wheel_ = wheel; }
    void setTimeShown(draw::TimeShown);

    // A range, or an instant when it is empty: where the user put a finger. Not kept in the workspace.
    [[nodiscard]] const std::optional<TimeRange> &mark() const { return mark_; }
    void setMark(std::optional<TimeRange>);

    // Trace time where the chosen clock is not known: without wall time in any source, or without a mark.
    [[nodiscard]] draw::TimeWords words() const;
    [[nodiscard]] std::optional<Ns> epochOrigin() const { return epochOrigin_; }  // epoch ns of workspace time 0
    // A time as the status line says it: on the chosen clock, then on the others that tell more.
    [[nodiscard]] QString inFull(Ns time) const;

signals:
    void changed();  // panes write their times anew

private:
    explicit AxisChoices(Session *);
    void askOrigin();

    Session *session_;
    WheelUse wheel_ = WheelUse::Zoom;
    draw::TimeShown shown_ = draw::TimeShown::Trace;
    std::optional<TimeRange> mark_;
    std::optional<Ns> epochOrigin_;
};

}  // namespace wattproof::widgets
