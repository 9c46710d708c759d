#include "widgets/occupancy/occupancy_pane.h"

#include "report/draw/labels.h"
#include "report/draw/ruler_painter.h"
#include "report/report.h"
#include "widgets/occupancy/occupancy_painter.h"

#include <algorithm>

#include <QHelpEvent>
#include <QToolTip>

namespace wattproof::widgets {
namespace {

constexpr double kNameRow = 19, kShareRow = 16, kStreamRow = 16, kGap = 8;
constexpr double kStackHeight = kNameRow + 3 * kShareRow;

double heightOf(const DeviceActivity &device) {
    const std::size_t strips = device.streams.size() > 1 ? device.streams.size() : 0;
    return kStackHeight + static_cast<double>(strips) * kStreamRow + kGap;
}

QString percent(double share) {
    return QString::fromStdString(report::percent(share));
}

}  // namespace

OccupancyPane::OccupancyPane(Session *session, QWidget *parent)
    : PlotPane(session, parent), data_(RunData::of(session)), activity_(ActivityData::of(session)) {
    setAccessibleName(tr("Occupancy"));
    setMinimumHeight(96);
    connect(data_, &RunData::changed, this, &OccupancyPane::relayout);
    connect(activity_, &ActivityData::changed, this, &OccupancyPane::relayout);
    relayout();
}

void OccupancyPane::relayout() {
    double height = kGap / 2;
    for (const DeviceActivity &device : activity_->activity())
        height += heightOf(device);
    setContent(height, 0);
    setAccessibleDescription(summary().join(QLatin1Char('\n')));
}

QString OccupancyPane::deviceName(DeviceId id) const {
    const DeviceRow *row = data_->tables().device(id);
    return row ? draw::safeText(row->name) : tr("Device %1").arg(id.value);
}

QString OccupancyPane::streamName(TrackId id) const {
    const auto &tracks = data_->tables().tracks;
    const auto found =
        std::find_if(tracks.begin(), tracks.end(), [id](const TrackRow &row) { return row.id == id; });
    if (found == tracks.end())
        return tr("Stream");
    return found->stream.empty() ? draw::safeText(found->name)
                                 : tr("stream %1").arg(draw::safeText(found->stream));
}

QStringList OccupancyPane::summary() const {
    QStringList lines;
    for (const DeviceActivity &device : activity_->activity()) {
        const ActivityShares s = sharesIn(device, view().visible());
        if (s.length > 0)
            lines << tr("%1: compute %2, exposed communication %3, exposed copies %4, idle %5; %6 operations at "
                        "once")
                         .arg(deviceName(device.device), percent(s.compute), percent(s.communication),
                              percent(s.copies), percent(s.idle),
                              QString::fromStdString(report::quantity(s.concurrency, "")));
        else
            lines << tr("%1: – (the visible range lies outside its trace)").arg(deviceName(device.device));
    }
    return lines;
}

void OccupancyPane::paintPicture(QPainter &painter) {
    paintGrounds(painter);
    draw::paintGrid(painter, timeScale(), 0, height(), theme(), timeWords());
    double top = kGap / 2 - scrolled();
    for (const DeviceActivity &device : activity_->activity()) {
        const double bottom = top + heightOf(device);
        if (bottom > 0 && top < height())
            paintDevice(painter, device, top);
        top = bottom;
    }
    if (activity_->loaded() && activity_->activity().empty())
        paintEmpty(painter, tr("No accelerator operations"),
                   tr("Open a trace with GPU kernels or copies to see how busy the device was."));
}

void OccupancyPane::paintDevice(QPainter &painter, const DeviceActivity &device, double top) const {
    const draw::TimeScale scale = timeScale();
    const QRectF stack(scale.left, top + 2, scale.width, kStackHeight - 4);
    const auto causes = activity_->causes().find(device.device);
    paintStack(painter, device, causes == activity_->causes().end() ? nullptr : &causes->second, scale, stack,
               devicePixel(), theme());
    const int most = device.concurrency.most(view().visible());
    if (most > 1)
        paintConcurrency(painter, device, scale, stack, most, devicePixel(), theme());
    painter.fillRect(QRectF(0, stack.bottom(), width(), devicePixel()), theme().grid);
    paintShares(painter, device, top);
    if (device.streams.size() > 1)
        paintStreams(painter, device, top + kStackHeight);
}

void OccupancyPane::paintShares(QPainter &painter, const DeviceActivity &device, double top) const {
    const ActivityShares s = sharesIn(device, view().visible());
    paintGutterText(painter, deviceName(device.device), 8, top, kNameRow, theme().text);
    const auto entry = [&](int place, const QColor &fill, const QString &word, double share) {
        const double left = 8 + (place % 2) * 118, y = top + kNameRow + (place / 2) * kShareRow;
        painter.fillRect(QRectF(left, y + 4, 8, 8), fill);
        painter.setPen(QPen(theme().muted, 0));
        painter.drawRect(QRectF(left, y + 4, 8, 8));
        const QString value = s.length > 0 ? percent(share) : QStringLiteral("–");
        paintGutterText(painter, word + QLatin1Char(' ') + value, left + 12, y, kShareRow, theme().muted, 2);
    };
    entry(0, computeFill(theme()), tr("compute"), s.compute);
    entry(1, Qt::transparent, tr("idle"), s.idle);
    entry(2, communicationFill(theme()), tr("comm"), s.communication);
    entry(3, copyFill(theme()), tr("copies"), s.copies);
    paintGutterText(painter,
                    s.length > 0 ? tr("concurrency %1, at most %2")
                                       .arg(QString::fromStdString(report::quantity(s.concurrency, "")))
                                       .arg(device.concurrency.most(view().visible()))
                                 : tr("outside the trace"),
                    8, top + kNameRow + 2 * kShareRow, kShareRow, theme().muted);
}

void OccupancyPane::paintStreams(QPainter &painter, const DeviceActivity &device, double top) const {
    const TimeRange visible = view().visible();
    const TimeRange inside{std::max(visible.begin, device.span.begin), std::min(visible.end, device.span.end)};
    for (const StreamActivity &stream : device.streams) {
        const QRectF strip(timeScale().left, top + 2, timeScale().width, kStreamRow - 4);
        paintBusy(painter, stream.busy, timeScale(), strip, devicePixel(), theme().lineOf("convolution"));
        const double share =
            inside.empty() ? 0
                           : static_cast<double>(stream.busy.in(inside)) / static_cast<double>(inside.length());
        paintGutterText(painter,
                        streamName(stream.track) + QStringLiteral(" · ") +
                            (inside.empty() ? QStringLiteral("–") : percent(share)),
                        20, top, kStreamRow, theme().muted);
        top += kStreamRow;
    }
}

void OccupancyPane::paintOver(QPainter &painter) {
    paintAreaAndCursor(painter, 0, height());
}

bool OccupancyPane::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return PlotPane::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), hoverText(help->pos()), this);
    return true;
}

QString OccupancyPane::hoverText(const QPointF &at) const {
    double top = kGap / 2 - scrolled();
    for (const DeviceActivity &device : activity_->activity()) {
        top += heightOf(device);
        if (at.y() >= top)
            continue;
        QStringList lines = summary().filter(deviceName(device.device));
        const auto causes = activity_->causes().find(device.device);
        if (causes != activity_->causes().end())
            for (const auto &[cause, coverage] : causes->second)
                lines << tr("idle, %1: %2")
                             .arg(QString::fromStdString(cause),
                                  QString::fromStdString(report::duration(coverage.in(view().visible()))));
        return lines.join(QLatin1Char('\n'));
    }
    return {};
}

}  // namespace wattproof::widgets
