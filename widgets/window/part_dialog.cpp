#include "widgets/window/part_dialog.h"

#include "report/report.h"
#include "widgets/panes/words.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

constexpr int kWidth = 560;

QString question(const QStringList &paths, const std::optional<LargeFile> &large) {
    if (large)
        return PartDialog::tr("%1 has %2. Import all of it, or only a part?")
            .arg(QFileInfo(qs(large->path)).fileName(),
                 qs(report::quantity(static_cast<double>(large->bytes), "B")));
    const QString first = QFileInfo(paths.value(0)).fileName();
    return paths.size() < 2 ? PartDialog::tr("Which part of %1?").arg(first)
                            : PartDialog::tr("Which part of %1 and %n more?", nullptr, static_cast<int>(paths.size()) - 1)
                                  .arg(first);
}

}  // namespace

PartDialog::PartDialog(const QStringList &paths, const std::optional<LargeFile> &large, PartFields::Check check,
                       QWidget *parent)
    : QDialog(parent), fields_(new PartFields(std::move(check), this)) {
    setWindowTitle(tr("Import a part of a trace"));
    auto *title = new QLabel(question(paths, large), this);
    title->setWordWrap(true);
    title->setTextFormat(Qt::PlainText);
    QFont font = title->font();
    font.setWeight(QFont::DemiBold);
    title->setFont(font);
    auto *hint = new QLabel(tr("What reaches into this time is kept whole. Logs are always imported whole. The rest can "
                               "be had later: File, Sources, Import again."),
                            this);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    part_ = buttons->addButton(tr("Import &part"), QDialogButtonBox::AcceptRole);
    all_ = buttons->addButton(tr("Import &all"), QDialogButtonBox::AcceptRole);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addWidget(title);
    layout->addWidget(fields_);
    layout->addWidget(hint);
    layout->addStretch(1);
    layout->addWidget(buttons);
    connect(fields_, &PartFields::changed, this, &PartDialog::showState);
    connect(part_, &QPushButton::clicked, this, [this] { choose(fields_->part()); });
    connect(all_, &QPushButton::clicked, this, [this] { choose({}); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(kWidth, layout->totalHeightForWidth(kWidth));
    fields_->beginField()->setFocus();
    showState();
}

void PartDialog::showState() {
    // Return does what the fields say: all while they are empty.
    const bool partly = fields_->isValid() && !fields_->part().isWhole();
    part_->setEnabled(partly);
    (partly ? part_ : all_)->setDefault(true);
}

void PartDialog::choose(const TracePart &part) {
    accept();
    emit chosen(part);
}

}  // namespace wattproof::widgets
