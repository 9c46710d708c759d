// The run in one line: work per joule, the promised latency, the sustained stretch, what was not measured.
#pragma once

#include "analysis/result.h"
#include "report/draw/theme.h"

#include <QWidget>

class QHBoxLayout;

namespace wattproof::widgets {

// One fact of the line. mark: a shape drawn before the text, so that colour is not alone.
struct Chip {
    enum class Tone { Plain, Good, Warn, Bad };
    QString text, hint;
    Tone tone = Tone::Plain;
    bool strong = false;
};

// Pure: what the line says about a result.
[[nodiscard]] QList<Chip> chipsOf(const analysis::AnalysisResult &result, bool simulated);

class HeadlineBar : public QWidget {
    Q_OBJECT

public:
    explicit HeadlineBar(const draw::Theme &theme, QWidget *parent = nullptr);

    void setChips(const QList<Chip> &chips);
    void setTheme(const draw::Theme &);
    [[nodiscard]] QStringList texts() const;

private:
    void rebuild();

    const draw::Theme *theme_;
    QList<Chip> chips_;
    QHBoxLayout *layout_;
};

}  // namespace wattproof::widgets
