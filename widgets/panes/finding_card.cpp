#include "widgets/panes/finding_card.h"

#include "report/report.h"
#include "widgets/panes/words.h"

#include <QClipboard>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

QLabel *plainLabel(const QString &text, QWidget *parent) {
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel *mutedLabel(const QString &text, QWidget *parent) {
    QLabel *label = plainLabel(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

QLabel *sectionLabel(const QString &text, QWidget *parent) {
    QLabel *label = mutedLabel(text, parent);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    label->setContentsMargins(0, 6, 0, 0);
    return label;
}

void addSection(QVBoxLayout *layout, const QString &title, const std::string &text, QWidget *parent) {
    if (text.empty())
        return;
    layout->addWidget(sectionLabel(title, parent));
    layout->addWidget(plainLabel(qs(text), parent));
}

QString joined(const std::vector<std::string> &parts, const QString &separator) {
    QStringList all;
    for (const std::string &part : parts)
        all << qs(part);
    return all.join(separator);
}

QString confidenceWords(const analysis::Finding &finding) {
    return FindingCard::tr("%1 confidence").arg(qs(finding.confidence));
}

QToolButton *smallButton(const QString &text, const QString &tip, QWidget *parent) {
    auto *button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    return button;
}

}  // namespace

ConfidenceMark::ConfidenceMark(const QString &confidence, const draw::Theme &theme, QWidget *parent)
    : QWidget(parent),
      filled_(confidence == QLatin1String("high")     ? 3
              : confidence == QLatin1String("medium") ? 2
                                                      : 1),
      theme_(&theme) {
    setFixedSize(sizeHint());
}

void ConfidenceMark::setTheme(const draw::Theme &theme) {
    theme_ = &theme;
    update();
}

void ConfidenceMark::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const QColor fill = filled_ == 3 ? theme_->good : filled_ == 2 ? theme_->warn : theme_->muted;
    painter.setPen(fill);
    for (int bar = 0; bar < 3; ++bar) {
        const int height = 4 + 3 * bar;
        const QRect rect(bar * 5, 11 - height, 3, height);
        painter.setBrush(bar < filled_ ? QBrush(fill) : Qt::NoBrush);
        painter.drawRect(rect);
    }
}

FindingCard::FindingCard(analysis::Finding finding, const draw::Theme &theme, QWidget *parent)
    : QFrame(parent), finding_(std::move(finding)), theme_(&theme), layout_(new QVBoxLayout(this)) {
    decision_.findingKey = finding_.key;
    decision_.owner = finding_.owner.value_or("");
    decision_.rollback = finding_.rollback.value_or("");
    decision_.status = "open";
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    layout_->setContentsMargins(12, 8, 8, 8);
    layout_->setSpacing(4);
    layout_->addWidget(makeHeader());
    setAccessibleName(tr("Finding %1: %2, %3, %4, %5")
                          .arg(finding_.rank)
                          .arg(classWords(finding_.bottleneckClass), qs(finding_.title), recoverableText(finding_),
                               confidenceWords(finding_)));
}

QWidget *FindingCard::makeHeader() {
    auto *header = new QWidget(this);
    auto *rows = new QVBoxLayout(header);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    auto *first = new QHBoxLayout;
    toggle_ = smallButton(QString(), tr("Show mechanism and evidence"), this);
    toggle_->setArrowType(Qt::RightArrow);
    toggle_->setFixedSize(18, 18);
    connect(toggle_, &QToolButton::clicked, this, [this] { setExpanded(!isExpanded()); });
    auto *rank = new QLabel(QString::number(finding_.rank), header);
    auto *kind = new QLabel(classWords(finding_.bottleneckClass), header);
    QFont bold = rank->font();
    bold.setWeight(QFont::Bold);
    rank->setFont(bold);
    kind->setFont(bold);
    mark_ = new ConfidenceMark(qs(finding_.confidence), *theme_, header);
    auto *confidence = new QLabel(qs(finding_.confidence), header);
    const QString why = joined(finding_.confidenceReasons, QStringLiteral("\n"));
    confidence->setToolTip(confidenceWords(finding_) + (why.isEmpty() ? QString() : QStringLiteral("\n") + why));
    first->addWidget(toggle_);
    first->addWidget(rank);
    first->addWidget(kind, 1);
    first->addWidget(mark_);
    first->addWidget(confidence);
    rows->addLayout(first);
    rows->addWidget(plainLabel(qs(finding_.title), header));
    auto *figures = new QHBoxLayout;
    auto *amount = new QLabel(recoverableText(finding_), header);
    amount->setFont(bold);
    amount->setToolTip(
        finding_.recoverableJ
            ? tr("Recoverable energy with its %1 interval").arg(qs(report::percent(finding_.intervalLevel)))
            : tr("Recoverable time: without joules findings are ranked by it"));
    figures->addWidget(amount);
    if (const QString gain = gainText(finding_.headlineGain); !gain.isEmpty()) {
        auto *label = mutedLabel(tr("work per joule %1").arg(gain), header);
        figures->addWidget(label, 1);
    } else if (const QString throughput = gainText(finding_.throughputGain); !throughput.isEmpty()) {
        figures->addWidget(mutedLabel(tr("throughput %1").arg(throughput), header), 1);
    } else {
        figures->addStretch(1);
    }
    rows->addLayout(figures);
    return header;
}

QWidget *FindingCard::makeBody() {
    auto *body = new QWidget(this);
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 4);
    layout->setSpacing(2);
    addSection(layout, tr("Mechanism"), finding_.mechanism, body);
    addSection(layout, tr("Intent"), finding_.chainIntent, body);
    addSection(layout, tr("Mapping"), finding_.chainMapping, body);
    addSection(layout, tr("Behaviour"), finding_.chainBehaviour, body);
    addSection(layout, tr("Impact"), finding_.chainImpact, body);
    addEvidence(layout);
    addChecks(layout);
    addSection(layout, tr("Does not prove"), finding_.doesNotProve, body);
    addSection(layout, tr("Intervention"), finding_.intervention, body);
    addSection(layout, tr("Counterfactual"), finding_.counterfactual, body);
    addSection(layout, tr("Next action"), finding_.nextAction, body);
    addSection(layout, tr("Guardrails"), joined(finding_.guardrails, QStringLiteral("; ")).toStdString(), body);
    addDecision(layout);
    return body;
}

QWidget *FindingCard::queryRow(const QString &text, const std::string &query, TimeRange range) {
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(plainLabel(text, row), 1);
    if (!range.empty()) {
        QToolButton *zoom = smallButton(tr("Zoom"), tr("Show the range of this evidence"), row);
        connect(zoom, &QToolButton::clicked, this, [this, range] { emit rangeRequested(range); });
        layout->addWidget(zoom, 0, Qt::AlignTop);
    }
    if (!query.empty()) {
        QToolButton *copy = smallButton(tr("Copy query"), tr("Copy the query that gives this value"), row);
        copy->setToolTip(qs(query));
        connect(copy, &QToolButton::clicked, this, [query] { QGuiApplication::clipboard()->setText(qs(query)); });
        layout->addWidget(copy, 0, Qt::AlignTop);
    }
    return row;
}

void FindingCard::addEvidence(QVBoxLayout *layout) {
    if (!finding_.evidence.empty())
        layout->addWidget(sectionLabel(tr("Evidence"), this));
    for (const analysis::Evidence &piece : finding_.evidence) {
        const QString value = qs(piece.unit == "ns" ? report::duration(static_cast<Ns>(piece.value))
                                                    : report::quantity(piece.value, piece.unit));
        QWidget *row = queryRow(QStringLiteral("%1: %2").arg(qs(piece.claim), value), piece.query, piece.range);
        row->setToolTip(tr("%1 %2\nfrom %3").arg(exactText(piece.value), qs(piece.unit), qs(piece.source)));
        layout->addWidget(row);
    }
}

void FindingCard::addChecks(QVBoxLayout *layout) {
    if (!finding_.checks.empty())
        layout->addWidget(sectionLabel(tr("Checks that could refute it"), this));
    for (const analysis::Check &check : finding_.checks) {
        const QString outcome = check.passed ? tr("✓ held: %1") : tr("✗ failed: %1");
        layout->addWidget(queryRow(outcome.arg(qs(check.claim)), check.query, {}));
    }
    if (!finding_.contradictions.empty())
        layout->addWidget(sectionLabel(tr("Contradictions"), this));
    for (const analysis::Contradiction &against : finding_.contradictions)
        layout->addWidget(
            queryRow(QStringLiteral("%1 (%2)").arg(qs(against.claim), qs(against.effect)), against.query, {}));
}

void FindingCard::addDecision(QVBoxLayout *layout) {
    layout->addWidget(sectionLabel(tr("Accountability"), this));
    auto *form = new QFormLayout;
    owner_ = new QLineEdit(this);
    owner_->setPlaceholderText(tr("who acts on it"));
    rollback_ = new QLineEdit(this);
    rollback_->setPlaceholderText(finding_.rollbackBoundary.empty() ? tr("where it can be undone")
                                                                    : qs(finding_.rollbackBoundary));
    form->addRow(tr("Owner"), owner_);
    form->addRow(tr("Rollback"), rollback_);
    layout->addLayout(form);
    for (QLineEdit *field : {owner_, rollback_}) {
        field->setReadOnly(!writable_);
        connect(field, &QLineEdit::editingFinished, this, &FindingCard::decide);
    }
    setDecision(decision_);
}

void FindingCard::decide() {
    store::FindingDecision next = decision_;
    next.owner = owner_->text().trimmed().toStdString();
    next.rollback = rollback_->text().trimmed().toStdString();
    if (next.owner == decision_.owner && next.rollback == decision_.rollback)
        return;
    decision_ = next;
    emit decided(next);
}

bool FindingCard::isExpanded() const {
    return body_ && body_->isVisibleTo(this);
}

void FindingCard::setExpanded(bool expanded) {
    if (expanded && !body_) {
        body_ = makeBody();
        layout_->addWidget(body_);
    }
    if (body_)
        body_->setVisible(expanded);
    toggle_->setArrowType(expanded ? Qt::DownArrow : Qt::RightArrow);
}

void FindingCard::setSelected(bool selected) {
    selected_ = selected;
    update();
}

void FindingCard::setDecision(const store::FindingDecision &decision) {
    decision_ = decision;
    const auto put = [](QLineEdit *field, const std::string &text) {
        if (field && !field->hasFocus())
            field->setText(qs(text));
    };
    put(owner_, decision.owner);
    put(rollback_, decision.rollback);
}

void FindingCard::setWritable(bool writable) {
    writable_ = writable;
    for (QLineEdit *field : {owner_, rollback_})
        if (field)
            field->setReadOnly(!writable);
}

void FindingCard::setTheme(const draw::Theme &theme) {
    theme_ = &theme;
    mark_->setTheme(theme);
    update();
}

void FindingCard::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        emit selected();
    QFrame::mousePressEvent(event);
}

void FindingCard::keyPressEvent(QKeyEvent *event) {
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            emit selected();
            return;
        case Qt::Key_Space:
            setExpanded(!isExpanded());
            return;
        case Qt::Key_Right:
            setExpanded(true);
            return;
        case Qt::Key_Left:
            setExpanded(false);
            return;
        default:
            QFrame::keyPressEvent(event);
    }
}

void FindingCard::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(selected_ || hasFocus() ? theme_->accent : theme_->grid);
    painter.setBrush(theme_->background);
    painter.drawRoundedRect(frame, 3, 3);
    if (selected_)
        painter.fillRect(QRectF(1, 3, 3, height() - 6.0), theme_->accent);
}

}  // namespace wattproof::widgets
