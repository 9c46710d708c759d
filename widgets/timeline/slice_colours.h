// What the slices of a session are coloured by, and the mean power of names once that is asked for.
#pragma once

#include "report/draw/labels.h"
#include "widgets/session.h"

#include <unordered_map>

#include <QObject>
#include <QString>

namespace wattproof::widgets {

class SliceColours : public QObject {
    Q_OBJECT

public:
    // The one of a session; made on first use.
    [[nodiscard]] static SliceColours *of(Session *);

    void choose(draw::ColourBy);
    [[nodiscard]] draw::ColourBy chosen() const { return chosen_; }
    // Joules of the last analysis over the time of all slices of a name, in W. Empty until it has been read, and
    // without an analysis that gave slices energy.
    [[nodiscard]] const std::unordered_map<StringId, double> &power() const { return power_; }
    // One sentence on what the colours mean; empty where they are the usual ones.
    [[nodiscard]] QString legend() const;
    // What the chosen colour says about a name; empty where it is the usual one.
    [[nodiscard]] QString say(const draw::NameLook &) const;

signals:
    void changed();

private:
    explicit SliceColours(Session *);
    void askPower();

    Session *session_;
    draw::ColourBy chosen_ = draw::ColourBy::Class;
    std::unordered_map<StringId, double> power_;
    bool powerKnown_ = false;
};

}  // namespace wattproof::widgets
