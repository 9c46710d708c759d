#include "widgets/import/mapping_dialog.h"

#include "report/report.h"
#include "widgets/import/look_words.h"
#include "widgets/panes/words.h"

#include <algorithm>
#include <set>

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

constexpr QSize kSize{1120, 720};
constexpr int kPreviewMs = 200;
constexpr std::size_t kShownRows = 8;
constexpr int kWidestColumn = 240;
constexpr int kDigits = 12;  // what a log writes, not what its conversion to SI leaves behind

// Those with choices keep their size whatever is chosen; the last takes what is left.
constexpr std::pair<int, int> kColumnWidths[] = {{MappingModel::First, 190}, {MappingModel::Means, 120},  {MappingModel::Unit, 70},
                                                 {MappingModel::Kind, 225},  {MappingModel::Device, 130}, {MappingModel::Why, 120}};

void dress(QTableView *table, const QString &name) {
    table->setAccessibleName(name);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void fit(QTableView *table) {
    table->resizeColumnsToContents();
    for (int i = 0; i < table->model()->columnCount(); ++i)
        table->setColumnWidth(i, std::min(table->columnWidth(i) + 16, kWidestColumn));
}

QWidget *titled(const QString &title, QWidget *content) {
    auto *box = new QWidget(content->parentWidget());
    auto *label = new QLabel(title, box);
    label->setBuddy(content);
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 4);
    layout->setSpacing(4);
    layout->addWidget(label);
    layout->addWidget(content, 1);
    return box;
}

QTableWidgetItem *cell(const QString &text) {
    auto *item = new QTableWidgetItem(text);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setToolTip(text);
    return item;
}

}  // namespace

MappingDialog::MappingDialog(ImportService &service, std::string path, FileChoice choice, QWidget *parent)
    : QDialog(parent),
      service_(service),
      path_(std::move(path)),
      choice_(std::move(choice)),
      model_(new MappingModel(this)),
      separator_(new QComboBox(this)),
      comma_(new QCheckBox(tr("Decimal &comma"), this)),
      header_(new QCheckBox(tr("&Header row"), this)),
      above_(new QSpinBox(this)),
      time_(new QComboBox(this)),
      fallback_(new QLineEdit(this)),
      first_(new QTableWidget(this)),
      columns_(new QTableView(this)),
      result_(new QTableWidget(this)),
      message_(new QLabel(this)),
      name_(new QLineEdit(this)) {
    setWindowTitle(tr("Map columns of %1").arg(QFileInfo(qs(path_)).fileName()));
    build();
    later_.setSingleShot(true);
    later_.setInterval(kPreviewMs);
    connect(&later_, &QTimer::timeout, this, &MappingDialog::preview);
    connect(model_, &MappingModel::mappingChanged, &later_, qOverload<>(&QTimer::start));
    connect(separator_, &QComboBox::activated, this, [this] { guess(true); });
    connect(header_, &QCheckBox::clicked, this, [this] { guess(true); });
    connect(above_, &QSpinBox::valueChanged, this, [this] {
        if (!filling_)
            guess(true);
    });
    connect(comma_, &QCheckBox::clicked, this, [this] { guess(true); });
    connect(time_, &QComboBox::activated, this, &MappingDialog::tableChosen);
    connect(fallback_, &QLineEdit::textEdited, this, &MappingDialog::tableChosen);
    connect(columns_, &QAbstractItemView::clicked, this, [this](const QModelIndex &at) {
        if (at.flags() & Qt::ItemIsEditable)
            columns_->edit(at);
    });
    connect(use_, &QPushButton::clicked, this, [this] {
        accept();
        emit chosen(qs(descriptor_));
    });
    connect(keep_, &QPushButton::clicked, this, &MappingDialog::keep);
    columns_->setFocus();
    guess(false);
}

void MappingDialog::build() {
    dress(first_, tr("First rows of the file"));
    dress(columns_, tr("Columns and what they mean"));
    dress(result_, tr("What would be read"));
    columns_->setModel(model_);
    columns_->setItemDelegate(new ChoiceDelegate(this));
    columns_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed | QAbstractItemView::DoubleClicked);
    columns_->setSelectionMode(QAbstractItemView::SingleSelection);
    columns_->horizontalHeader()->setStretchLastSection(true);
    message_->setWordWrap(true);
    message_->setTextFormat(Qt::PlainText);
    message_->setMinimumHeight(2 * message_->fontMetrics().lineSpacing());
    message_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *panes = new QSplitter(Qt::Vertical, this);
    panes->setChildrenCollapsible(false);
    panes->addWidget(titled(tr("First rows"), first_));
    panes->addWidget(titled(tr("C&olumns: click a cell to change it"), columns_));
    panes->addWidget(titled(tr("What would be read, in SI units"), result_));
    panes->setSizes({150, 250, 180});
    name_->setAccessibleName(tr("Name of the descriptor"));
    name_->setText(QFileInfo(qs(path_)).completeBaseName());
    name_->setMaximumWidth(240);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    use_ = buttons->addButton(tr("&Use these columns"), QDialogButtonBox::AcceptRole);
    use_->setDefault(true);
    keep_ = new QPushButton(tr("&Save as descriptor"), this);
    keep_->setAutoDefault(false);
    keep_->setToolTip(tr("Later files with these columns are then recognised"));
    auto *label = new QLabel(tr("&Name"), this);
    label->setBuddy(name_);
    auto *last = new QHBoxLayout;
    last->addWidget(label);
    last->addWidget(name_);
    last->addWidget(keep_);
    last->addStretch(1);
    last->addWidget(buttons);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    layout->addWidget(buildTableChoices());
    layout->addWidget(panes, 1);
    layout->addWidget(message_);
    layout->addLayout(last);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(kSize);
}

QWidget *MappingDialog::buildTableChoices() {
    const std::pair<QString, char> separators[] = {{tr("comma"), ','}, {tr("semicolon"), ';'}, {tr("tab"), '\t'}, {tr("bar"), '|'}, {tr("blanks"), ' '}};
    for (const auto &[text, character] : separators)
        separator_->addItem(text, QChar::fromLatin1(character));
    const std::pair<QString, const char *> units[] = {{tr("by its look"), "auto"},       {tr("seconds"), "s"},
                                                      {tr("milliseconds"), "ms"},        {tr("microseconds"), "us"},
                                                      {tr("nanoseconds"), "ns"},         {tr("date and time"), "datetime"},
                                                      {tr("date, day first"), "datetime_dmy"}, {tr("date, month first"), "datetime_mdy"},
                                                      {tr("time of day"), "time_of_day"}};
    for (const auto &[text, word] : units)
        time_->addItem(text, QString::fromLatin1(word));
    above_->setRange(0, 199);
    fallback_->setMaximumWidth(110);
    auto *box = new QWidget(this);
    auto *row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    const auto add = [&](const QString &text, QWidget *field) {
        auto *label = new QLabel(text, box);
        label->setBuddy(field);
        field->setAccessibleName(QString(text).remove(QLatin1Char('&')));
        row->addWidget(label);
        row->addWidget(field);
        row->addSpacing(8);
    };
    add(tr("Sepa&rator"), separator_);
    row->addWidget(comma_);
    row->addWidget(header_);
    row->addSpacing(8);
    add(tr("Lines abo&ve"), above_);
    add(tr("&Times are"), time_);
    add(tr("&Device if none is named"), fallback_);
    row->addStretch(1);
    return box;
}

TableMapping MappingDialog::whole() const {
    TableMapping table = model_->mapping();
    table.delimiter = separator_->currentData().toChar().toLatin1();
    table.decimalComma = comma_->isChecked();
    table.hasHeader = header_->isChecked();
    table.rowsBefore = static_cast<std::size_t>(above_->value());
    table.timeUnit = time_->currentData().toString().toStdString();
    table.fallbackDevice = fallback_->text().trimmed().toStdString();
    return table;
}

void MappingDialog::guess(bool fixed) {
    use_->setEnabled(false);
    tasks_.cancelAll();
    tasks_.start(
        tr("Reading the first rows"),
        [&service = service_, path = path_, fixed, table = whole()](const Task &task) {
            return service.guessTable(path, fixed ? &table : nullptr, task);
        },
        [this](Expected<TableLook> &&look) { takeGuess(std::move(look)); });
}

void MappingDialog::takeGuess(Expected<TableLook> &&look) {
    if (!look) {
        say(qs(look.error().sentence()));
        return;
    }
    filling_ = true;
    const TableMapping &table = look->mapping;
    separator_->setCurrentIndex(std::max(0, separator_->findData(QChar::fromLatin1(table.delimiter))));
    comma_->setChecked(table.decimalComma);
    header_->setChecked(table.hasHeader);
    above_->setValue(static_cast<int>(table.rowsBefore));
    time_->setCurrentIndex(std::max(0, time_->findData(qs(table.timeUnit))));
    if (fallback_->text().isEmpty())
        fallback_->setText(qs(table.fallbackDevice));
    for (QWidget *field : std::initializer_list<QWidget *>{separator_, header_, above_})
        field->setEnabled(!table.jsonLines);
    filling_ = false;
    model_->setLook(std::move(*look));
    showFirstRows();
    fit(columns_);
    for (const auto &[column, width] : kColumnWidths)
        columns_->setColumnWidth(column, width);
    if (model_->rowCount() > 0 && !columns_->currentIndex().isValid())
        columns_->setCurrentIndex(model_->index(0, MappingModel::Means));
}

void MappingDialog::showFirstRows() {
    const auto &rows = model_->rows();
    const auto &columns = model_->mapping().columns;
    first_->clear();
    first_->setColumnCount(static_cast<int>(columns.size()));
    first_->setRowCount(static_cast<int>(std::min(rows.size(), kShownRows)));
    QStringList names;
    for (const MappedColumn &column : columns)
        names << qs(column.header);
    first_->setHorizontalHeaderLabels(names);
    for (int row = 0; row < first_->rowCount(); ++row)
        for (int column = 0; column < first_->columnCount(); ++column)
            first_->setItem(row, column, cell(qs(rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)])));
    fit(first_);
}

void MappingDialog::tableChosen() {
    if (!filling_)
        model_->setTable(whole());
}

void MappingDialog::preview() {
    auto json = service_.descriptorOf(whole(), name_->text().trimmed().toStdString());
    use_->setEnabled(false);
    keep_->setEnabled(false);
    tasks_.cancel(looking_);
    looking_ = 0;
    if (!json) {
        result_->clear();
        result_->setRowCount(0);
        result_->setColumnCount(0);
        say(qs(json.error().sentence()));
        return;
    }
    descriptor_ = *json;
    looking_ = tasks_.start(
        tr("Reading"),
        [&service = service_, path = path_, choice = FileChoice{{}, choice_.zone, *json}](const Task &task) {
            return service.look(path, choice, task);
        },
        [this, json = *json](Expected<FileLook> &&look) {
            if (json == descriptor_)
                showPreview(std::move(look));
        });
}

void MappingDialog::showPreview(Expected<FileLook> &&look) {
    if (!look)
        return;  // replaced by a later one
    const bool good = look->readable() && look->samples > 0;
    use_->setEnabled(good);
    keep_->setEnabled(good);
    showResult(*look);
    if (!look->readable())
        return say(qs(look->error));
    if (look->samples == 0)
        return say(tr("No row gives a time and a value: check the separator, the time's unit and the columns."));
    QStringList parts{tr("%1 of %2 in %3, beginning at %4 (%5).")
                          .arg(holdsText(*look), devicesText(*look), lengthText(*look), beginText(*look), clockText(*look))};
    for (const WarningRow &warning : look->warnings)
        parts << tr("Warning: %1").arg(qs(warning.message));
    say(parts.join(QLatin1Char('\n')));
}

void MappingDialog::showResult(const FileLook &look) {
    std::set<Ns> times;
    for (const ChannelLook &channel : look.channels)
        for (const Sample &sample : channel.first)
            times.insert(sample.ts);
    result_->clear();
    result_->setColumnCount(static_cast<int>(look.channels.size()) + 1);
    result_->setRowCount(static_cast<int>(std::min(times.size(), kShownRows)));
    QStringList names{tr("Time")};
    for (const ChannelLook &channel : look.channels)
        names << QStringLiteral("%1 %2").arg(qs(channel.device), qs(channel.name));
    result_->setHorizontalHeaderLabels(names);
    int row = 0;
    for (const Ns time : times) {
        if (row == result_->rowCount())
            break;
        result_->setItem(row, 0, cell(momentText(look, time, 3)));
        for (std::size_t i = 0; i < look.channels.size(); ++i) {
            const ChannelLook &channel = look.channels[i];
            const auto at = std::find_if(channel.first.begin(), channel.first.end(), [time](const Sample &s) { return s.ts == time; });
            auto *item = cell(at == channel.first.end() ? QStringLiteral("–") : qs(report::quantity(at->value, channel.unit)));
            if (at != channel.first.end())
                item->setToolTip(QStringLiteral("%1 %2").arg(QString::number(at->value, 'g', kDigits), qs(channel.unit)));
            result_->setItem(row, static_cast<int>(i) + 1, item);
        }
        ++row;
    }
    fit(result_);
}

void MappingDialog::keep() {
    const QString name = name_->text().trimmed();
    auto json = service_.descriptorOf(whole(), name.toStdString());
    auto kept = json ? service_.keepDescriptor(*json, name.toStdString()) : tl::unexpected<Error>(json.error());
    say(kept ? tr("Saved as %1: later files with these columns are recognised, and import --descriptor takes it.").arg(qs(*kept))
             : qs(kept.error().sentence()));
}

void MappingDialog::say(const QString &text) {
    message_->setText(text);
}

QString MappingDialog::message() const {
    return message_->text();
}

}  // namespace wattproof::widgets
