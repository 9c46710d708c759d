// Real exports of profilers from the file to the workspace: which importer takes them, and what the views then
// say.
#include "importers/session.h"
#include "store/reader.h"
#include "tests/support/import_with.h"
#include "tests/support/shared_files.h"

#include <random>

#include <QTemporaryDir>
#include <QTest>

using namespace wattproof;

class ProfilerFilesTest : public QObject {
    Q_OBJECT

private slots:
    void eachFileHasItsImporter_data();
    void eachFileHasItsImporter();
    void perfettoTracesAreNoXplane();
    void workspacesHoldWhatWasRead_data();
    void workspacesHoldWhatWasRead();
    void damagedBytesAreNoCrash_data();
    void damagedBytesAreNoCrash();
};

namespace {

struct Export {
    const char *path;
    const char *importer;
    const char *format;
    std::int64_t gpuOps;
};

constexpr Export kSamples[] = {
    {"peer/jax08_gemm_mi300x.xplane.pb.gz", "xplane", "xplane", 54},
    {"peer/jax_conv_legacy_mi300x.xplane.pb.gz", "xplane", "xplane", 78},
    {"peer/rocprofv3_mi350_train_part1.json.gz", "rocprofv3-json", "rocprofv3-json", 20'000},
    {"corpus/nsys/nsys_cutlass.sqlite", "sqlite-export", "nsys-sqlite", 10},
    {"corpus/nsys/nsys_cuda_sandbox.sqlite", "sqlite-export", "nsys-sqlite", 4},
    {"corpus/nsys/nsys_cardiac.sqlite", "sqlite-export", "nsys-sqlite", 0},
};

void sampleRows() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < std::size(kSamples); ++i)
        QTest::newRow(kSamples[i].path) << static_cast<int>(i);
}

std::string importerOf(const QString &path) {
    auto input = importers::Input::open(path.toStdString());
    if (!input)
        return input.error().sentence();
    const auto importer = importers::recognise(**input, {});
    return importer ? std::string((*importer)->name()) : importer.error().sentence();
}

}  // namespace

void ProfilerFilesTest::eachFileHasItsImporter_data() {
    sampleRows();
}

void ProfilerFilesTest::eachFileHasItsImporter() {
    QFETCH(int, index);
    const Export &sample = kSamples[index];
    const QString path = test::sharedFile(QString::fromLatin1(sample.path));
    if (path.isEmpty())
        QSKIP("skipped: the shared exports are not here");
    QCOMPARE(importerOf(path), std::string(sample.importer));
}

void ProfilerFilesTest::perfettoTracesAreNoXplane() {
    const QStringList traces = test::sharedFiles(QStringLiteral("corpus/perfetto"), QStringLiteral("*"));
    if (traces.isEmpty())
        QSKIP("skipped: the shared Perfetto traces are not here");
    for (const QString &path : traces)
        if (!path.endsWith(QStringLiteral(".facts.json")))
            QVERIFY2(importerOf(path) != "xplane", qPrintable(path));
}

void ProfilerFilesTest::workspacesHoldWhatWasRead_data() {
    sampleRows();
}

void ProfilerFilesTest::workspacesHoldWhatWasRead() {
    QFETCH(int, index);
    const Export &sample = kSamples[index];
    const QString path = test::sharedFile(QString::fromLatin1(sample.path));
    if (path.isEmpty())
        QSKIP("skipped: the shared exports are not here");
    const QTemporaryDir folder;
    const std::string output = folder.filePath(QStringLiteral("a.wattproof")).toStdString();
    const auto summary = importers::importToNew({path.toStdString()}, output, {}, {});
    QVERIFY2(summary, summary ? "" : summary.error().sentence().c_str());
    QCOMPARE(summary->files.at(0).gpuOps, sample.gpuOps);
    auto workspace = store::Workspace::open(output);
    QVERIFY2(workspace, workspace ? "" : workspace.error().sentence().c_str());
    auto reader = (*workspace)->reader();
    QVERIFY(reader);
    const auto sources = (*reader)->sources();
    QVERIFY(sources && sources->size() == 1);
    QCOMPARE((*sources)[0].format, std::string(sample.format));
    QCOMPARE((*sources)[0].sha256.size(), std::size_t{64});
    const auto tracks = (*reader)->tracks();
    QVERIFY(tracks);
    std::int64_t slices = 0;
    for (const TrackRow &track : *tracks)
        slices += track.sliceCount;
    QCOMPARE(slices, summary->files[0].slices + summary->files[0].instants);
}

void ProfilerFilesTest::damagedBytesAreNoCrash_data() {
    sampleRows();
}

// Bytes of real files are flipped, repeated and cut at places that a fixed seed chooses.
void ProfilerFilesTest::damagedBytesAreNoCrash() {
    QFETCH(int, index);
    const QString path = test::sharedFile(QString::fromLatin1(kSamples[index].path));
    if (path.isEmpty())
        QSKIP("skipped: the shared exports are not here");
    auto input = importers::Input::open(path.toStdString());
    QVERIFY(input);
    std::string whole(std::size_t{600} << 10U, '\0');
    const auto filled = (*input)->read(whole);
    QVERIFY(filled);
    whole.resize(*filled);
    const auto importer = importers::recognise(**input, {});
    QVERIFY(importer);
    std::mt19937 random(7);
    const auto place = [&] { return static_cast<std::size_t>(random()) % whole.size(); };
    for (int round = 0; round < 30; ++round) {
        std::string bytes = whole;
        for (std::uint32_t i = 0; i < 1 + random() % 40; ++i)
            bytes[place()] = static_cast<char>(random());
        if (round % 3 == 1)
            bytes.insert(place(), bytes.substr(place(), 200));
        if (round % 3 == 2)
            bytes.resize(place());
        const auto run = test::importBytes(**importer, std::move(bytes), "damaged");
        for (const std::string &violation : run->writer.violations)
            QFAIL(violation.c_str());
    }
}

QTEST_APPLESS_MAIN(ProfilerFilesTest)
#include "tst_profiler_files.moc"
