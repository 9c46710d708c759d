// A second of work with and without a few events far away, from the files to the numbers.
#include "store/reader.h"
#include "tests/support/analysed_run.h"
#include "tests/support/temporary_workspace.h"

#include <algorithm>
#include <cmath>

#include <QFile>
#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;

namespace {

constexpr std::int64_t kStartUs = 1'700'000'000'000'000;
constexpr int kSteps = 20;
constexpr std::int64_t kStepUs = 50'000;
constexpr std::int64_t kFarUs = 60'000'000;

QString slice(const char *name, const char *category, int thread, std::int64_t ts, std::int64_t dur,
              const QString &arguments = {}) {
    return QStringLiteral(R"({"ph":"X","name":"%1","cat":"%2","pid":%3,"tid":%4,"ts":%5,"dur":%6,"args":{%7}},)")
        .arg(name, category)
        .arg(thread == 7 ? 0 : 42)
        .arg(thread)
        .arg(kStartUs + ts)
        .arg(dur)
        .arg(arguments);
}

QString kernel(std::int64_t ts, int number) {
    const QString arguments = QStringLiteral(R"("device":0,"stream":7,"correlation":%1)").arg(number);
    return slice("cudaLaunchKernel", "cuda_runtime", 1, ts, 20,
                 QStringLiteral(R"("correlation":%1)").arg(number)) +
           slice("gemm_bf16", "kernel", 7, ts + 100, 2000, arguments);
}

// Steps of 50 ms, each with ten kernels of 2 ms.
QByteArray trace(bool withFarEvents) {
    QString text = R"({"deviceProperties":[{"id":0,"name":"Test GPU"}],"traceEvents":[)";
    int number = 1;
    for (int step = 0; step < kSteps; ++step) {
        const std::string name = "decode_step#" + std::to_string(step);
        text += slice(name.c_str(), "user_annotation", 1, step * kStepUs, kStepUs - 1000);
        for (int i = 0; i < 10; ++i)
            text += kernel(step * kStepUs + 1000 + i * 4000, number++);
    }
    if (withFarEvents)
        text += slice("decode_step#20", "user_annotation", 1, kFarUs, 3000) + kernel(kFarUs + 200, number++);
    text.chop(1);
    return (text + "]}").toUtf8();
}

// 150 W while it works, else 50 W; long enough for the far events.
QByteArray log() {
    QByteArray text = "timestamp, index, power.draw [W]\n";
    for (int i = -100; i < 1000; ++i) {
        const int at = 20'000 + i * 100;  // ms after 22:13
        text += QStringLiteral("2023/11/14 22:%1:%2.%3, 0, %4 W\n")
                    .arg(13 + at / 60'000, 2, 10, QLatin1Char('0'))
                    .arg(at / 1000 % 60, 2, 10, QLatin1Char('0'))
                    .arg(at % 1000, 3, 10, QLatin1Char('0'))
                    .arg(i > 0 && i <= 10 ? 150 : 50)
                    .toUtf8();
    }
    return text;
}

struct Run {
    QTemporaryDir dir;
    AnalysedRun run;

    explicit Run(bool withFarEvents) {
        std::vector<std::string> files;
        for (const auto &[name, content] : {std::pair("trace.json", trace(withFarEvents)), {"power.csv", log()}}) {
            QFile file(dir.filePath(name));
            if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
                qFatal("cannot write %s", name);
            files.push_back(file.fileName().toStdString());
        }
        run = analysed(dir, files);
        if (!run.error.empty())
            qFatal("%s", run.error.c_str());
    }
    [[nodiscard]] const AnalysisResult &result() const { return run.result; }
    [[nodiscard]] const DeviceEnergy &energy() const { return run.result.energy.devices.at(0); }
    [[nodiscard]] double number(const std::string &sql) const {
        const auto reader = require(run.workspace->reader());
        return std::stod(require(reader->query(sql, 1)).rows.at(0).at(0));
    }
};

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(b));
}

}  // namespace

class MainPartsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void sharesAreThoseWithoutTheFarEvents();
    void farEventsAreNoWork();
    void joulesAddUp();
    void warningSaysWhatLiesOutside();
    void nothingIsTakenOut();

private:
    std::unique_ptr<Run> plain_, far_;
};

void MainPartsTest::initTestCase() {
    plain_ = std::make_unique<Run>(false);
    far_ = std::make_unique<Run>(true);
}

void MainPartsTest::sharesAreThoseWithoutTheFarEvents() {
    const DeviceTimeline &with = far_->result().timeline.at(0), &without = plain_->result().timeline.at(0);
    QCOMPARE(with.busyNs, 10 * kSteps * Ns{2'000'000});
    QCOMPARE(with.busyNs, without.busyNs);
    QCOMPARE(with.span.length(), without.span.length());
    QCOMPARE(with.idleNs, without.idleNs);
    QCOMPARE(with.idleByCauseNs, without.idleByCauseNs);
    QCOMPARE(far_->number("SELECT SUM(dur) FROM device_states"), static_cast<double>(without.span.length()));
}

void MainPartsTest::farEventsAreNoWork() {
    QCOMPARE(far_->result().latency.n, std::int64_t{kSteps});
    QCOMPARE(far_->result().latency.n, plain_->result().latency.n);
    QCOMPARE(far_->result().precision.at(0).busyNs, plain_->result().precision.at(0).busyNs);
}

void MainPartsTest::joulesAddUp() {
    const DeviceEnergy &with = far_->energy(), &without = plain_->energy();
    const double parts = with.kernelsJ + with.copiesJ + with.idleJ + with.outsideTraceJ + with.unexplainedJ;
    QVERIFY(near(parts, with.integralJ));
    QVERIFY(near(with.insideTraceJ + with.outsideTraceJ, with.integralJ));
    QVERIFY(with.kernelsJ > 50);
    QVERIFY(near(with.kernelsJ, without.kernelsJ));
    QVERIFY(near(with.idleJ, without.idleJ));
    QVERIFY(near(with.outsideTraceJ, without.outsideTraceJ));
    QVERIFY(near(far_->number("SELECT SUM(j) FROM energy") + with.unexplainedJ, with.integralJ));
}

void MainPartsTest::warningSaysWhatLiesOutside() {
    const auto said = [](const Run &run) {
        for (const std::string &warning : run.result().warnings)
            if (warning.rfind("distant_events", 0) == 0)
                return QString::fromStdString(warning);
        return QString();
    };
    QVERIFY(said(*plain_).isEmpty());
    const QString text = said(*far_);
    QVERIFY2(text.startsWith("distant_events (3): 3 events lie outside the main 999 ms of the trace (up to 59 s away)"),
             qPrintable(text));
}

void MainPartsTest::nothingIsTakenOut() {
    QCOMPARE(far_->number("SELECT COUNT(*) FROM slices"), plain_->number("SELECT COUNT(*) FROM slices") + 3);
    QCOMPARE(far_->number("SELECT COUNT(*) FROM gpu_kernels"), 10.0 * kSteps + 1);
}

QTEST_APPLESS_MAIN(MainPartsTest)
#include "tst_main_parts.moc"
