#include "report/draw/labels.h"

#include <algorithm>
#include <utility>

namespace wattproof::draw {
namespace {

constexpr double kShortestLabel = 18;

// End of the part before template and call arguments. "operator<" and a leading "(anonymous" or "<" are left
// alone.
std::size_t headLength(std::string_view name) {
    const std::size_t end = name.find_first_of("<(", 1);
    return end == std::string_view::npos || name.substr(0, end).ends_with("operator") ? name.size() : end;
}

// "(anonymous namespace)::" and "<unnamed>::" hide the end of a head: removed before it is looked for.
std::string withoutAnonymous(std::string_view name) {
    std::string text(name);
    for (const std::string_view hidden : {"(anonymous namespace)::", "<unnamed>::", "{anonymous}::"})
        for (std::size_t at = text.find(hidden); at != std::string::npos; at = text.find(hidden))
            text.erase(at, hidden.size());
    return text;
}

bool isSymbol(std::string_view name) {
    return name.starts_with("void ") || name.find("::") != std::string_view::npos;
}

}  // namespace

std::string shortName(std::string_view name) {
    if (!isSymbol(name))
        return std::string(name);
    std::string text = withoutAnonymous(name.starts_with("void ") ? name.substr(5) : name);
    text.resize(headLength(text));
    if (const std::size_t scope = text.rfind("::"); scope != std::string::npos && scope + 2 < text.size())
        text.erase(0, scope + 2);
    return text.empty() || text.ends_with("::") ? std::string(name) : text;
}

QString safeText(std::string_view utf8) {
    QString text = QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
    for (QChar &c : text) {
        const bool forbidden = c.unicode() < 0x20 || c.unicode() == 0x7F || c.unicode() >= 0xFFFE;
        if (forbidden || c.category() == QChar::Other_Control)
            c = QChar(0xFFFD);
    }
    return text;
}

void NameLooks::setTheme(const Theme &theme) {
    theme_ = theme;
    colourAll();
}

void NameLooks::setClasses(const std::vector<store::NameClass> &classes) {
    classes_.clear();
    for (const store::NameClass &known : classes)
        classes_.emplace(known.name, known);
    colourAll();
}

void NameLooks::setPower(std::unordered_map<StringId, double> watts) {
    watts_ = std::move(watts);
    mostWatts_ = 0;
    for (const auto &[name, value] : watts_)
        mostWatts_ = std::max(mostWatts_, value);
    colourAll();
}

void NameLooks::setColourBy(ColourBy by) {
    colourBy_ = by;
    colourAll();
}

void NameLooks::colourAll() {
    for (auto &[id, look] : looks_)
        colour(id, look);
    colour({}, unknown_);
}

void NameLooks::add(StringId id, std::string_view text) {
    NameLook look;
    look.full = safeText(text);
    look.brief = safeText(shortName(text));
    colour(id, look);
    looks_.insert_or_assign(id, look);
}

void NameLooks::colour(StringId id, NameLook &look) const {
    const auto known = classes_.find(id);
    look.opClass = known == classes_.end() ? std::string() : known->second.opClass;
    look.precision = known == classes_.end() ? std::string() : known->second.precision;
    const auto power = watts_.find(id);
    look.watts = power == watts_.end() ? std::nullopt : std::optional(power->second);
    look.fill = fillOf(look);
    look.label = Theme::labelOn(look.fill);
}

QColor NameLooks::fillOf(const NameLook &look) const {
    switch (colourBy_) {
        case ColourBy::Class:
            if (!look.opClass.empty())
                return theme_.fillOf(look.opClass);
            break;
        case ColourBy::Name:
            break;
        case ColourBy::Precision:
            return look.precision.empty() ? theme_.unknownFill() : theme_.fillOfPrecision(look.precision);
        case ColourBy::Power:
            return look.watts && mostWatts_ > 0 ? theme_.fillOfShare(*look.watts / mostWatts_) : theme_.unknownFill();
    }
    return theme_.fillOfName(std::hash<std::string>{}(look.brief.toStdString()));
}

const NameLook &NameLooks::look(StringId id) const {
    const auto found = looks_.find(id);
    return found == looks_.end() ? unknown_ : found->second;
}

QString NameLooks::fitted(StringId id, double width, const QFontMetricsF &metrics) {
    const auto found = looks_.find(id);
    if (found == looks_.end() || width < kShortestLabel)
        return {};
    NameLook &look = found->second;
    if (look.fullWidth < 0) {
        look.fullWidth = metrics.horizontalAdvance(look.full);
        look.briefWidth = metrics.horizontalAdvance(look.brief);
    }
    if (look.fullWidth <= width)
        return look.full;
    if (look.briefWidth <= width)
        return look.brief;
    const QString cut = metrics.elidedText(look.brief, Qt::ElideRight, width);
    return cut.size() > 2 ? cut : QString();
}

void NameLooks::fontChanged() {
    for (auto &[id, look] : looks_)
        look.fullWidth = -1;
}

}  // namespace wattproof::draw
