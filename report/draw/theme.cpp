#include "report/draw/theme.h"

#include "resources/embedded.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace wattproof::draw {
namespace {

QColor colour(const nlohmann::json &tokens, const char *key) {
    return QColor(QString::fromStdString(tokens.value(key, std::string("#FF00FF"))));
}

std::map<std::string, QColor> fills(const nlohmann::json &entries) {
    std::map<std::string, QColor> colours;
    for (const auto &[name, value] : entries.items())
        colours[name] = QColor(QString::fromStdString(value.get<std::string>()));
    return colours;
}

const QColor &fillIn(const std::map<std::string, QColor> &colours, const std::string &name) {
    const auto found = colours.find(name);
    return found != colours.end() ? found->second : colours.at("other");
}

Theme load(bool dark) {
    // Built in and covered by a test, so a parse error is a programmer's, never a user's.
    const auto document = nlohmann::json::parse(*resources::builtIn("theme.json"));
    const auto &tokens = document.at(dark ? "dark" : "light");
    Theme theme;
    theme.dark = dark;
    theme.background = colour(tokens, "background");
    theme.panel = colour(tokens, "panel");
    theme.grid = colour(tokens, "grid");
    theme.text = colour(tokens, "text");
    theme.muted = colour(tokens, "muted");
    theme.accent = colour(tokens, "accent");
    theme.good = colour(tokens, "good");
    theme.warn = colour(tokens, "warn");
    theme.bad = colour(tokens, "bad");
    theme.rowHeight = document.at("row_height").get<int>();
    theme.handle = document.at("handle").get<int>();
    theme.corner = document.at("corner").get<int>();
    theme.opClass = fills(document.at("op_class"));
    theme.precision = fills(document.at("precision"));
    return theme;
}

double luminance(const QColor &c) {
    const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

}  // namespace

double contrast(const QColor &a, const QColor &b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor blend(const QColor &from, const QColor &to, double share) {
    const auto mixed = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mixed(from.red(), to.red()), mixed(from.green(), to.green()), mixed(from.blue(), to.blue())};
}

QColor Theme::fillOf(const std::string &opClassName) const {
    return fillIn(opClass, opClassName);
}

QColor Theme::fillOfPrecision(const std::string &name) const {
    return fillIn(precision, name);
}

QColor Theme::fillOfShare(double share) const {
    return blend(blend(background, bad, 0.12), bad, std::clamp(share, 0.0, 1.0));
}

QColor Theme::unknownFill() const {
    return grid;
}

QColor Theme::labelOn(const QColor &fill) {
    return contrast(Qt::black, fill) >= contrast(Qt::white, fill) ? QColor(Qt::black) : QColor(Qt::white);
}

QColor Theme::lineOf(const std::string &opClassName) const {
    QColor line = fillOf(opClassName);
    for (int i = 0; i < 20 && contrast(line, background) < 3.0; ++i)
        line = dark ? line.lighter(110) : line.darker(110);
    return line;
}

QColor Theme::fillOfName(std::size_t hash) const {
    const int hue = static_cast<int>((hash * 0x9E3779B97F4A7C15ULL >> 40U) % 360U);
    return QColor::fromHsl(hue, dark ? 70 : 80, dark ? 110 : 185);
}

const Theme &lightTheme() {
    static const Theme theme = load(false);
    return theme;
}

const Theme &darkTheme() {
    static const Theme theme = load(true);
    return theme;
}

}  // namespace wattproof::draw
