#include "widgets/panes/selection_pane.h"

#include "report/report.h"
#include "widgets/panes/empty_hint.h"
#include "widgets/panes/table_page.h"
#include "widgets/panes/table_view.h"
#include "widgets/panes/words.h"

#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

// Time of the range that samples do not cover, as a share.
double uncovered(const analysis::EnergyOfRange &energy) {
    const double all = energy.coveredS + energy.missingS + energy.outsideS;
    return all > 0 ? (energy.missingS + energy.outsideS) / all : 1.0;
}

QString energyText(const RangeEnergyRow &row) {
    const QString name = row.domain.empty() || row.domain == "board"
                             ? qs(row.device)
                             : QStringLiteral("%1 %2").arg(qs(row.device), qs(row.domain));
    if (row.energy.coveredS <= 0)
        return SelectionPane::tr("%1 – (no samples here)").arg(name);
    QString text = QStringLiteral("%1 %2").arg(name, qs(report::quantity(row.energy.j, "J")));
    text += SelectionPane::tr(" at %1").arg(qs(report::quantity(row.energy.j / row.energy.coveredS, "W")));
    if (const double share = uncovered(row.energy); share > 0.0005)
        text += SelectionPane::tr(" (coverage %1)").arg(qs(report::percent(1 - share)));
    return text;
}

QString energyHint(const std::vector<RangeEnergyRow> &rows) {
    QStringList lines;
    for (const RangeEnergyRow &row : rows)
        lines << SelectionPane::tr(
                     "%1 %2: %3 J, integrated %4 s, gaps %5 s, outside the log %6 s, longest gap %7 s")
                     .arg(qs(row.device), qs(row.domain), exactText(row.energy.j), exactText(row.energy.coveredS),
                          exactText(row.energy.missingS), exactText(row.energy.outsideS),
                          exactText(row.energy.longestGapS));
    return lines.join(QLatin1Char('\n'));
}

QString emptySelection() {
    return SelectionPane::tr(
        "Drag over the timeline to select an area: its slices are summed up here by name, "
        "with their energy.");
}

}  // namespace

SelectionPane::SelectionPane(Session *session, QWidget *parent)
    : QWidget(parent),
      session_(session),
      model_(new NameStatsModel(this)),
      pages_(new QStackedWidget(this)),
      hint_(new EmptyHint(emptySelection(), {}, this)),
      range_(new QLabel(this)),
      energy_(new QLabel(this)),
      table_(new TableView(this)) {
    auto *page = new TablePage(table_, this);
    page->addToLine(range_);
    page->addToLine(energy_, 1);
    auto *save = new QToolButton(this);
    save->setText(tr("Save CSV…"));
    page->addButton(save);
    table_->setAccessibleName(tr("Numbers by name of the selected area"));
    table_->setSourceModel(model_);
    table_->sortByColumn(NameStatsModel::Total, Qt::DescendingOrder);
    table_->horizontalHeader()->setSectionResizeMode(NameStatsModel::Name, QHeaderView::Stretch);
    range_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    energy_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    energy_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pages_->addWidget(hint_);
    pages_->addWidget(page);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(pages_);
    connect(save, &QToolButton::clicked, this, &SelectionPane::csvRequested);
    connect(&session->view(), &TimeView::selectionChanged, this, &SelectionPane::ask);
    connect(session, &Session::dataChanged, this, &SelectionPane::ask);
    connect(session, &Session::analysisChanged, this, &SelectionPane::ask);
    ask();
}

void SelectionPane::ask() {
    const Selection selection = session_->view().selection();
    if (!selection.isArea()) {
        hint_->setText(emptySelection());
        pages_->setCurrentIndex(0);
        model_->setRows({});
        return;
    }
    const auto read = [energies = energies_, selection, revision = session_->workspace().revision()](
                          store::Reader &reader, const std::stop_token &stop) -> Expected<Answer> {
        auto rows = reader.statsByName(selection.range, selection.tracks, stop);
        if (!rows)
            return passOn(rows);
        auto energy = energies->of(reader, selection.range, revision, stop);
        if (!energy)
            return passOn(energy);
        return Answer{std::move(*rows), std::move(*energy)};
    };
    session_->queries().ask(this, "selection/stats", read, [this, selection](Expected<Answer> &&answer) {
        if (session_->view().selection() != selection)
            return;
        if (answer) {
            show(*answer);
        } else {
            hint_->setText(qs(answer.error().sentence()));
            pages_->setCurrentIndex(0);
        }
    });
}

void SelectionPane::show(const Answer &answer) {
    const Selection &selection = session_->view().selection();
    model_->setRows(answer.rows);
    QString place = rangeText(selection.range);
    if (!selection.tracks.empty())
        place += tr(" on %n track(s)", nullptr, static_cast<int>(selection.tracks.size()));
    range_->setText(place);
    QStringList energies;
    for (const RangeEnergyRow &row : answer.energy)
        energies << energyText(row);
    energy_->setText(energies.isEmpty() ? tr("Energy – (no power log; add one to see joules)")
                                        : energies.join(QStringLiteral("   ")));
    energy_->setToolTip(energyHint(answer.energy));
    pages_->setCurrentIndex(1);
}

QString SelectionPane::csv() const {
    return table_->csv(QLatin1Char(','), false);
}

}  // namespace wattproof::widgets
