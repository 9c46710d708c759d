#include "widgets/panes/findings_pane.h"

#include "report/report.h"
#include "widgets/panes/empty_hint.h"
#include "widgets/panes/words.h"

#include <QLabel>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

QLabel *remark(const QString &text, QWidget *parent) {
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setContentsMargins(4, 4, 4, 0);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString ceilingText(const analysis::AnalysisResult &result) {
    if (!result.jointRecoverableJ)
        return {};
    const auto &j = *result.jointRecoverableJ;
    return FindingsPane::tr("All together at most %1: single figures do not add up.")
        .arg(qs(report::intervalText((j.low + j.high) / 2, j, "J")));
}

}  // namespace

FindingsPane::FindingsPane(Session *session, const draw::Theme &theme, QWidget *parent)
    : QScrollArea(parent), session_(session), theme_(&theme) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Findings"));
    connect(session, &Session::analysisChanged, this, &FindingsPane::rebuild);
    connect(session, &Session::dataChanged, this, &FindingsPane::askDecisions);
    connect(&session->view(), &TimeView::selectionChanged, this, &FindingsPane::markSelected);
    rebuild();
}

void FindingsPane::rebuild() {
    QStringList open;
    for (const FindingCard *card : cards_)
        if (card->isExpanded())
            open << qs(card->finding().key);
    cards_.clear();
    const auto result = session_->analysis();
    if (!result) {
        auto *hint = new EmptyHint(tr("Findings appear here, ranked, once the workspace has been analysed."),
                                   tr("Analyze"), this);
        connect(hint, &EmptyHint::triggered, this, &FindingsPane::analysisRequested);
        setWidget(hint);
        return;
    }
    auto *content = new QWidget(this);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(4);
    addCards(content, layout);
    addRest(content, layout);
    layout->addStretch();
    setWidget(content);
    for (FindingCard *card : cards_)
        card->setExpanded(open.contains(qs(card->finding().key)));
    markSelected();
    askDecisions();
}

void FindingsPane::addCards(QWidget *content, QVBoxLayout *layout) {
    const auto result = session_->analysis();
    for (const analysis::Finding &finding : result->findings) {
        auto *card = new FindingCard(finding, *theme_, content);
        card->setWritable(session_->workspace().writable());
        connectCard(card);
        cards_ << card;
        layout->addWidget(card);
    }
    if (cards_.isEmpty())
        layout->addWidget(remark(tr("No bottleneck was found that these data can prove."), content));
}

void FindingsPane::addRest(QWidget *content, QVBoxLayout *layout) {
    const auto result = session_->analysis();
    if (const QString ceiling = ceilingText(*result); !ceiling.isEmpty() && cards_.size() > 1)
        layout->addWidget(remark(ceiling, content));
    for (const analysis::RuleNeed &need : result->needs)
        layout->addWidget(
            remark(tr("Could not check %1: %2").arg(classWords(need.rule), qs(need.needs)), content));
}

void FindingsPane::connectCard(FindingCard *card) {
    connect(card, &FindingCard::selected, this, [this, card] { choose(card); });
    connect(card, &FindingCard::rangeRequested, this,
            [this](const TimeRange &range) { session_->view().fit(range); });
    connect(card, &FindingCard::decided, this, [this](const store::FindingDecision &decision) {
        session_->edits().apply([decision](store::Edits &edits) { return edits.setDecision(decision); });
    });
}

void FindingsPane::choose(const FindingCard *card) {
    const analysis::Finding &finding = card->finding();
    Selection selection;
    selection.range = finding.range;
    selection.findingKey = qs(finding.key);
    session_->view().select(selection);
    session_->view().fit(finding.range);
}

void FindingsPane::showFirst() {
    if (cards_.isEmpty())
        return;
    cards_.front()->setExpanded(true);
    choose(cards_.front());
}

void FindingsPane::markSelected() {
    const QString key = session_->view().selection().findingKey;
    for (FindingCard *card : cards_)
        card->setSelected(!key.isEmpty() && qs(card->finding().key) == key);
}

void FindingsPane::askDecisions() {
    session_->edits().ask(
        this, [](store::Edits &edits) { return edits.decisions(); },
        [this](Expected<std::vector<store::FindingDecision>> &&decisions) {
            if (!decisions)
                return;
            for (FindingCard *card : cards_) {
                store::FindingDecision own{card->finding().key, {}, {}, "open", {}};
                for (const store::FindingDecision &decision : *decisions)
                    if (decision.findingKey == own.findingKey)
                        own = decision;
                card->setDecision(own);
            }
        });
}

void FindingsPane::setTheme(const draw::Theme &theme) {
    theme_ = &theme;
    for (FindingCard *card : cards_)
        card->setTheme(theme);
}

}  // namespace wattproof::widgets
