// The bundled sample through the product's own importers: what the simulator knows, the workspace must say.
#include "importers/kernel_classes.h"
#include "importers/session.h"
#include "store/reader.h"
#include "store/workspace.h"
#include "tests/simulator/simulator.h"

#include <map>
#include <memory>

#include <QTemporaryDir>
#include <QTest>

using namespace wattproof;

class SampleTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void bothFilesAreReadWithoutAWarning();
    void bothSourcesAreLabelledSimulated();
    void everyOperationKeepsItsTimeAndItsLaunch();
    void classesAreThoseOfTheSimulator();
    void iterationsCarryTheirTokens();
    void powerIsWhatTheSensorSaid();
    void bothSourcesStandOnOneClock();
    void namesOfAllPresetsAreClassified();

private:
    QTemporaryDir folder_;
    simulator::Simulation run_;
    importers::SessionSummary summary_;
    std::shared_ptr<store::Workspace> workspace_;
    std::unique_ptr<store::Reader> reader_;
};

namespace {

std::string classPath(const store::KernelTable::Class &kernelClass) {
    if (kernelClass.opClass == "communication" || kernelClass.opClass == "copy")
        return kernelClass.opClass;
    return "compute/" + kernelClass.opClass + "/" + kernelClass.precision;
}

std::string withoutDirection(const std::string &path) {
    return path.rfind("copy/", 0) == 0 ? "copy" : path;
}

}  // namespace

void SampleTest::initTestCase() {
    const std::string sample = WATTPROOF_SOURCE_DIR "/resources/sample/sample";
    const std::string path = folder_.filePath("sample.wattproof").toStdString();
    run_ = simulator::simulate(*simulator::preset("sample"));
    auto summary = importers::importToNew({sample + "_power.csv", sample + "_trace.json.gz"}, path, {}, {});
    QVERIFY2(summary.has_value(), summary ? "" : summary.error().sentence().c_str());
    summary_ = *summary;
    auto workspace = store::Workspace::open(path);
    QVERIFY(workspace.has_value());
    workspace_ = *workspace;
    auto reader = workspace_->reader();
    QVERIFY(reader.has_value());
    reader_ = std::move(*reader);
}

void SampleTest::bothFilesAreReadWithoutAWarning() {
    QCOMPARE(summary_.files.size(), std::size_t{2});
    for (const importers::Summary &file : summary_.files) {
        for (const WarningRow &warning : file.warnings)
            qInfo("%s: %s", file.path.c_str(), warning.message.c_str());
    }
    const auto warnings = reader_->warnings();
    QVERIFY(warnings.has_value());
    QCOMPARE(warnings->size(), std::size_t{0});
}

void SampleTest::bothSourcesAreLabelledSimulated() {
    const auto sources = reader_->sources();
    QVERIFY(sources.has_value());
    QCOMPARE(sources->size(), std::size_t{2});
    for (const SourceRow &source : *sources)
        QVERIFY2(source.simulated, source.path.c_str());
}

void SampleTest::everyOperationKeepsItsTimeAndItsLaunch() {
    const auto table = reader_->kernels();
    QVERIFY(table.has_value());
    const Ns shift = run_.config.epoch - reader_->origin();
    QCOMPARE(table->kernels.size(), run_.trace.operations.size());
    std::map<std::int64_t, TimeRange> expected;
    for (const simulator::DeviceOperation &operation : run_.trace.operations)
        expected[operation.correlation] = operation.range;
    for (const store::KernelInterval &kernel : table->kernels) {
        const TimeRange range = expected.at(kernel.correlation);
        QCOMPARE(kernel.range.begin, range.begin + shift);
        QCOMPARE(kernel.range.end, range.end + shift);
        QVERIFY(kernel.launch.valid());
    }
}

void SampleTest::classesAreThoseOfTheSimulator() {
    const auto table = reader_->kernels();
    QVERIFY(table.has_value());
    std::map<std::string, Ns> busy, truth;
    for (const store::KernelInterval &kernel : table->kernels)
        busy[classPath(table->classes[static_cast<std::size_t>(kernel.classIndex)])] += kernel.range.length();
    for (const auto &[path, entry] : run_.truth.classes)
        truth[withoutDirection(path)] += entry.busyNs;
    QCOMPARE(busy.size(), truth.size());
    for (const auto &[path, ns] : truth)
        QVERIFY2(busy[path] == ns, path.c_str());
}

void SampleTest::iterationsCarryTheirTokens() {
    const auto steps = reader_->slicesByNameGlob("decode_step#*");
    QVERIFY(steps.has_value());
    QCOMPARE(steps->size(), run_.trace.iterations.size());
    std::vector<SliceId> ids;
    for (const SliceRow &step : *steps)
        ids.push_back(step.id);
    const auto tokens = reader_->numericArgument(ids, "tokens");
    QVERIFY(tokens.has_value());
    double sum = 0;
    for (const auto &[slice, value] : *tokens)
        sum += value;
    QCOMPARE(sum, run_.truth.units);
}

void SampleTest::powerIsWhatTheSensorSaid() {
    const auto counters = reader_->counters();
    QVERIFY(counters.has_value());
    int found = 0;
    for (const CounterRow &counter : *counters) {
        if (counter.quantity != "power")
            continue;
        ++found;
        const auto samples = reader_->samples(counter.id, counter.extent);
        QVERIFY(samples.has_value());
        QCOMPARE(samples->size(), run_.power.samples.size());
        for (std::size_t index = 0; index < samples->size(); ++index)
            QVERIFY(std::abs((*samples)[index].value - *run_.power.samples[index].watts) < 0.006);
    }
    QCOMPARE(found, 1);
}

// Without alignment: the log's wall clock is read as UTC, which the test's environment sets.
void SampleTest::bothSourcesStandOnOneClock() {
    const auto counters = reader_->counters();
    QVERIFY(counters.has_value());
    const Ns shift = run_.config.epoch - reader_->origin();
    for (const CounterRow &counter : *counters) {
        if (counter.quantity == "power")
            QCOMPARE(counter.extent.begin, run_.power.samples.front().ts + shift);
    }
}

void SampleTest::namesOfAllPresetsAreClassified() {
    const auto classifier = importers::KernelClassifier::load();
    QVERIFY(classifier.has_value());
    for (const std::string &name : simulator::presetNames()) {
        simulator::SimulationConfig config = *simulator::preset(name);
        config.workload.iterations = 2;
        config.workload.precisions = {{0, name == "healthy" ? "tf32" : name == "power_cap" ? "fp32" : "fp16"}};
        if (name == "communication")
            config.workload.kind = simulator::WorkloadKind::Training;
        for (const simulator::DeviceOperation &operation : simulator::simulate(config).trace.operations) {
            const importers::KernelClass found = classifier->classify(operation.name);
            const std::string path = classPath({found.opClass, found.precision});
            QVERIFY2(path == withoutDirection(operation.path), (operation.name + " -> " + path).c_str());
        }
    }
}

QTEST_GUILESS_MAIN(SampleTest)
#include "tst_sample.moc"
