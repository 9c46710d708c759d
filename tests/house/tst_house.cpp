// The rules of the house that a reader of one file cannot see: who may include whom, where SQL and Qt live, how
// long files and functions may be, and that data and documents keep up with the code.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <QTest>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace {

const fs::path kRoot = WATTPROOF_SOURCE_DIR;

struct SourceFile {
    std::string path;  // relative to the root, with '/'
    std::vector<std::string> lines;
};

std::vector<std::string> linesOf(const fs::path &path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

std::string textOf(const fs::path &path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<SourceFile> filesBelow(const std::vector<std::string> &folders,
                                   const std::set<std::string> &extensions) {
    std::vector<SourceFile> files;
    for (const std::string &folder : folders) {
        if (!fs::exists(kRoot / folder))
            continue;
        for (const auto &entry : fs::recursive_directory_iterator(kRoot / folder)) {
            if (entry.is_regular_file() && extensions.count(entry.path().extension().string()) == 1)
                files.push_back({fs::relative(entry.path(), kRoot).generic_string(), linesOf(entry.path())});
        }
    }
    return files;
}

const std::vector<SourceFile> &sources() {
    static const std::vector<SourceFile> files = filesBelow(
        {"resources", "store", "importers", "analysis", "report", "widgets", "app", "tests"}, {".cpp", ".h"});
    return files;
}

bool isBelow(const std::string &path, const std::string &folder) {
    return path.rfind(folder + "/", 0) == 0;
}

bool isTest(const SourceFile &file) {
    return isBelow(file.path, "tests");
}

std::string folderOf(const std::string &path) {
    return isBelow(path, "report/draw") ? "report/draw" : path.substr(0, path.find('/'));
}

// Folder -> folders whose headers it may include.
const std::map<std::string, std::set<std::string>> &arrows() {
    static const std::map<std::string, std::set<std::string>> allowed{
        {"resources", {"resources"}},
        {"store", {"store", "resources"}},
        {"importers", {"importers", "store", "resources"}},
        {"analysis", {"analysis", "store", "resources"}},
        {"report", {"report", "analysis", "store", "resources"}},
        {"report/draw", {"report/draw", "report", "analysis", "store", "resources"}},
        {"widgets", {"widgets", "report/draw", "report", "analysis", "store", "resources"}},
        {"app", {"app", "widgets", "report/draw", "report", "analysis", "importers", "store", "resources"}},
    };
    return allowed;
}

std::vector<std::string> projectIncludes(const SourceFile &file) {
    static const std::regex pattern(R"(^\s*#\s*include\s+\x22([^\x22]+)\x22)");
    std::vector<std::string> includes;
    for (const std::string &line : file.lines) {
        std::smatch match;
        if (std::regex_search(line, match, pattern))
            includes.push_back(match[1]);
    }
    return includes;
}

// "path:line" of every line that matches, in files for which `concerns` holds.
template <class Concerns>
std::vector<std::string> linesMatching(const std::string &pattern, Concerns concerns) {
    const std::regex expression(pattern);
    std::vector<std::string> found;
    for (const SourceFile &file : sources()) {
        if (!concerns(file))
            continue;
        for (std::size_t index = 0; index < file.lines.size(); ++index) {
            if (std::regex_search(file.lines[index], expression))
                found.push_back(file.path + ":" + std::to_string(index + 1));
        }
    }
    return found;
}

std::string joined(const std::vector<std::string> &lines) {
    std::string text;
    for (const std::string &line : lines)
        text += "\n  " + line;
    return text;
}

// Bodies that begin and end at the left margin: free functions and members defined outside their class.
std::vector<std::string> functionsLongerThan(std::size_t limit) {
    static const std::regex begin(R"(^[A-Za-z].*\)[^;]*\{$|^ {4,}.*\) (const )?\{$)");
    std::vector<std::string> found;
    for (const SourceFile &file : sources()) {
        std::size_t start = 0;
        for (std::size_t index = 0; index < file.lines.size(); ++index) {
            const std::string &line = file.lines[index];
            if (line[0] != ' ' && std::regex_match(line, begin))
                start = index + 1;
            if (line == "}" && start > 0) {
                if (index - start > limit)
                    found.push_back(file.path + ":" + std::to_string(start));
                start = 0;
            }
        }
    }
    return found;
}

}  // namespace

class HouseTest : public QObject {
    Q_OBJECT

private slots:
    void includesGoAlongTheArrow();
    void linkLinesGoAlongTheArrow();
    void coreIsFreeOfQt();
    void sqliteIsSpokenInTheStoreAlone();
    void sqlTextLivesInStoreAndFindings();
    void heavyHeadersStayOutOfInterfaces();
    void headersSayWhatTheyAre();
    void filesAndFunctionsStayShort();
    void nothingIsLeftForLater();
    void nothingPointsAtOneMachine();
    void errorsHaveWords();
    void embeddedJsonParses();
    void viewsAreDocumented();
    void warningsAreDocumented();
    void documentsLinkToFilesThatExist();
};

void HouseTest::includesGoAlongTheArrow() {
    std::vector<std::string> wrong;
    for (const SourceFile &file : sources()) {
        if (isTest(file))
            continue;
        const std::set<std::string> &allowed = arrows().at(folderOf(file.path));
        for (const std::string &include : projectIncludes(file)) {
            const bool generated = include.find('/') == std::string::npos;  // *.moc, table.inc
            if (!generated && allowed.count(folderOf(include)) == 0)
                wrong.push_back(file.path + " includes " + include);
        }
    }
    QVERIFY2(wrong.empty(), joined(wrong).c_str());
}

void HouseTest::linkLinesGoAlongTheArrow() {
    const std::map<std::string, std::string> forbidden{
        {"store", "wattproof_(importers|analysis|report|widgets|app)|Qt6"},
        {"importers", "wattproof_(analysis|report|widgets|app)|Qt6"},
        {"analysis", "wattproof_(importers|report|widgets|app)|Qt6"},
        {"report", "wattproof_(importers|widgets|app)|Qt6"},
        {"widgets", "wattproof_(importers|app)"},
    };
    for (const auto &[folder, pattern] : forbidden) {
        const std::string text = textOf(kRoot / folder / "CMakeLists.txt");
        QVERIFY(!text.empty());
        std::smatch match;
        QVERIFY2(!std::regex_search(text, match, std::regex(pattern)), (folder + " links " + match.str()).c_str());
    }
}

void HouseTest::coreIsFreeOfQt() {
    const auto core = [](const SourceFile &file) {
        const std::string folder = folderOf(file.path);
        return folder == "store" || folder == "importers" || folder == "analysis" || folder == "report" ||
               folder == "resources" || isBelow(file.path, "tests/simulator");
    };
    const auto found = linesMatching(R"(#\s*include\s*<(Q[A-Za-z/]+|qcustomplot\.h)>|\bQ_OBJECT\b)", core);
    QVERIFY2(found.empty(), joined(found).c_str());
}

void HouseTest::sqliteIsSpokenInTheStoreAlone() {
    const auto found = linesMatching(R"(#\s*include\s*[<\x22]sqlite3\.h)", [](const SourceFile &file) {
        return !isTest(file) && folderOf(file.path) != "store";
    });
    QVERIFY2(found.empty(), joined(found).c_str());
}

void HouseTest::sqlTextLivesInStoreAndFindings() {
    const auto outside = [](const SourceFile &file) {
        return !isTest(file) && folderOf(file.path) != "store" && !isBelow(file.path, "analysis/findings");
    };
    const auto found = linesMatching(
        R"([\x22(]\s*(SELECT\s+[a-z*(]|INSERT INTO|DELETE FROM|UPDATE \w+ SET|CREATE (TABLE|VIEW|INDEX)))",
        outside);
    QVERIFY2(found.empty(), joined(found).c_str());
}

// Each costs seconds in every file that sees it; a folder's private headers may still use them.
void HouseTest::heavyHeadersStayOutOfInterfaces() {
    const auto interface = [](const SourceFile &file) {
        const bool topLevel = std::count(file.path.begin(), file.path.end(), '/') == 1;
        return topLevel && file.path.compare(file.path.size() - 2, 2, ".h") == 0;
    };
    const auto found =
        linesMatching(R"(#\s*include\s*<(nlohmann/json\.hpp|simdjson\.h|qcustomplot\.h|sqlite3\.h)>)", interface);
    QVERIFY2(found.empty(), joined(found).c_str());
}

void HouseTest::headersSayWhatTheyAre() {
    std::vector<std::string> silent;
    for (const SourceFile &file : sources()) {
        const bool header = file.path.compare(file.path.size() - 2, 2, ".h") == 0;
        if (header && (file.lines.empty() || file.lines.front().rfind("//", 0) != 0))
            silent.push_back(file.path);
    }
    QVERIFY2(silent.empty(), joined(silent).c_str());
}

void HouseTest::filesAndFunctionsStayShort() {
    std::vector<std::string> tooLong;
    for (const SourceFile &file : sources()) {
        if (file.lines.size() > (isTest(file) ? 700U : 500U))
            tooLong.push_back(file.path + ": " + std::to_string(file.lines.size()) + " lines");
    }
    QVERIFY2(tooLong.empty(), joined(tooLong).c_str());
    const std::vector<std::string> functions = functionsLongerThan(80);
    QVERIFY2(functions.empty(), joined(functions).c_str());
}

void HouseTest::nothingIsLeftForLater() {
    const auto found =
        linesMatching(R"(\b(TO)(DO)\b|\b(FIX)(ME)\b|\bXX(X)\b)", [](const SourceFile &) { return true; });
    QVERIFY2(found.empty(), joined(found).c_str());
}

void HouseTest::nothingPointsAtOneMachine() {
    const std::regex machine(R"([\x22(\s](/wo)(rk)/|/home/[a-z]+/)");
    std::vector<std::string> found;
    const auto texts = filesBelow({"docs", "packaging", "cmake", "resources", "tests"},
                                  {".md", ".json", ".txt", ".sh", ".cmake", ""});
    for (const SourceFile &file : texts) {
        for (const std::string &line : file.lines) {
            if (std::regex_search(line, machine))
                found.push_back(file.path + ": " + line);
        }
    }
    for (const std::string &place :
         linesMatching(R"([\x22\s](/wo)(rk)/)", [](const SourceFile &) { return true; }))
        found.push_back(place);
    QVERIFY2(found.empty(), joined(found).c_str());
}

void HouseTest::errorsHaveWords() {
    const auto found = linesMatching(R"(failure\(\s*(\x22\x22|\{\})\s*[,)])",
                                     [](const SourceFile &file) { return !isTest(file); });
    QVERIFY2(found.empty(), joined(found).c_str());
}

void HouseTest::embeddedJsonParses() {
    int parsed = 0;
    for (const auto &entry : fs::recursive_directory_iterator(kRoot / "resources")) {
        if (entry.path().extension() != ".json")
            continue;
        QVERIFY2(nlohmann::json::accept(textOf(entry.path())), entry.path().c_str());
        ++parsed;
    }
    QVERIFY(parsed > 0);
}

void HouseTest::viewsAreDocumented() {
    const std::string document = textOf(kRoot / "docs" / "workspace.md");
    static const std::regex view(R"(CREATE (?:TEMP )?VIEW (?:IF NOT EXISTS )?([a-z_]+))");
    std::set<std::string> views;
    for (const SourceFile &file : filesBelow({"store"}, {".cpp", ".h", ".sql"})) {
        for (const std::string &line : file.lines) {
            for (std::sregex_iterator match(line.begin(), line.end(), view), end; match != end; ++match)
                views.insert((*match)[1]);
        }
    }
    if (document.empty() || views.empty())
        QSKIP("skipped: no docs/workspace.md, or no view in the store's sources");
    for (const std::string &name : views)
        QVERIFY2(document.find("`" + name + "`") != std::string::npos, name.c_str());
}

// A kind of warning is a name in snake case with its sentence behind it.
void HouseTest::warningsAreDocumented() {
    static const std::regex warning(R"re("([a-z]+(?:_[a-z0-9]+)+)",\s*(?:\w+,\s*)?"[A-Za-z][^"\n]* )re");
    const std::string document = textOf(kRoot / "docs" / "formats.md");
    std::set<std::string> kinds;
    for (const SourceFile &file : filesBelow({"importers"}, {".cpp", ".h"})) {
        const std::string text = textOf(kRoot / file.path);
        for (std::sregex_iterator match(text.begin(), text.end(), warning), end; match != end; ++match)
            kinds.insert((*match)[1]);
    }
    QVERIFY(kinds.size() > 40);
    for (const std::string &kind : kinds)
        QVERIFY2(document.find("`" + kind + "`") != std::string::npos, kind.c_str());
}

void HouseTest::documentsLinkToFilesThatExist() {
    static const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
    std::vector<fs::path> documents;
    for (const auto &folder : {kRoot, kRoot / "docs"}) {
        for (const auto &entry : fs::directory_iterator(folder)) {
            if (entry.path().extension() == ".md")
                documents.push_back(entry.path());
        }
    }
    QVERIFY(!documents.empty());
    std::vector<std::string> broken;
    for (const fs::path &document : documents) {
        const std::string text = textOf(document);
        for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match) {
            const std::string target = (*match)[1];
            if (!fs::exists(document.parent_path() / target))
                broken.push_back(document.filename().string() + ": " + target);
        }
    }
    QVERIFY2(broken.empty(), joined(broken).c_str());
}

QTEST_APPLESS_MAIN(HouseTest)
#include "tst_house.moc"
