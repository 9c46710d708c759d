#include "report/draw/theme.h"

#include "resources/embedded.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace wattproof::draw {
namespace {

QColor colour(const nlohmann::json &tokens, const char *key) {
    return QColor(QString::fromStdString(tokens.value(key, std::string("#FF00FF"))));
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
    for (const auto &[name, value] : document.at("op_class").items())
        theme.opClass[name] = QColor(QString::fromStdString(value.get<std::string>()));
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
    const auto found = opClass.find(opClassName);
    return found != opClass.end() ? found->second : opClass.at("other");
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
