#include "widgets/window/scenario_dialog.h"

#include "analysis/scenario.h"
#include "widgets/panes/words.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

const char *const kExample = R"({
  "name": "decode",
  "unit": {"name": "token", "slices": "decode_step#*", "amount": "args.tokens"},
  "sla": [{"metric": "latency", "percentile": 99, "limit_ms": 250}]
})";

QString detectedText(const std::shared_ptr<const analysis::AnalysisResult> &result) {
    if (!result || result->scenario.detected.empty())
        return {};
    QStringList lines;
    for (const auto &[key, how] : result->scenario.detected)
        lines << QStringLiteral("%1: %2").arg(qs(key), qs(how));
    return ScenarioDialog::tr("Detected by the last analysis: %1").arg(lines.join(QStringLiteral("; ")));
}

}  // namespace

ScenarioDialog::ScenarioDialog(Session *session, QWidget *parent)
    : QDialog(parent), session_(session), editor_(new QPlainTextEdit(this)), message_(new QLabel(this)) {
    setWindowTitle(tr("Scenario"));
    auto *hint = new QLabel(tr("What counts as a unit of work, and which latency is promised. Every key may be "
                               "left out: what is absent "
                               "is detected."),
                            this);
    hint->setWordWrap(true);
    auto *detected = new QLabel(detectedText(session->analysis()), this);
    detected->setWordWrap(true);
    detected->setForegroundRole(QPalette::PlaceholderText);
    editor_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    editor_->setPlaceholderText(QString::fromLatin1(kExample));
    editor_->setAccessibleName(tr("Scenario document"));
    message_->setWordWrap(true);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Apply | QDialogButtonBox::Close, this);
    apply_ = buttons->button(QDialogButtonBox::Apply);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(hint);
    layout->addWidget(editor_, 1);
    layout->addWidget(message_);
    layout->addWidget(detected);
    layout->addWidget(buttons);
    connect(editor_, &QPlainTextEdit::textChanged, this, &ScenarioDialog::check);
    connect(apply_, &QPushButton::clicked, this, &ScenarioDialog::apply);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(560, 480);
    load();
    check();
}

void ScenarioDialog::load() {
    session_->edits().ask(
        this, [](store::Edits &edits) { return edits.scenario(); },
        [this](Expected<std::string> &&json) {
            if (json && *json != "{}" && !editor_->document()->isModified())
                editor_->setPlainText(qs(*json));
        });
}

void ScenarioDialog::check() {
    const QString text = editor_->toPlainText().trimmed();
    const auto parsed =
        analysis::parseScenario(text.isEmpty() ? "{}" : text.toStdString(), tr("scenario").toStdString());
    message_->setText(parsed ? QString() : qs(parsed.error().sentence()));
    apply_->setEnabled(parsed.has_value() && session_->workspace().writable());
}

void ScenarioDialog::apply() {
    const QString text = editor_->toPlainText().trimmed();
    session_->edits().apply([json = text.isEmpty() ? std::string("{}") : text.toStdString()](store::Edits &edits) {
        return edits.setScenario(json);
    });
}

QString ScenarioDialog::message() const {
    return message_->text();
}

}  // namespace wattproof::widgets
