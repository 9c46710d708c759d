#include "widgets/panes/report_pane.h"

#include "report/report.h"
#include "widgets/panes/empty_hint.h"
#include "widgets/panes/words.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

QString safe(const QString &text) {
    return text.toHtmlEscaped();
}

QString headlineHtml(const analysis::Headline &headline) {
    const auto value = headline.value ? headline.value : headline.valueNoSla;
    QString html = QStringLiteral("<h2>%1</h2>")
                       .arg(value ? safe(qs(report::quantity(*value, headline.unit)))
                                  : ReportPane::tr("Work per joule is unknown"));
    if (!headline.note.empty())
        html += QStringLiteral("<p>%1</p>").arg(safe(qs(headline.note)));
    return html;
}

QString rankingRow(const analysis::Finding &finding) {
    return QStringLiteral(
               "<tr><td align='right'>%1</td><td>%2</td><td>%3</td><td>%4</td><td>%5</td><td>%6</td></tr>")
        .arg(finding.rank)
        .arg(safe(classWords(finding.bottleneckClass)), safe(qs(finding.title)), safe(recoverableText(finding)),
             safe(qs(finding.confidence)), safe(qs(finding.owner.value_or("–"))));
}

QString rankingHtml(const std::vector<analysis::Finding> &findings) {
    if (findings.empty())
        return QStringLiteral("<p>%1</p>")
            .arg(ReportPane::tr("No bottleneck was found that these data can prove."));
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='4'><tr>");
    for (const QString &title :
         {QString(), ReportPane::tr("Class"), ReportPane::tr("Finding"), ReportPane::tr("Recoverable"),
          ReportPane::tr("Confidence"), ReportPane::tr("Owner")})
        html += QStringLiteral("<th align='left'>%1</th>").arg(title);
    html += QStringLiteral("</tr>");
    for (const analysis::Finding &finding : findings)
        html += rankingRow(finding);
    return html + QStringLiteral("</table>");
}

QString needsHtml(const std::vector<analysis::RuleNeed> &needs) {
    if (needs.empty())
        return {};
    QString html = QStringLiteral("<h3>%1</h3><ul>").arg(ReportPane::tr("Could not be checked"));
    for (const analysis::RuleNeed &need : needs)
        html += QStringLiteral("<li>%1: %2</li>").arg(safe(classWords(need.rule)), safe(qs(need.needs)));
    return html + QStringLiteral("</ul>");
}

}  // namespace

QString previewHtml(const analysis::AnalysisResult &result) {
    return headlineHtml(result.headline) + QStringLiteral("<h3>%1</h3>").arg(ReportPane::tr("Ranking")) +
           rankingHtml(result.findings) + needsHtml(result.needs);
}

ReportPane::ReportPane(Session *session, QWidget *parent)
    : QWidget(parent), session_(session), pages_(new QStackedWidget(this)), preview_(new QTextBrowser(this)) {
    auto *browser = new QPushButton(tr("Open in browser"), this);
    auto *save = new QPushButton(tr("Export…"), this);
    save->setToolTip(tr("HTML, PDF, Markdown or JSON, by the file's ending"));
    auto *row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(browser);
    row->addWidget(save);
    row->addStretch(1);
    auto *page = new QWidget(this);
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(preview_, 1);
    preview_->setFrameShape(QFrame::NoFrame);
    preview_->setOpenLinks(false);
    preview_->setAccessibleName(tr("Report preview"));
    pages_->addWidget(new EmptyHint(tr("The report stands here once the workspace has been analysed."), {}, this));
    pages_->addWidget(page);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(pages_);
    connect(browser, &QPushButton::clicked, this, &ReportPane::browserRequested);
    connect(save, &QPushButton::clicked, this, &ReportPane::exportRequested);
    connect(session, &Session::analysisChanged, this, &ReportPane::fill);
    fill();
}

void ReportPane::fill() {
    const auto result = session_->analysis();
    pages_->setCurrentIndex(result ? 1 : 0);
    if (result)
        preview_->setHtml(previewHtml(*result));
}

QString ReportPane::text() const {
    return preview_->toPlainText();
}

}  // namespace wattproof::widgets
