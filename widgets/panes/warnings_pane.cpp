#include "widgets/panes/warnings_pane.h"

#include "widgets/panes/empty_hint.h"
#include "widgets/panes/table_view.h"
#include "widgets/panes/words.h"

#include <map>

#include <QFileInfo>
#include <QHeaderView>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

Expected<std::vector<ShownWarning>> readWarnings(store::Reader &reader) {
    auto sources = reader.sources();
    if (!sources)
        return passOn(sources);
    auto rows = reader.warnings();
    if (!rows)
        return passOn(rows);
    std::map<SourceId, std::string> names;
    for (const SourceRow &source : *sources)
        names[source.id] = QFileInfo(qs(source.path)).fileName().toStdString();
    std::vector<ShownWarning> shown;
    for (WarningRow &row : *rows) {
        const std::string name = names[row.source];
        shown.push_back({name, std::move(row)});
    }
    return shown;
}

void append(std::vector<ShownWarning> &rows, const std::vector<std::string> &sentences, const char *kind) {
    for (const std::string &sentence : sentences) {
        ShownWarning warning;
        warning.source = WarningsPane::tr("analysis").toStdString();
        warning.row.kind = kind;
        warning.row.count = 1;
        warning.row.message = sentence;
        rows.push_back(std::move(warning));
    }
}

}  // namespace

WarningsPane::WarningsPane(Session *session, QWidget *parent)
    : QWidget(parent),
      session_(session),
      model_(new WarningsModel(this)),
      pages_(new QStackedWidget(this)),
      table_(new TableView(this)) {
    table_->setAccessibleName(tr("Warnings"));
    table_->setSourceModel(model_);
    table_->sortByColumn(WarningsModel::Count, Qt::DescendingOrder);
    table_->horizontalHeader()->setStretchLastSection(true);
    pages_->addWidget(new EmptyHint(tr("Nothing was left out: the sources were taken as they stand."), {}, this));
    pages_->addWidget(table_);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(pages_);
    connect(session, &Session::dataChanged, this, &WarningsPane::ask);
    connect(session, &Session::analysisChanged, this, &WarningsPane::ask);
    ask();
}

void WarningsPane::ask() {
    session_->queries().ask(
        this, "warnings", [](store::Reader &reader, const std::stop_token &) { return readWarnings(reader); },
        [this](Expected<std::vector<ShownWarning>> &&rows) {
            if (rows)
                show(std::move(*rows));
        });
}

void WarningsPane::show(std::vector<ShownWarning> rows) {
    if (const auto result = session_->analysis()) {
        append(rows, result->warnings, "analysis");
        append(rows, result->lints, "lint");
    }
    const int count = static_cast<int>(rows.size());
    model_->setRows(std::move(rows));
    table_->resizeColumnsToContents();
    pages_->setCurrentIndex(count > 0 ? 1 : 0);
    emit countChanged(count);
}

}  // namespace wattproof::widgets
