#include "widgets/window/headline_bar.h"

#include "report/report.h"
#include "widgets/panes/words.h"

#include <cmath>

#include <QHBoxLayout>
#include <QLabel>

namespace wattproof::widgets {
namespace {

QString joinedNames(const std::vector<std::string> &names) {
    QStringList all;
    for (const std::string &name : names)
        all << qs(name);
    return all.join(QStringLiteral(", "));
}

QString reasonOf(const analysis::AnalysisResult &result, const char *path) {
    const auto found = result.reasons.find(path);
    return found == result.reasons.end() ? QString() : qs(found->second);
}

Chip valueChip(const analysis::AnalysisResult &result) {
    const analysis::Headline &headline = result.headline;
    const std::optional<double> value = headline.value ? headline.value : headline.valueNoSla;
    if (!value) {
        const QString why = reasonOf(result, "headline.value");
        return {HeadlineBar::tr("work per joule –"), why.isEmpty() ? qs(headline.note) : why, Chip::Tone::Plain,
                true};
    }
    QString text = qs(report::quantity(*value, headline.unit));
    if (headline.ci95 && *value > 0)
        text +=
            QStringLiteral(" ± ") + qs(report::percent((headline.ci95->high - headline.ci95->low) / 2 / *value));
    return {text, qs(headline.note), Chip::Tone::Plain, true};
}

QString milliseconds(double ms) {
    return qs(report::quantity(ms / 1000, "s"));
}

Chip slaChip(const analysis::SlaResult &sla) {
    const QString name = QStringLiteral("p%1").arg(sla.term.percentile);
    const QString limit = milliseconds(sla.term.limitMs);
    if (!sla.value)
        return {HeadlineBar::tr("%1 – of %2").arg(name, limit),
                HeadlineBar::tr("The latency could not be measured"),
                {},
                false};
    const bool pass = sla.pass.value_or(false);
    return {HeadlineBar::tr("%1 %2 of %3 %4")
                .arg(name, milliseconds(*sla.value), limit, pass ? QStringLiteral("✓") : QStringLiteral("✗")),
            pass ? HeadlineBar::tr("The promise is kept")
                 : HeadlineBar::tr("The promise is broken: this is no operating point"),
            pass ? Chip::Tone::Good : Chip::Tone::Bad, false};
}

void addSustained(QList<Chip> &chips, const analysis::Headline &headline) {
    if (!headline.sustained)
        return;
    const QString length = durationText(headline.sustained->length());
    if (headline.settled)
        chips << Chip{HeadlineBar::tr("sustained %1").arg(length),
                      HeadlineBar::tr("Stationary and thermally settled"),
                      {},
                      false};
    else
        chips << Chip{
            HeadlineBar::tr("burst %1").arg(length),
            HeadlineBar::tr("Too short to have settled thermally: this figure is a burst, not a sustained one"),
            Chip::Tone::Warn, false};
}

void addEnergy(QList<Chip> &chips, const analysis::AnalysisResult &result) {
    if (!result.energy.totalJ) {
        chips << Chip{HeadlineBar::tr("no joules"),
                      HeadlineBar::tr("Add the power log of the same run to see energy"), Chip::Tone::Warn, false};
        return;
    }
    chips << Chip{qs(report::quantity(*result.energy.totalJ, "J")),
                  HeadlineBar::tr("Energy of the measured domains over the log"),
                  {},
                  false};
    if (result.thermal.clampEvents > 0)
        chips << Chip{
            HeadlineBar::tr("clamped %1").arg(qs(report::quantity(result.thermal.clampS, "s"))),
            HeadlineBar::tr("%n thermal clamp(s)", nullptr, static_cast<int>(result.thermal.clampEvents)),
            Chip::Tone::Bad, false};
}

QColor toneColour(Chip::Tone tone, const draw::Theme &theme) {
    switch (tone) {
        case Chip::Tone::Good:
            return theme.good;
        case Chip::Tone::Warn:
            return theme.warn;
        case Chip::Tone::Bad:
            return theme.bad;
        case Chip::Tone::Plain:
            break;
    }
    return theme.text;
}

}  // namespace

QList<Chip> chipsOf(const analysis::AnalysisResult &result, bool simulated) {
    QList<Chip> chips;
    if (simulated)
        chips << Chip{HeadlineBar::tr("simulated"),
                      HeadlineBar::tr("These data were made by the workload simulator, not measured"),
                      Chip::Tone::Warn, true};
    chips << valueChip(result);
    for (const analysis::SlaResult &sla : result.headline.sla)
        chips << slaChip(sla);
    addSustained(chips, result.headline);
    addEnergy(chips, result);
    if (!result.headline.domainsMissing.empty() && result.energy.totalJ)
        chips << Chip{HeadlineBar::tr("%1 missing").arg(joinedNames(result.headline.domainsMissing)),
                      HeadlineBar::tr("These domains were not measured: their energy is not in the figure"),
                      Chip::Tone::Warn, false};
    return chips;
}

HeadlineBar::HeadlineBar(const draw::Theme &theme, QWidget *parent)
    : QWidget(parent), theme_(&theme), layout_(new QHBoxLayout(this)) {
    layout_->setContentsMargins(12, 4, 12, 4);
    layout_->setSpacing(8);
    setAccessibleName(tr("Headline"));
}

void HeadlineBar::setChips(const QList<Chip> &chips) {
    chips_ = chips;
    rebuild();
}

void HeadlineBar::setTheme(const draw::Theme &theme) {
    theme_ = &theme;
    rebuild();
}

void HeadlineBar::rebuild() {
    while (QLayoutItem *item = layout_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const Chip &chip : chips_) {
        if (layout_->count() > 0) {
            auto *dot = new QLabel(QStringLiteral("·"), this);
            dot->setForegroundRole(QPalette::PlaceholderText);
            layout_->addWidget(dot);
        }
        auto *label = new QLabel(chip.text, this);
        label->setTextFormat(Qt::PlainText);
        label->setToolTip(chip.hint);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        QPalette mine = label->palette();
        mine.setColor(QPalette::WindowText, toneColour(chip.tone, *theme_));
        label->setPalette(mine);
        QFont font = label->font();
        if (chip.strong)
            font.setWeight(QFont::Bold);
        label->setFont(font);
        layout_->addWidget(label);
    }
    layout_->addStretch(1);
}

QStringList HeadlineBar::texts() const {
    QStringList all;
    for (const Chip &chip : chips_)
        all << chip.text;
    return all;
}

}  // namespace wattproof::widgets
