#include "widgets/overlay/overlay_pane.h"

#include "report/draw/labels.h"
#include "report/report.h"
#include "widgets/overlay/channel_picker.h"
#include "widgets/overlay/overlay_plot.h"
#include "widgets/plot/axis_choices.h"
#include "widgets/panes/words.h"

#include <algorithm>

#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>

namespace wattproof::widgets {

// Lies over the plot and carries what follows the pointer, so that the curves are not drawn again for it.
class OverlayPane::Glass : public QWidget {
public:
    explicit Glass(OverlayPane *pane) : QWidget(pane), pane_(pane) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        pane_->paintGlass(painter);
    }

private:
    OverlayPane *pane_;
};

OverlayPane::OverlayPane(Session *session, QWidget *parent)
    : PlotPane(session, parent),
      data_(RunData::of(session)),
      pictures_(session, "overlay", this),
      marks_(session, this),
      sampled_(session, this),
      plot_(new OverlayPlot(this)),
      picker_(new ChannelPicker(this)),
      stack_(new QToolButton(this)),
      asSampled_(new QToolButton(this)),
      warnings_(new QToolButton(this)),
      glass_(new Glass(this)),
      readout_(new ReadoutBox(this)) {
    setAccessibleName(tr("Thermal overlay"));
    setAccessibleDescription(tr("Power, temperature and clocks over time, with limits, throttling and gaps."));
    setMinimumHeight(120);
    stack_->setText(tr("Stack"));
    stack_->setCheckable(true);
    stack_->setChecked(true);
    stack_->setToolTip(tr("Draw power domains on top of each other: parts inside what contains them"));
    asSampled_->setText(tr("Sampled"));
    asSampled_->setCheckable(true);
    asSampled_->setToolTip(tr("Draw each power reading over the time that the sensor averaged for it"));
    warnings_->setAccessibleName(tr("Warnings of these logs"));
    for (QToolButton *button : {static_cast<QToolButton *>(picker_), stack_, asSampled_, warnings_}) {
        button->setFocusPolicy(Qt::TabFocus);
        button->raise();
    }
    connectAll();
    takeTables();
}

void OverlayPane::connectAll() {
    const auto reread = [this] { glass_->update(); };
    connect(&view(), &TimeView::cursorChanged, this, reread);
    connect(&view(), &TimeView::selectionChanged, this, reread);
    connect(&view(), &TimeView::visibleChanged, this, &OverlayPane::refreshCurves);
    connect(&choices(), &AxisChoices::changed, this, &OverlayPane::refreshCurves);
    connect(&pictures_, &PictureCache::arrived, this, &OverlayPane::takeAnswers);
    connect(&marks_, &MarkCache::arrived, this, &OverlayPane::takeAnswers);
    connect(data_, &RunData::changed, this, &OverlayPane::takeTables);
    connect(stack_, &QToolButton::toggled, this, &OverlayPane::chooseSampled);
    connect(asSampled_, &QToolButton::toggled, this, &OverlayPane::chooseSampled);
    connect(&sampled_, &SampledCache::arrived, this, &OverlayPane::takeAnswers);
    plot_->setExtra([this](QPainter &painter, const draw::TimeScale &scale, const draw::ValueScale &watts) {
        sampled_.paint(painter, scale, watts, theme());
    });
    connect(warnings_, &QToolButton::clicked, this, &OverlayPane::warningsRequested);
    connect(picker_, &ChannelPicker::channelShown, this, &OverlayPane::showChannel);
    connect(picker_, &ChannelPicker::deviceChosen, this, [this](std::size_t device, bool chosen) {
        const std::vector<DeviceId> all = overlayDevices(data_->tables());
        std::set<DeviceId> devices = devices_;
        if (chosen)
            devices.insert(all.at(device));
        else
            devices.erase(all.at(device));
        chooseDevices(devices);
    });
    connect(picker_, &ChannelPicker::allChosen, this, [this](bool all) {
        const std::vector<DeviceId> devices = overlayDevices(data_->tables());
        const auto end = all || devices.empty() ? devices.end() : devices.begin() + 1;
        chooseDevices({devices.begin(), end});
    });
}

// Keeps the chosen devices when tables are read again; at first the first one, since lines of many devices are a
// tangle.
void OverlayPane::takeTables() {
    const std::vector<DeviceId> all = overlayDevices(data_->tables());
    std::erase_if(devices_, [&all](DeviceId id) { return std::find(all.begin(), all.end(), id) == all.end(); });
    if (devices_.empty() && !all.empty())
        devices_.insert(all.front());
    rebuild();
}

void OverlayPane::chooseDevices(const std::set<DeviceId> &devices) {
    devices_ = devices;
    rebuild();
}

void OverlayPane::rebuild() {
    const RunTables &tables = data_->tables();
    channels_ = overlayChannels(tables, devices_, theme());
    drawn_.assign(channels_.size(), {});
    legend_.assign(channels_.size(), QRectF());
    shown_.clear();
    plot_->setVisible(!channels_.empty());
    plot_->setChannels(channels_, statedLimits(tables, devices_));
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        // A second reading of the same domain is there for who asks.
        const auto choice = choices_.find(channels_[i].counter.id);
        shown_.push_back(choice != choices_.end() ? choice->second : channels_[i].role != PowerRole::SameAgain);
        plot_->setShown(i, shown_[i]);
    }
    clamps_ = clampsOfChosen();
    plot_->setClamps(clamps_);
    marksDrawn_ = 0;
    marks_.setChannels(markedChannels());
    fillPicker();
    showWarnings();
    chooseSampled();
    invalidate();
}

// Those of devices that could be chosen but are not are left out.
std::vector<draw::ClampMark> OverlayPane::clampsOfChosen() const {
    std::vector<draw::ClampMark> clamps = data_->tables().clamps;
    for (const DeviceId id : overlayDevices(data_->tables()))
        if (!devices_.contains(id))
            std::erase_if(clamps, [id](const draw::ClampMark &mark) { return mark.device == id; });
    return clamps;
}

MarkedChannels OverlayPane::markedChannels() const {
    MarkedChannels marked;
    for (const OverlayChannel &channel : channels_)
        if (channel.reading == Reading::AsStored)
            marked.judged.push_back(channel.counter);
    for (const CounterRow &counter : data_->tables().counters) {
        const bool moves =
            counter.quantity == "temperature" || counter.quantity == "clock" || counter.quantity == "utilisation";
        if (moves && counter.sampleCount > 0 && devices_.contains(counter.device))
            marked.witnesses.push_back(counter);
    }
    marked.masks = throttleMasks(data_->tables(), devices_);
    return marked;
}

void OverlayPane::fillPicker() {
    const RunTables &tables = data_->tables();
    std::vector<PickedDevice> devices;
    for (const DeviceId id : overlayDevices(tables)) {
        const DeviceRow *row = tables.device(id);
        PickedDevice device{row ? draw::safeText(row->name) : tr("No device"), devices_.contains(id), {}};
        for (const OverlayChannel &channel : overlayChannels(tables, {id}, theme())) {
            const auto choice = choices_.find(channel.counter.id);
            const bool shown = choice != choices_.end() ? choice->second : channel.role != PowerRole::SameAgain;
            device.channels.push_back({draw::safeText(channel.counter.name), shown});
        }
        devices.push_back(std::move(device));
    }
    picker_->setVisible(!devices.empty());
    stack_->setVisible(!devices.empty());
    asSampled_->setVisible(!devices.empty());
    picker_->setDevices(std::move(devices));
}

void OverlayPane::showChannel(std::size_t device, std::size_t channel, bool shown) {
    const std::vector<DeviceId> devices = overlayDevices(data_->tables());
    const CounterId id = overlayChannels(data_->tables(), {devices.at(device)}, theme()).at(channel).counter.id;
    for (std::size_t i = 0; i < channels_.size(); ++i)
        if (channels_[i].counter.id == id)
            return setShown(i, shown);
    choices_[id] = shown;
}

void OverlayPane::showWarnings() {
    std::set<SourceId> sources;
    for (const OverlayChannel &channel : channels_)
        sources.insert(channel.counter.source);
    QStringList lines;
    for (const WarningRow &warning : data_->tables().warnings)
        if (sources.contains(warning.source))
            lines << QStringLiteral("%1 × %2: %3")
                         .arg(draw::safeText(warning.kind))
                         .arg(warning.count)
                         .arg(draw::safeText(warning.message));
    warnings_->setText(lines.size() == 1 ? tr("1 warning") : tr("%1 warnings").arg(lines.size()));
    warnings_->setToolTip(lines.join(QLatin1Char('\n')));
    warnings_->setVisible(!lines.isEmpty());
}

void OverlayPane::refreshCurves() {
    takePictures();
    plot_->setTimeRange(view().visible());
    plot_->setTimeWords(timeWords());
    plot_->replot();
    glass_->update();
}

void OverlayPane::takeAnswers() {
    takePictures();
    plot_->replotSoon();
}

void OverlayPane::takePictures() {
    const double pixels = timeScale().width * devicePixelRatioF();
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        if (!shown_[i])
            continue;
        const CounterPicture &picture = pictures_.counter(channels_[i].counter.id, view().visible(), pixels);
        const Drawn now{picture.arrivals, shiftOf(channels_[i], picture)};
        if (now == drawn_[i])
            continue;
        drawn_[i] = now;
        plot_->setCurve(i, asDrawn(picture.items, channels_[i]), now.shift);
    }
    refreshMarks();
    sampled_.show(view().visible());
}

// Means that overlap cannot be added up: as sampled, channels are not stacked.
void OverlayPane::chooseSampled() {
    std::vector<OverlayChannel> shown;
    for (std::size_t i = 0; i < channels_.size() && asSampled_->isChecked(); ++i)
        if (shown_[i] && channels_[i].axis == ChannelAxis::Power)
            shown.push_back(channels_[i]);
    sampled_.setChannels(std::move(shown));
    tintButtons();
    plot_->setStacked(stack_->isChecked() && !asSampled_->isChecked());
    refreshCurves();
}

void OverlayPane::refreshMarks() {
    if (channels_.empty())
        return;
    const OverlayMarks &marks = marks_.marks(view().visible(), timeScale().width * devicePixelRatioF());
    if (marks_.arrivals() == marksDrawn_)
        return;
    marksDrawn_ = marks_.arrivals();
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        const auto doubts = marks.doubts.find(channels_[i].counter.id);
        plot_->setDoubts(i, doubts == marks.doubts.end() ? std::vector<DoubtSpan>() : doubts->second);
    }
    plot_->setThrottle(marks.throttle);
}

void OverlayPane::setShown(std::size_t channel, bool shown) {
    shown_[channel] = shown;
    choices_[channels_[channel].counter.id] = shown;
    plot_->setShown(channel, shown);
    fillPicker();
    chooseSampled();
}

QString OverlayPane::reading(std::size_t index) const {
    const OverlayChannel &channel = channels_[index];
    const CounterPicture *picture = pictures_.cachedCounter(channel.counter.id);
    if (!view().cursor() || !picture || picture->items.empty())
        return QStringLiteral("–");
    double value = 0;
    const Ns at = *view().cursor();
    if (draw::valueAt(asDrawn(picture->items, channel), at, channel.shape, value))
        return QString::fromStdString(report::quantity(value, channel.unit));
    return channel.counter.extent.contains(at) ? tr("gap") : QStringLiteral("–");
}

// On dark ground the style's own look of a button that is on can hardly be told from one that is off.
void OverlayPane::tintButtons() {
    for (QToolButton *button : {stack_, asSampled_}) {
        QPalette palette = QWidget::palette();
        if (button->isChecked())
            palette.setColor(QPalette::Button, draw::blend(theme().accent, theme().panel, 0.65));
        button->setPalette(palette);
    }
}

void OverlayPane::themeChanged() {
    tintButtons();
    plot_->setTheme(theme());
    readout_->setTheme(theme());
    rebuild();
}

void OverlayPane::resizeEvent(QResizeEvent *event) {
    PlotPane::resizeEvent(event);
    plot_->setGeometry(rect());
    glass_->setGeometry(rect());
    picker_->setGeometry(4, 2, 88, 20);
    stack_->setGeometry(94, 2, 50, 20);
    asSampled_->setGeometry(146, 2, 70, 20);
    warnings_->setGeometry(width() - 96, 1, 92, 20);
    refreshCurves();
}

void OverlayPane::paintPicture(QPainter &painter) {
    paintGrounds(painter);
    if (channels_.empty() && data_->loaded())
        paintEmpty(painter, tr("No power, temperature or clocks"),
                   tr("Add a power log of the same run to see what the work cost."));
}

}  // namespace wattproof::widgets
