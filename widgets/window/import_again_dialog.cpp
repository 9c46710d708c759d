#include "widgets/window/import_again_dialog.h"

#include "widgets/panes/words.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

constexpr int kWidth = 560;

}  // namespace

ImportAgainDialog::ImportAgainDialog(const SourceEntry &source, const QString &filter, PartFields::Check check,
                                     QWidget *parent)
    : QDialog(parent),
      source_(source),
      filter_(filter),
      file_(new QLineEdit(qs(source.row.path), this)),
      fields_(new PartFields(std::move(check), this)) {
    setWindowTitle(tr("Import again"));
    build();
    fields_->setPart(source.part);
    fields_->setVisible(source.row.kind == SourceKind::Trace);
    connect(file_, &QLineEdit::textChanged, this, &ImportAgainDialog::showState);
    connect(fields_, &PartFields::changed, this, &ImportAgainDialog::showState);
    connect(import_, &QPushButton::clicked, this, &ImportAgainDialog::choose);
    resize(kWidth, layout()->totalHeightForWidth(kWidth));
    showState();
}

void ImportAgainDialog::build() {
    auto *title = new QLabel(tr("Read %1 anew").arg(QFileInfo(qs(source_.row.path)).fileName()), this);
    title->setTextFormat(Qt::PlainText);
    QFont font = title->font();
    font.setWeight(QFont::DemiBold);
    title->setFont(font);
    file_->setAccessibleName(tr("File"));
    auto *label = new QLabel(tr("F&ile"), this);
    label->setBuddy(file_);
    auto *other = new QPushButton(tr("C&hoose…"), this);
    other->setAutoDefault(false);
    label->setMinimumWidth(fields_->labelWidth());
    auto *file = new QHBoxLayout;
    file->setSpacing(8);
    file->addWidget(label);
    file->addSpacing(PartFields::kLabelSpacing - file->spacing());
    file->addWidget(file_, 1);
    file->addWidget(other);
    auto *hint = new QLabel(tr("It takes the place of what is there when it was read whole; until then nothing changes. Notes, "
                               "alignment and names of devices stay."),
                            this);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    import_ = buttons->addButton(tr("&Import again"), QDialogButtonBox::AcceptRole);
    import_->setDefault(true);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addWidget(title);
    layout->addLayout(file);
    layout->addWidget(fields_);
    layout->addWidget(hint);
    layout->addStretch(1);
    layout->addWidget(buttons);
    connect(other, &QPushButton::clicked, this, &ImportAgainDialog::askFile);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void ImportAgainDialog::askFile() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Import this file instead"),
                                                      QFileInfo(file_->text()).path(), filter_);
    if (!path.isEmpty())
        file_->setText(path);
}

void ImportAgainDialog::showState() {
    import_->setEnabled(fields_->isValid() && !file_->text().trimmed().isEmpty());
}

void ImportAgainDialog::choose() {
    const QString file = file_->text().trimmed();
    accept();
    emit chosen(file == qs(source_.row.path) ? QString() : file, fields_->part());
}

}  // namespace wattproof::widgets
