// Real traces of other programs with bytes flipped, cut out, repeated or missing at the end: never a crash, never
// a broken contract, and never a workspace that claims to be whole when its file was cut.
#include "importers/importer.h"
#include "tests/support/recording_writer.h"
#include "tests/support/shared_files.h"

#include <algorithm>
#include <array>
#include <random>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace wattproof;

class MutationsTest : public QObject {
    Q_OBJECT

private slots:
    void bytesOfRealTraces_data();
    void bytesOfRealTraces();
    void cutsOfRealTraces_data();
    void cutsOfRealTraces();
    void cutsOfCompressedFiles_data();
    void cutsOfCompressedFiles();

private:
    QTemporaryDir folder_;
};

namespace {

constexpr const char *kFolders[] = {"corpus/chrome", "corpus/kineto",  "corpus/build", "corpus/perfetto",
                                    "corpus/nsys",   "corpus/derived", "corpus/other", "peer",
                                    "requestlogs/custom-json", "requestlogs/llmperf", "requestlogs/lm-eval",
                                    "requestlogs/locust", "requestlogs/mlperf-loadgen", "requestlogs/per-request-csv",
                                    "requestlogs/mlenergy-leaderboard", "requestlogs/vllm-bench-json",
                                    "requestlogs/vllm-server-metrics-csv"};
// Of text and packets the beginning is enough; a database is nothing without its end.
constexpr std::size_t kBeginning = std::size_t{96} << 10U, kWholeAtMost = std::size_t{1} << 20U;

// More of each with WATTPROOF_MUTATIONS=n, for a night.
int rounds(int everyday) {
    const int stated = qEnvironmentVariableIntValue("WATTPROOF_MUTATIONS");
    return stated > 0 ? stated : everyday;
}

bool isDatabase(const QString &path) {
    return path.endsWith(QLatin1String(".sqlite"));
}

// A table whose last row may end without a line end: that it was cut shows in cells that are missing.
bool isRows(const QString &path) {
    return path.endsWith(QLatin1String(".csv")) && path.contains(QLatin1String("requestlogs"));
}

bool isPackets(const QString &path) {
    return path.contains(QLatin1String("pftrace")) || path.contains(QLatin1String("perfetto-trace"));
}

void addFiles() {
    QTest::addColumn<QString>("path");
    for (const char *folder : kFolders)
        for (const QString &path : test::sharedFiles(QLatin1String(folder), QStringLiteral("*")))
            if (!path.contains(QLatin1String(".facts.json")) && !path.contains(QLatin1String("LICENSE")) &&
                !path.endsWith(QLatin1String(".md")))
                QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
}

std::string bytesOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

// Without its compression, at most `most` bytes.
std::string contentOf(const QString &path, std::size_t most) {
    auto input = importers::Input::open(path.toStdString());
    std::string content(most, '\0');
    std::size_t filled = 0;
    while (input && filled < most) {
        const auto got = (*input)->read(std::span(content).subspan(filled));
        if (!got || *got == 0)
            break;
        filled += *got;
    }
    content.resize(filled);
    return content;
}

struct Outcome {
    std::string refusal;  // empty: imported
    std::string violations;
    test::RecordingWriter writer;

    [[nodiscard]] bool warns(const char *kind) const { return writer.warningCount(kind) > 0; }
    [[nodiscard]] std::array<std::size_t, 7> sizes() const {
        std::size_t samples = 0;
        for (const auto &[counter, rows] : writer.samples)
            samples += rows.size();
        return {writer.slices.size(), samples,
                writer.flows.size(),  writer.args.size(),
                writer.gpuOps.size(), writer.requests.size(),
                writer.quality.size()};
    }
};

std::unique_ptr<Outcome> outcomeOf(const QTemporaryDir &folder, const QString &likePath,
                                   const std::string &bytes) {
    auto outcome = std::make_unique<Outcome>();
    const QString path = folder.filePath(isDatabase(likePath) ? QStringLiteral("m.sqlite") : QStringLiteral("m"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) ||
        file.write(bytes.data(), static_cast<qint64>(bytes.size())) != static_cast<qint64>(bytes.size())) {
        outcome->violations = "the test's own file cannot be written";
        return outcome;
    }
    file.close();
    auto input = importers::Input::open(path.toStdString());
    auto importer = input ? importers::recognise(**input, {}) : passOn(input);
    if (!importer) {
        outcome->refusal = importer.error().sentence();
        return outcome;
    }
    const auto summary = (*importer)->import(**input, outcome->writer, {}, {});
    outcome->refusal = summary ? std::string() : summary.error().sentence();
    if (!summary && (summary.error().what.empty() || !outcome->writer.finished.empty()))
        outcome->violations = "a refusal without a reason, or with a finished source; ";
    for (const std::string &violation : outcome->writer.violations)
        outcome->violations += violation + "; ";
    return outcome;
}

std::size_t pick(std::mt19937 &random, std::size_t n) {
    return random() % std::max<std::size_t>(n, 1);
}

std::string mutated(std::string bytes, std::mt19937 &random) {
    for (std::size_t edits = 1 + pick(random, 6); edits > 0 && !bytes.empty(); --edits) {
        const std::size_t at = pick(random, bytes.size()), length = pick(random, 200);
        switch (pick(random, 5)) {
            case 0:
                bytes[at] = static_cast<char>(random());
                break;
            case 1:
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << pick(random, 8)));
                break;
            case 2:
                bytes.erase(at, length);
                break;
            case 3:
                bytes.insert(at, bytes.substr(pick(random, bytes.size()), length));
                break;
            default:
                bytes.insert(at, length, static_cast<char>(random()));
                break;
        }
    }
    return bytes;
}

// A place inside a packet or behind it: a file that ends between two packets is a whole one.
std::size_t insidePacket(const std::string &bytes, std::size_t cut) {
    for (std::size_t at = 0; at < cut;) {
        std::size_t length = 0, shift = 0;
        for (++at; at < bytes.size(); shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes[at++]);
            length |= std::size_t{byte & 0x7fU} << shift;
            if (byte < 0x80)
                break;
        }
        at += length;
        if (at == cut)
            return cut + 1;
    }
    return cut;
}

}  // namespace

void MutationsTest::bytesOfRealTraces_data() {
    addFiles();
}

void MutationsTest::bytesOfRealTraces() {
    if (!QTest::currentDataTag())
        QSKIP("skipped: the shared samples are not here");
    QFETCH(QString, path);
    const std::string content = contentOf(path, isDatabase(path) ? kWholeAtMost * 4 : kBeginning);
    std::mt19937 random(20261202);
    for (int round = 0; round < rounds(6); ++round) {
        const auto outcome = outcomeOf(folder_, path, mutated(content, random));
        QVERIFY2(outcome->violations.empty(), outcome->violations.substr(0, 2000).c_str());
    }
}

void MutationsTest::cutsOfRealTraces_data() {
    addFiles();
}

void MutationsTest::cutsOfRealTraces() {
    if (!QTest::currentDataTag())
        QSKIP("skipped: the shared samples are not here");
    QFETCH(QString, path);
    const std::string content = contentOf(path, isDatabase(path) ? kWholeAtMost * 4 : kWholeAtMost);
    const auto whole = outcomeOf(folder_, path, content);
    std::mt19937 random(20261202);
    for (int round = 0; round < rounds(4); ++round) {
        std::size_t cut = 1 + pick(random, content.size());
        if (isPackets(path))
            cut = insidePacket(content, cut);
        else if (isRows(path))
            cut = std::max<std::size_t>(content.find_last_of(',', cut), 1);  // within a row, before its last cell
        else if (path.endsWith(QLatin1String(".txt")) && content[cut - 1] == '\n')
            --cut;  // likewise between two lines
        const auto outcome = outcomeOf(folder_, path, content.substr(0, cut));
        QVERIFY2(outcome->violations.empty(), outcome->violations.substr(0, 2000).c_str());
        const bool says = !outcome->refusal.empty() || outcome->warns("truncated_input");
        QVERIFY2(says || (whole->refusal.empty() && outcome->sizes() == whole->sizes()),
                 ("cut at " + std::to_string(cut) + " of " + std::to_string(content.size())).c_str());
    }
}

void MutationsTest::cutsOfCompressedFiles_data() {
    addFiles();
}

void MutationsTest::cutsOfCompressedFiles() {
    if (!QTest::currentDataTag())
        QSKIP("skipped: the shared samples are not here");
    QFETCH(QString, path);
    const std::string bytes = bytesOf(path);
    if (!path.endsWith(QLatin1String("gz")) || bytes.size() > kWholeAtMost)
        return;
    std::mt19937 random(20261202);
    for (int round = 0; round < rounds(2); ++round) {
        const std::size_t cut = 1 + pick(random, bytes.size() - 1);
        const auto outcome = outcomeOf(folder_, path, bytes.substr(0, cut));
        QVERIFY2(outcome->violations.empty(), outcome->violations.substr(0, 2000).c_str());
        QVERIFY2(!outcome->refusal.empty() || outcome->warns("truncated_input"),
                 ("cut at " + std::to_string(cut) + " of " + std::to_string(bytes.size())).c_str());
    }
}

QTEST_APPLESS_MAIN(MutationsTest)
#include "tst_mutations.moc"
