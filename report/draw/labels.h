// Names on slices: their fill, their short form and the text that fits a width.
#pragma once

#include "report/draw/theme.h"
#include "store/reader.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <QColor>
#include <QFontMetricsF>
#include <QString>

namespace wattproof::draw {

// The telling part of a symbol: without return type, namespaces, template and call arguments.
// "void at::native::vectorized_elementwise_kernel<4, …>(…)" -> "vectorized_elementwise_kernel". Other texts as
// they are.
[[nodiscard]] std::string shortName(std::string_view name);

// Text without control characters and lone surrogates, so that any name is one line and legal in XML.
[[nodiscard]] QString safeText(std::string_view utf8);

// What decides the fill of a slice. Class: its op class, or its name where it has none. Power: mean watts of all
// slices of its name.
enum class ColourBy : std::uint8_t { Class, Name, Precision, Power };

struct NameLook {
    QString full, brief;
    std::string opClass, precision;  // empty: none, as of host slices
    std::optional<double> watts;     // mean power of its slices
    QColor fill, label;
    double fullWidth = -1, briefWidth = -1;  // measured on first use
};

// How each name looks, by string id. Owned by one thread.
class NameLooks {
public:
    void setTheme(const Theme &);
    void setClasses(const std::vector<store::NameClass> &);
    // Mean power by name: the highest of them has the strongest fill.
    void setPower(std::unordered_map<StringId, double> watts);
    void setColourBy(ColourBy);
    [[nodiscard]] ColourBy colourBy() const { return colourBy_; }
    void add(StringId, std::string_view text);
    [[nodiscard]] bool knows(StringId id) const { return looks_.contains(id); }
    [[nodiscard]] const NameLook &look(StringId) const;
    // The longest form that fits; empty when not even a few letters do.
    [[nodiscard]] QString fitted(StringId, double width, const QFontMetricsF &);
    // Widths depend on the font: forget them when it changes.
    void fontChanged();

private:
    void colourAll();
    void colour(StringId, NameLook &) const;
    [[nodiscard]] QColor fillOf(const NameLook &) const;

    Theme theme_ = lightTheme();
    ColourBy colourBy_ = ColourBy::Class;
    std::unordered_map<StringId, store::NameClass> classes_;
    std::unordered_map<StringId, double> watts_;
    double mostWatts_ = 0;
    std::unordered_map<StringId, NameLook> looks_;
    NameLook unknown_;
};

}  // namespace wattproof::draw
