// Files that are well-formed and out of all proportion: endless different names, threads and tracks, endless
// nesting. Each gives a clear outcome in bounded memory. Every day a hundredth of the full size;
// WATTPROOF_HOSTILE_PERCENT=100 is the full one, and prints what it took.
#include "importers/session.h"
#include "tests/support/wire_writer.h"

#include <chrono>
#include <fstream>
#include <functional>

#include <QTemporaryDir>
#include <QTest>
#include <sys/resource.h>

using namespace wattproof;
using test::Wire;

class HostileSizesTest : public QObject {
    Q_OBJECT

private slots:
    void file_data();
    void file();
};

namespace {

// What writes the i-th of n records, and what stands around all of them.
struct Shape {
    std::string opening, closing;
    std::function<std::string(std::uint64_t i, std::uint64_t n)> record;
    std::uint64_t fullSize = 0;
    std::uint64_t eventsASlice = 1;
};

constexpr std::uint64_t kNames = 10'000'000, kThreads = 1'000'000, kDeepest = 1'000'000;

std::string packet(const Wire &members) {
    return Wire().message(1, members).bytes();
}

std::string descriptor(const Wire &members) {
    return packet(Wire().message(60, members));
}

Wire thread(std::uint64_t tid) {
    return Wire().number(1, 1).number(2, tid);
}

std::string event(std::uint64_t ts, std::uint64_t type, std::uint64_t track, std::string_view name) {
    Wire own;
    own.number(9, type).number(11, track);
    if (!name.empty())
        own.text(23, name);
    return packet(Wire().number(8, ts).number(10, 1).message(11, own));
}

Shape json(std::uint64_t fullSize, std::function<std::string(std::uint64_t, std::uint64_t)> record,
           std::uint64_t eventsASlice = 1) {
    return {"[", "{}]", std::move(record), fullSize, eventsASlice};
}

Shape jsonNames() {
    return json(kNames, [](std::uint64_t i, std::uint64_t) {
        const std::string number = std::to_string(i);
        return R"({"ph":"X","pid":1,"tid":1,"ts":)" + number + R"(,"dur":1,"name":"name )" + number + "\"},";
    });
}

Shape jsonThreads() {
    return json(kThreads, [](std::uint64_t i, std::uint64_t) {
        return R"({"ph":"X","pid":1,"ts":1,"dur":1,"name":"n","tid":)" + std::to_string(i) + "},";
    });
}

Shape jsonNesting() {
    return json(
        kDeepest * 2,
        [](std::uint64_t i, std::uint64_t n) {
            return R"({"pid":1,"tid":1,"name":"n","ts":)" + std::to_string(i) +
                   (i < n / 2 ? R"(,"ph":"B"},)" : R"(,"ph":"E"},)");
        },
        2);
}

Shape jsonKeys() {
    return json(kThreads, [](std::uint64_t i, std::uint64_t) {
        const std::string number = std::to_string(i);
        return R"({"ph":"X","pid":1,"tid":1,"dur":1,"name":"n","ts":)" + number + R"(,"args":{"k)" + number +
               "\":1}},";
    });
}

Shape packetNames() {
    return {descriptor(Wire().number(1, 1).message(4, thread(1))), "",
            [](std::uint64_t i, std::uint64_t) {
                return event(2 * i, 1, 1, "name " + std::to_string(i)) + event(2 * i + 1, 2, 1, {});
            },
            kNames};
}

// Interned ones, which the sequence keeps until it is cleared.
Shape packetInternedNames() {
    return {descriptor(Wire().number(1, 1).message(4, thread(1))), "",
            [](std::uint64_t i, std::uint64_t) {
                const Wire name = Wire().number(1, i + 1).text(2, "name " + std::to_string(i));
                Wire members;
                members.number(8, i).number(10, 1).number(13, i == 0 ? 1 : 2);
                members.message(12, Wire().message(2, name));
                return packet(members.message(11, Wire().number(9, 3).number(11, 1).number(10, i + 1)));
            },
            kNames};
}

Shape packetThreads() {
    return {"", "",
            [](std::uint64_t i, std::uint64_t) {
                return descriptor(Wire().number(1, i + 1).message(4, thread(i + 1))) + event(i, 3, i + 1, "n");
            },
            kThreads};
}

Shape packetTracks() {
    return {"", "",
            [](std::uint64_t i, std::uint64_t) {
                return descriptor(Wire().number(1, i + 1).text(2, "track " + std::to_string(i))) +
                       event(i, 3, i + 1, "n");
            },
            kThreads};
}

// Each track below the one before.
Shape packetTrackNesting() {
    return {"", "",
            [](std::uint64_t i, std::uint64_t) {
                return descriptor(Wire().number(1, i + 1).number(5, i).text(2, "t")) + event(i, 3, i + 1, "n");
            },
            kDeepest};
}

Shape packetNesting() {
    return {descriptor(Wire().number(1, 1).message(4, thread(1))), "",
            [](std::uint64_t i, std::uint64_t n) { return event(i, i < n / 2 ? 1 : 2, 1, i < n / 2 ? "n" : ""); },
            kDeepest * 2, 2};
}

// Snapshots that go back in time, each with a clock of its own.
Shape packetClocks() {
    return {
        "", "",
        [](std::uint64_t i, std::uint64_t n) {
            const Wire boot = Wire().number(1, 6).number(2, 10 * (n - i));
            const Wire own = Wire().number(1, 200 + i).number(2, i);
            return packet(Wire().number(10, 1).message(6, Wire().message(1, boot).message(1, own))) +
                   packet(Wire().number(8, i).number(58, 200 + i).message(11, Wire().number(9, 3).text(23, "n")));
        },
        kThreads};
}

void writeFile(const std::string &path, const Shape &shape, std::uint64_t records) {
    std::ofstream out(path, std::ios::binary);
    out << shape.opening;
    for (std::uint64_t i = 0; i < records; ++i)
        out << shape.record(i, records);
    out << shape.closing;
}

}  // namespace

void HostileSizesTest::file_data() {
    QTest::addColumn<int>("index");
    const char *const names[] = {"json names",     "json threads",  "json nesting",
                                 "json keys",      "packet names",  "packet interned names",
                                 "packet threads", "packet tracks", "packet nested tracks",
                                 "packet nesting", "packet clocks"};
    for (int i = 0; i < static_cast<int>(std::size(names)); ++i)
        QTest::newRow(names[i]) << i;
}

void HostileSizesTest::file() {
    QFETCH(int, index);
    constexpr Shape (*kShapes[])() = {jsonNames,          jsonThreads,         jsonNesting,   jsonKeys,
                                      packetNames,        packetInternedNames, packetThreads, packetTracks,
                                      packetTrackNesting, packetNesting,       packetClocks};
    const Shape shape = kShapes[index]();
    const int stated = qEnvironmentVariableIntValue("WATTPROOF_HOSTILE_PERCENT");
    const std::uint64_t records = shape.fullSize * static_cast<std::uint64_t>(stated > 0 ? stated : 1) / 100;
    const QTemporaryDir folder;
    const std::string trace = folder.filePath(QStringLiteral("trace")).toStdString();
    writeFile(trace, shape, records);
    const auto begin = std::chrono::steady_clock::now();
    const auto summary =
        importers::importToNew({trace}, folder.filePath(QStringLiteral("w.wattproof")).toStdString(), {}, {});
    QVERIFY2(summary.has_value(), summary ? "" : summary.error().sentence().c_str());
    const importers::Summary &file = summary->files.at(0);
    const auto shown = static_cast<std::uint64_t>(file.slices + file.instants) * shape.eventsASlice;
    QVERIFY2(shown == records || (shown < records && !file.warnings.empty()), std::to_string(shown).c_str());
    if (stated == 0)
        return;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    qInfo("%llu records, %.1f s, peak %ld MiB", static_cast<unsigned long long>(records), seconds.count(),
          usage.ru_maxrss / 1024);
}

QTEST_APPLESS_MAIN(HostileSizesTest)
#include "tst_hostile_sizes.moc"
