#include "widgets/window/sources_dialog.h"

#include "widgets/panes/empty_hint.h"
#include "widgets/panes/table_view.h"
#include "widgets/panes/words.h"
#include "widgets/window/import_again_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

constexpr int kShownHash = 12;

QString nameOf(const SourceEntry &source) {
    return QFileInfo(qs(source.row.path)).fileName();
}

QString whatGoes(const SourceEntry &source) {
    const bool trace = source.row.kind == SourceKind::Trace;
    return trace ? SourcesDialog::tr("Its tracks, slices and counters go, and with them the findings, which are then made "
                                     "again from what is left. Notes stay where they are in time. The file itself "
                                     "stays. This cannot be undone.")
                 : SourcesDialog::tr("Its samples and its alignment go, and with them the findings, which are then made "
                                     "again from what is left. The file itself stays. This cannot be undone.");
}

}  // namespace

SourcesDialog::SourcesDialog(Document &document, QWidget *parent)
    : QDialog(parent),
      document_(document),
      session_(document.session()),
      model_(new SourcesModel(this)),
      pages_(new QStackedWidget(this)),
      table_(new TableView(this)),
      details_(new QLabel(this)) {
    setWindowTitle(tr("Sources"));
    build();
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &SourcesDialog::choose);
    connect(session_, &Session::dataChanged, this, &SourcesDialog::ask);
    connect(&document_, &Document::stateChanged, this, &SourcesDialog::showState);
    ask();
    showState();
}

void SourcesDialog::build() {
    table_->setAccessibleName(tr("Sources"));
    table_->setSourceModel(model_);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setFrameShape(QFrame::StyledPanel);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->sortByColumn(SourcesModel::Begin, Qt::AscendingOrder);
    pages_->addWidget(new EmptyHint(tr("Nothing is left in this workspace: add a trace or a log."), {}, this));
    pages_->addWidget(table_);
    details_->setTextFormat(Qt::PlainText);
    details_->setWordWrap(true);
    details_->setForegroundRole(QPalette::PlaceholderText);
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    details_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    details_->setMinimumHeight(2 * details_->fontMetrics().lineSpacing());
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    again_ = buttons->addButton(tr("&Import again…"), QDialogButtonBox::ActionRole);
    remove_ = buttons->addButton(tr("&Remove…"), QDialogButtonBox::ActionRole);
    for (QPushButton *button : {again_, remove_})
        button->setAutoDefault(false);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(pages_, 1);
    layout->addWidget(details_);
    layout->addWidget(buttons);
    connect(again_, &QPushButton::clicked, this, &SourcesDialog::askAgain);
    connect(remove_, &QPushButton::clicked, this, &SourcesDialog::askRemove);
    connect(table_, &QAbstractItemView::activated, this, &SourcesDialog::askAgain);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(900, 320);
}

void SourcesDialog::ask() {
    session_->queries().ask(
        this, "sources",
        [&service = document_.service()](store::Reader &reader, const std::stop_token &) {
            return service.sources(reader);
        },
        [this](Expected<std::vector<SourceEntry>> &&sources) {
            if (sources)
                show(std::move(*sources));
            else
                details_->setText(qs(sources.error().sentence()));
        });
}

void SourcesDialog::show(std::vector<SourceEntry> sources) {
    const SourceId before = chosen_;
    const int row = chosenRow_;
    model_->setRows(std::move(sources));
    table_->resizeColumnsToContents();
    pages_->setCurrentIndex(model_->rowCount() > 0 ? 1 : 0);
    int next = std::min(row, model_->rowCount() - 1);
    for (int i = 0; i < model_->rowCount(); ++i)
        if (model_->rows()[static_cast<std::size_t>(table_->sourceRow(table_->model()->index(i, 0)))].row.id == before)
            next = i;
    if (next >= 0)
        table_->selectRow(next);
    choose();
}

const SourceEntry *SourcesDialog::chosen() const {
    const int row = table_->sourceRow(table_->currentIndex());
    return row < 0 || row >= model_->rowCount() ? nullptr : &model_->rows()[static_cast<std::size_t>(row)];
}

void SourcesDialog::choose() {
    const SourceEntry *source = chosen();
    chosen_ = source ? source->row.id : SourceId();
    chosenRow_ = std::max(table_->currentIndex().row(), 0);
    details_->setText(source ? tr("%1\nSHA-256 %2…, imported %3 by Wattproof %4")
                                   .arg(qs(source->row.path), qs(source->row.sha256).left(kShownHash),
                                        qs(source->row.importedAt), qs(source->row.toolVersion))
                             : QString());
    showState();
}

void SourcesDialog::showState() {
    const bool writable = session_->workspace().writable();
    const QString why = writable ? QString() : tr("This workspace can be read, but not changed.");
    for (QPushButton *button : {again_, remove_}) {
        button->setEnabled(chosen() && writable && !document_.isChangingSources());
        button->setToolTip(why);
    }
}

void SourcesDialog::askRemove() {
    const SourceEntry *source = chosen();
    if (!source)
        return;
    auto *box = new QMessageBox(QMessageBox::NoIcon, tr("Remove a source"),
                                tr("Remove %1 from this workspace?").arg(nameOf(*source)), QMessageBox::Cancel, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(whatGoes(*source));
    const QPushButton *yes = box->addButton(tr("&Remove"), QMessageBox::DestructiveRole);
    box->setDefaultButton(QMessageBox::Cancel);
    connect(yes, &QPushButton::clicked, this, [this, entry = *source] { document_.removeSource(entry); });
    box->open();
}

void SourcesDialog::askAgain() {
    const SourceEntry *source = chosen();
    if (!source || !again_->isEnabled())
        return;
    auto *dialog = new ImportAgainDialog(
        *source, qs(document_.service().openFilter()),
        [&service = document_.service()](const TracePart &part) { return service.checkPart(part); }, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ImportAgainDialog::chosen, this,
            [this, entry = *source](const QString &file, const TracePart &part) {
                document_.importAgain(entry, file, part);
            });
    dialog->open();
}

}  // namespace wattproof::widgets
