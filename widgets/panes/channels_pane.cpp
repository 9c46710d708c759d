#include "widgets/panes/channels_pane.h"

#include "widgets/panes/empty_hint.h"
#include "widgets/panes/table_page.h"
#include "widgets/panes/table_view.h"
#include "widgets/panes/words.h"

#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

constexpr int kSettleMs = 150;

}  // namespace

ChannelsPane::ChannelsPane(Session *session, QWidget *parent)
    : QWidget(parent),
      session_(session),
      model_(new ChannelStatsModel(this)),
      pages_(new QStackedWidget(this)),
      hint_(
          new EmptyHint(tr("Add a power log: its channels are summed up here over the selected time."), {}, this)),
      range_(new QLabel(this)),
      table_(new TableView(this)) {
    auto *page = new TablePage(table_, this);
    page->addToLine(range_, 1);
    table_->setAccessibleName(tr("Statistics of the channels"));
    table_->setSourceModel(model_);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setResizeContentsPrecision(-1);  // all rows, shown or not: they are few
    range_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    pages_->addWidget(hint_);
    pages_->addWidget(page);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(pages_);
    later_.setSingleShot(true);
    later_.setInterval(kSettleMs);
    connect(&later_, &QTimer::timeout, this, &ChannelsPane::ask);
    connect(&session->view(), &TimeView::selectionChanged, this, &ChannelsPane::later);
    connect(&session->view(), &TimeView::visibleChanged, this, &ChannelsPane::later);
    connect(session, &Session::dataChanged, this, &ChannelsPane::later);
}

void ChannelsPane::later() {
    if (isVisible())
        later_.start();
}

void ChannelsPane::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    ask();
}

TimeRange ChannelsPane::range() const {
    const Selection &selection = session_->view().selection();
    return selection.isEmpty() ? session_->view().visible() : selection.range;
}

void ChannelsPane::ask() {
    const TimeRange asked = range();
    const bool selected = !session_->view().selection().isEmpty();
    session_->queries().ask(
        this, "channels/stats",
        [asked](store::Reader &reader, const std::stop_token &stop) {
            return readChannelStats(reader, asked, stop);
        },
        [this, asked, selected](Expected<std::vector<ChannelStats>> &&rows) {
            if (!rows) {
                hint_->setText(qs(rows.error().sentence()));
                return pages_->setCurrentIndex(0);
            }
            const bool first = model_->rowCount() == 0;
            range_->setText((selected ? tr("Selected: %1") : tr("Visible: %1")).arg(widgets::rangeText(asked)));
            pages_->setCurrentIndex(rows->empty() ? 0 : 1);
            model_->setRows(std::move(*rows));
            if (first)
                table_->resizeColumnsToContents();
        });
}

QString ChannelsPane::rangeText() const {
    return range_->text();
}

}  // namespace wattproof::widgets
