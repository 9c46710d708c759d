#include "widgets/import/import_dialog.h"

#include "widgets/import/look_words.h"
#include "widgets/import/mapping_dialog.h"
#include "widgets/panes/words.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QTimeZone>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

constexpr QSize kSize{1200, 600};
constexpr int kChoicesWidth = 420;
constexpr int kStoryHeight = 190;

}  // namespace

ImportDialog::ImportDialog(ImportService &service, const std::vector<std::string> &paths,
                           const std::vector<FileLook> &seen, const draw::Theme &theme, QWidget *parent)
    : QDialog(parent),
      service_(service),
      theme_(theme),
      model_(new LookModel(paths, theme, this)),
      table_(new QTableView(this)),
      format_(new QComboBox(this)),
      zone_(new QComboBox(this)),
      forAll_(new QCheckBox(tr("For a&ll files without a zone"), this)),
      map_(new QPushButton(tr("&Map columns…"), this)),
      summary_(new QLabel(this)),
      clockHint_(new QLabel(this)),
      story_(new QPlainTextEdit(this)) {
    setWindowTitle(tr("Import"));
    build();
    fillZones();
    fillFormats();
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const auto look = std::find_if(seen.begin(), seen.end(), [&](const FileLook &l) { return l.path == paths[i]; });
        if (look != seen.end())
            model_->setLook(i, *look);
        else
            waiting_.push_back(i);
    }
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ImportDialog::showChosen);
    connect(model_, &QAbstractItemModel::dataChanged, this, [this] {
        showChosen();
        showState();
    });
    connect(&tasks_, &TaskRunner::changed, this, &ImportDialog::showState);
    connect(format_, &QComboBox::activated, this, &ImportDialog::takeFormat);
    connect(zone_, &QComboBox::activated, this, &ImportDialog::takeZone);
    connect(zone_->lineEdit(), &QLineEdit::editingFinished, this, &ImportDialog::takeZone);
    connect(map_, &QPushButton::clicked, this, &ImportDialog::openMapping);
    connect(import_, &QPushButton::clicked, this, &ImportDialog::choose);
    table_->selectRow(0);
    table_->setFocus();
    showChosen();
    showState();
    lookNext();
}

void ImportDialog::build() {
    QFont bold = summary_->font();
    bold.setWeight(QFont::DemiBold);
    summary_->setFont(bold);
    summary_->setWordWrap(true);
    table_->setModel(model_);
    table_->setAccessibleName(tr("Files"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setTabKeyNavigation(false);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 8);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setStretchLastSection(true);
    story_->setReadOnly(true);
    story_->setTabChangesFocus(true);
    story_->setAccessibleName(tr("What was found in the file"));
    story_->setPlaceholderText(tr("Choose a file to see what is in it."));
    auto *lower = new QHBoxLayout;
    lower->setSpacing(16);
    lower->addWidget(buildChoices());
    lower->addWidget(story_, 1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    import_ = buttons->addButton(tr("&Import"), QDialogButtonBox::AcceptRole);
    import_->setDefault(true);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addWidget(summary_);
    layout->addWidget(table_, 1);
    layout->addLayout(lower);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(kSize);
}

QWidget *ImportDialog::buildChoices() {
    auto *box = new QWidget(this);
    box->setFixedWidth(kChoicesWidth);
    zone_->setEditable(true);
    zone_->setInsertPolicy(QComboBox::NoInsert);
    zone_->setAccessibleName(tr("Zone of the file's wall times"));
    format_->setAccessibleName(tr("Format"));
    for (QComboBox *field : {format_, zone_}) {
        field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        field->setMinimumContentsLength(20);
        field->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        field->setMaxVisibleItems(20);
    }
    clockHint_->setWordWrap(true);
    clockHint_->setForegroundRole(QPalette::PlaceholderText);
    clockHint_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    map_->setAutoDefault(false);
    auto *form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->addRow(tr("Read &as"), format_);
    form->addRow(QString(), map_);
    form->addRow(tr("&Zone"), zone_);
    form->addRow(QString(), forAll_);
    form->addRow(clockHint_);
    story_->setMinimumHeight(kStoryHeight);
    story_->setMaximumHeight(kStoryHeight + 40);
    QWidget::setTabOrder(table_, format_);
    QWidget::setTabOrder(format_, map_);
    QWidget::setTabOrder(map_, zone_);
    QWidget::setTabOrder(zone_, forAll_);
    QWidget::setTabOrder(forAll_, story_);
    return box;
}

void ImportDialog::fillFormats() {
    format_->addItem(tr("As recognised"), QString());
    for (const FormatName &name : service_.formats())
        format_->addItem(name.title.empty() || name.title == name.format ? qs(name.format) : tr("%1 – %2").arg(qs(name.format), qs(name.title)),
                         qs(name.format));
}

void ImportDialog::fillZones() {
    const QString own = QString::fromUtf8(QTimeZone::systemTimeZoneId());
    zone_->addItem(tr("Not known: read as UTC"), QString());
    if (!own.isEmpty())
        zone_->addItem(tr("%1 (this computer)").arg(own), own);
    zone_->addItem(QStringLiteral("UTC"), QStringLiteral("UTC"));
    for (const QByteArray &id : QTimeZone::availableTimeZoneIds())
        if (id.contains('/') && !id.startsWith("Etc/"))
            zone_->addItem(QString::fromUtf8(id), QString::fromUtf8(id));
    zone_->completer()->setCompletionMode(QCompleter::PopupCompletion);
    zone_->completer()->setFilterMode(Qt::MatchContains);
    zone_->lineEdit()->setAccessibleName(zone_->accessibleName());
    zone_->setToolTip(tr("A name such as Europe/Berlin, or an offset such as +02:00"));
}

// One file after the other: the disk is asked by one of them at a time.
void ImportDialog::lookNext() {
    if (tasks_.isBusy() || waiting_.empty())
        return;
    lookingAt_ = waiting_.front();
    waiting_.pop_front();
    const LookModel::Row &row = model_->rows()[lookingAt_];
    tasks_.start(
        tr("Looking at %1").arg(QFileInfo(qs(row.path)).fileName()),
        [&service = service_, path = row.path, choice = row.choice](const Task &task) {
            return service.look(path, choice, task);
        },
        [this, at = lookingAt_, choice = row.choice](Expected<FileLook> &&look) {
            // A choice that was made meanwhile has asked for another look.
            if (look && model_->rows()[at].choice == choice)
                model_->setLook(at, std::move(*look));
            QMetaObject::invokeMethod(this, &ImportDialog::lookNext, Qt::QueuedConnection);
        });
}

void ImportDialog::lookAgain(std::size_t row, const FileChoice &choice) {
    if (model_->rows()[row].choice == choice)
        return;
    model_->setChoice(row, choice);
    if (std::find(waiting_.begin(), waiting_.end(), row) == waiting_.end())
        waiting_.push_back(row);
    lookNext();
    showState();
}

std::optional<std::size_t> ImportDialog::current() const {
    const QModelIndex at = table_->currentIndex();
    return at.isValid() ? std::optional(static_cast<std::size_t>(at.row())) : std::nullopt;
}

void ImportDialog::showChosen() {
    const auto at = current();
    const LookModel::Row *row = at ? &model_->rows()[*at] : nullptr;
    const bool known = row && row->look;
    filling_ = true;
    format_->setEnabled(known);
    map_->setEnabled(known && row->look->isTable);
    map_->setToolTip(map_->isEnabled() ? tr("Say what each column of this table means") : tr("This file is no table"));
    if (row) {
        const bool mapped = !row->choice.descriptorJson.empty();
        format_->setItemText(0, mapped ? tr("By the columns you mapped") : tr("As recognised"));
        format_->setCurrentIndex(std::max(0, format_->findData(qs(row->choice.format))));
        const int zone = zone_->findData(qs(row->choice.zone));
        zone_->setCurrentIndex(zone);
        if (zone < 0)
            zone_->setEditText(qs(row->choice.zone));
    }
    const bool zoned = known && (needsZone(*row->look) || !row->choice.zone.empty());
    zone_->setEnabled(zoned);
    const auto alike = std::count_if(model_->rows().begin(), model_->rows().end(),
                                     [](const LookModel::Row &r) { return r.look && needsZone(*r.look); });
    forAll_->setVisible(alike > 1);
    forAll_->setEnabled(zoned);
    clockHint_->setText(known ? clockHint(*row->look) : QString());
    const QString text = known ? storyOf(*row->look).join(QLatin1Char('\n')) : QString();
    if (story_->toPlainText() != text)
        story_->setPlainText(text);
    filling_ = false;
}

void ImportDialog::showState() {
    int taken = 0, unread = 0, open = 0, pending = 0;
    for (const LookModel::Row &row : model_->rows()) {
        taken += row.taken() ? 1 : 0;
        pending += row.look ? 0 : 1;
        unread += row.look && !row.look->readable() ? 1 : 0;
        open += row.taken() && needsZone(*row.look) && !row.look->zoneGiven ? 1 : 0;
    }
    const auto all = static_cast<int>(model_->rows().size());
    QStringList parts;
    if (pending > 0)
        parts << (all == 1 ? tr("Looking at the file…") : tr("Looking at the files: %1 of %2…").arg(all - pending).arg(all));
    else if (all == 1)
        parts << (unread ? tr("This file cannot be read as it is.") : tr("This file can be read."));
    else if (unread == 0)
        parts << tr("All %1 files can be read.").arg(all);
    else
        parts << tr("%1 of %2 files can be read.").arg(all - unread).arg(all);
    if (pending == 0 && open > 0)
        parts << (all == 1    ? tr("Its wall times are without a zone.")
                  : open == 1 ? tr("One has wall times without a zone.")
                              : tr("%1 have wall times without a zone.").arg(open));
    summary_->setText(parts.join(QLatin1Char(' ')));
    import_->setEnabled(taken > 0 && pending == 0 && !tasks_.isBusy() && waiting_.empty());
    import_->setText(all > 1 && taken > 0 && taken < all ? tr("&Import %1 of %2").arg(taken).arg(all) : tr("&Import"));
    if (pending == 0) {
        table_->resizeColumnsToContents();
        for (int column = 0; column < LookModel::ColumnCount - 1; ++column)
            table_->setColumnWidth(column, std::min(table_->columnWidth(column) + 12, 260));
    }
}

void ImportDialog::takeFormat() {
    const auto at = current();
    if (!at || filling_)
        return;
    FileChoice choice = model_->rows()[*at].choice;
    const std::string format = format_->currentData().toString().toStdString();
    if (!format.empty())
        choice.descriptorJson.clear();
    choice.format = format;
    lookAgain(*at, choice);
}

void ImportDialog::setZone(const QString &zone) {
    zone_->setEditText(zone);
    takeZone();
}

void ImportDialog::takeZone() {
    const auto at = current();
    if (!at || filling_)
        return;
    const int known = zone_->findText(zone_->currentText(), Qt::MatchFixedString);
    const std::string zone =
        (known >= 0 ? zone_->itemData(known).toString() : zone_->currentText().trimmed()).toStdString();
    for (std::size_t i = 0; i < model_->rows().size(); ++i) {
        const LookModel::Row &row = model_->rows()[i];
        const bool alike = forAll_->isVisible() && forAll_->isChecked() && row.look && needsZone(*row.look);
        if (i != *at && !alike)
            continue;
        FileChoice choice = row.choice;
        choice.zone = zone;
        lookAgain(i, choice);
    }
}

void ImportDialog::openMapping() {
    const auto at = current();
    if (!at)
        return;
    delete mapping_;
    mapping_ = new MappingDialog(service_, model_->rows()[*at].path, model_->rows()[*at].choice, this);
    mapping_->setAttribute(Qt::WA_DeleteOnClose);
    connect(mapping_, &MappingDialog::chosen, this, [this, row = *at](const QString &descriptor) {
        FileChoice choice = model_->rows()[row].choice;
        choice.format.clear();
        choice.descriptorJson = descriptor.toStdString();
        lookAgain(row, choice);
    });
    mapping_->open();
}

MappingDialog *ImportDialog::mapping() const {
    return mapping_;
}

QString ImportDialog::story() const {
    return story_->toPlainText();
}

QString ImportDialog::summary() const {
    return summary_->text();
}

void ImportDialog::choose() {
    QStringList paths;
    FileChoices choices;
    for (const LookModel::Row &row : model_->rows()) {
        if (!row.taken())
            continue;
        paths << qs(row.path);
        if (!row.choice.isEmpty())
            choices[row.path] = row.choice;
    }
    accept();
    emit chosen(paths, choices);
}

}  // namespace wattproof::widgets
