// CPU profiles of V8: samples become nested slices.
#include "importers/cpuprofile/cpuprofile_importer.h"
#include "importers/cpuprofile/sample_stack.h"
#include "tests/support/import_with.h"

#include <map>

#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using Json = nlohmann::json;

namespace {

Json node(int id, const char *name, std::vector<int> children = {}) {
    return {{"id", id},
            {"callFrame",
             {{"functionName", name},
              {"scriptId", "7"},
              {"url", "file:///a.js"},
              {"lineNumber", 9},
              {"columnNumber", 4}}},
            {"children", children}};
}

// root → main → work → {leaf, other}; idle and collector below the root.
Json profile(std::vector<int> samples, std::vector<int> deltas, int end) {
    return {{"nodes",
             {node(1, "(root)", {2, 6, 7}), node(2, "main", {3}), node(3, "work", {4, 5}), node(4, "leaf"),
              node(5, ""), node(6, "(idle)"), node(7, "(garbage collector)")}},
            {"startTime", 1'000'000},
            {"endTime", end},
            {"samples", samples},
            {"timeDeltas", deltas}};
}

std::unique_ptr<test::ImportRun> importText(const std::string &text) {
    return test::importBytes(*importers::makeCpuprofileImporter(), text, "a.cpuprofile");
}

std::string shapes(const test::RecordingWriter &writer) {
    std::string text;
    for (const SliceRow &row : writer.slices)
        text += writer.text(row.name) + "@" + std::to_string(row.ts / 1000) + "+" +
                std::to_string(row.dur / 1000) + "/" + std::to_string(row.depth) + " ";
    return text;
}

}  // namespace

class CpuprofileTest : public QObject {
    Q_OBJECT

private slots:
    void probeKnowsItsOwn();
    void samplesBecomeNestedSlices();
    void theCollectorLiesOnTop();
    void selfTimesAddUpToTheSamples();
    void disorderIsPutRight();
    void parentsMayBeNamedInsteadOfChildren();
    void damageIsCounted();
    void circlesEnd();
};

void CpuprofileTest::probeKnowsItsOwn() {
    const auto importer = importers::makeCpuprofileImporter();
    const auto probe = [&](const std::string &text) {
        return importer->probe({text.data(), text.size()}, "x.json");
    };
    QVERIFY(probe(profile({}, {}, 0).dump()) > 0.9);
    QCOMPARE(probe("{\"traceEvents\": [{\"args\": {\"nodes\": [{\"callFrame\": 1}]}}]}"), 0.0);
    QCOMPARE(probe("[1]"), 0.0);
}

void CpuprofileTest::samplesBecomeNestedSlices() {
    const auto run = importText(profile({4, 4, 5, 6, 3}, {0, 10, 10, 10, 10}, 1'000'060).dump());
    QCOMPARE(run->outcome(), std::string("ok"));
    QVERIFY(run->writer.violations.empty());
    QCOMPARE(shapes(run->writer),
             std::string("main@0+30/0 work@0+30/1 leaf@0+20/2 (anonymous)@20+10/2 main@40+20/0 work@40+20/1 "));
    QCOMPARE(run->summary->events, std::int64_t{5});
    QCOMPARE(run->writer.sources[0].statedBase, Ns{1'000'000'000});
    const SliceRow *leaf = run->writer.findSlice("leaf");
    QCOMPARE(run->writer.argument(*leaf, "line"), std::optional<std::string>("10"));
    QCOMPARE(run->writer.argument(*leaf, "url"), std::optional<std::string>("\"file:///a.js\""));
}

void CpuprofileTest::theCollectorLiesOnTop() {
    const auto run = importText(profile({4, 7, 4}, {0, 10, 10}, 1'000'030).dump());
    QCOMPARE(shapes(run->writer), std::string("main@0+30/0 work@0+30/1 leaf@0+30/2 (garbage collector)@10+10/3 "));
}

// Whatever the samples, the time of a function without its callees is the time of its samples.
void CpuprofileTest::selfTimesAddUpToTheSamples() {
    std::vector<int> samples, deltas;
    std::uint32_t state = 12345;
    for (int i = 0; i < 500; ++i) {
        state = state * 1664525U + 1013904223U;
        samples.push_back(static_cast<int>(2 + (state >> 16U) % 5));
        deltas.push_back(static_cast<int>((state >> 8U) % 50));
    }
    const auto run = importText(profile(samples, deltas, 0).dump());
    std::map<std::string, Ns> own, wanted;
    const std::map<int, std::string> names{{2, "main"}, {3, "work"}, {4, "leaf"}, {5, "(anonymous)"}};
    for (std::size_t i = 0; i + 1 < samples.size(); ++i)
        if (samples[i] != 6)
            wanted[names.at(samples[i])] += deltas[i + 1] * 1000;
    for (const SliceRow &row : run->writer.slices) {
        own[run->writer.text(row.name)] += row.dur;
        if (row.parent.valid())
            own[run->writer.text(run->writer.slice(row.parent).name)] -= row.dur;
    }
    QVERIFY(own == wanted);
}

void CpuprofileTest::disorderIsPutRight() {
    const auto run = importText(profile({4, 5, 4}, {0, 20, -10}, 1'000'030).dump());
    QCOMPARE(run->writer.warningCount("clock_backwards"), std::int64_t{1});
    QCOMPARE(shapes(run->writer), std::string("main@0+30/0 work@0+30/1 leaf@0+20/2 (anonymous)@20+10/2 "));
    const auto odd = importText(profile({4, 5, 99}, {0, 20}, 1'000'030).dump());
    QCOMPARE(odd->writer.warningCount("missing_value"), std::int64_t{1});
    const auto unknown = importText(profile({4, 99}, {0, 20}, 1'000'030).dump());
    QCOMPARE(unknown->writer.warningCount("unknown_node"), std::int64_t{1});
    QCOMPARE(run->summary->slices, std::int64_t{4});
}

void CpuprofileTest::parentsMayBeNamedInsteadOfChildren() {
    Json changed = profile({4}, {0}, 1'000'010);
    for (Json &each : changed["nodes"])
        each.erase("children");
    changed["nodes"][1]["parent"] = 1;
    changed["nodes"][2]["parent"] = 2;
    changed["nodes"][3]["parent"] = 3;
    QCOMPARE(shapes(importText(changed.dump())->writer), std::string("main@0+10/0 work@0+10/1 leaf@0+10/2 "));
}

void CpuprofileTest::damageIsCounted() {
    const std::string whole = profile({4, 4, 5}, {0, 10, 10}, 1'000'040).dump();
    for (std::size_t size = 1; size < whole.size(); size += 11) {
        const auto run = importText(whole.substr(0, size));
        QVERIFY(run->writer.violations.empty());
        QVERIFY(!run->summary || run->writer.warningCount("truncated_input") == 1);
    }
    QVERIFY(importText("{\"head\": {\"functionName\": \"(root)\"}}")->outcome().find("no CPU profile") !=
            std::string::npos);
    const auto types = importText(R"({"nodes": [{"id": "x"}, {"id": 2, "callFrame": 3}], "samples": ["a", {}, 2],
                                      "timeDeltas": [null, 1e300, -1e300], "startTime": 1e300})");
    QVERIFY(types->writer.violations.empty());
}

void CpuprofileTest::circlesEnd() {
    using namespace importers::cpuprofile;
    CallTree tree{{1, {2, false, false, false}}, {2, {1, false, false, false}}};
    std::size_t emitted = 0;
    SampleStack stack(tree, [&](std::int64_t, Ns, Ns, std::uint64_t) { ++emitted; });
    QVERIFY(stack.sample(1, 0));
    stack.finish(10);
    QCOMPARE(emitted, SampleStack::kDeepest);
    QCOMPARE(stack.cutStacks(), std::uint64_t{1});
}

QTEST_APPLESS_MAIN(CpuprofileTest)
#include "tst_cpuprofile.moc"
