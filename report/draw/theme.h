// The tokens of resources/theme.json: the only place that knows a colour.
#pragma once

#include <map>
#include <string>

#include <QColor>

namespace wattproof::draw {

struct Theme {
    bool dark = false;
    QColor background, panel, grid, text, muted, accent, good, warn, bad;
    int rowHeight = 0, handle = 0, corner = 0;  // device-independent pixels
    std::map<std::string, QColor> opClass, precision;  // fills; "other" for what is not listed

    [[nodiscard]] QColor fillOf(const std::string &opClassName) const;
    [[nodiscard]] QColor fillOfPrecision(const std::string &name) const;
    // From pale to dark on the light theme, from dim to bright on the dark one. Share 0…1.
    [[nodiscard]] QColor fillOfShare(double share) const;
    // What a chosen colouring knows nothing about.
    [[nodiscard]] QColor unknownFill() const;
    // Black or white, whichever reads better on the fill (contrast of at least 4.5:1 on every class fill).
    [[nodiscard]] static QColor labelOn(const QColor &fill);
    // A class colour for lines: darkened on the light theme until it has 3:1 against the background.
    [[nodiscard]] QColor lineOf(const std::string &opClassName) const;
    // A stable, muted fill for names without a class.
    [[nodiscard]] QColor fillOfName(std::size_t hash) const;
};

[[nodiscard]] const Theme &lightTheme();
[[nodiscard]] const Theme &darkTheme();
[[nodiscard]] double contrast(const QColor &, const QColor &);  // WCAG 2 ratio, 1…21
[[nodiscard]] QColor blend(const QColor &from, const QColor &to, double share);  // share 0: from, 1: to

}  // namespace wattproof::draw
