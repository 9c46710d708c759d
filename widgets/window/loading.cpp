#include "widgets/window/loading.h"

#include "store/analysis_store.h"
#include "store/reader.h"
#include "widgets/import/look_words.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>

namespace wattproof::widgets {
namespace {

// Long names are cut here, so that the cache's path stays below the limits of every file system.
constexpr int kLongestStem = 80;

void addState(QCryptographicHash &hash, const QString &path) {
    const QFileInfo file(path);
    hash.addData(file.absoluteFilePath().toUtf8());
    hash.addData(QByteArray::number(file.size()));
    hash.addData(QByteArray::number(file.lastModified().toMSecsSinceEpoch()));
}

Status makeFolder(const std::string &folder) {
    if (QDir().mkpath(QString::fromStdString(folder)))
        return {};
    return failure("The folder for imported workspaces cannot be made", folder,
                   "check its permissions and the free space");
}

bool isSameFile(const std::string &a, const std::string &b) {
    return QFileInfo(QString::fromStdString(a)) == QFileInfo(QString::fromStdString(b));
}

struct Sorted {
    std::vector<std::string> data, workspaces;
};

Sorted sortedByKind(const ImportService &service, const std::vector<std::string> &paths) {
    Sorted sorted;
    for (const std::string &path : paths)
        (service.isWorkspace(path) ? sorted.workspaces : sorted.data).push_back(path);
    return sorted;
}

// A workspace that was made of them before is opened as it is.
bool isKnown(const Loading &loading, const Sorted &sorted, Way way) {
    return way == Way::Open && sorted.workspaces.empty() && !sorted.data.empty() &&
           QFileInfo::exists(QString::fromStdString(cachePathOf(loading.cacheFolder, sorted.data)));
}

Expected<Opened> openWorkspace(const Loading &loading, const std::string &path) {
    Opened opened;
    if (loading.current && isSameFile(loading.current->path(), path)) {
        opened.workspace = loading.current;
    } else {
        auto workspace = store::Workspace::open(path);
        if (!workspace)
            return passOn(workspace);
        opened.workspace = std::move(*workspace);
    }
    if (const auto json = opened.workspace->analysisStore().resultJson(); json && *json)
        if (auto result = analysis::resultFromJson(**json))
            opened.analysis = std::make_shared<analysis::AnalysisResult>(std::move(*result));
    return opened;
}

bool isAnew(const Loading &loading) {
    return loading.anew || !loading.choices.empty();
}

// The workspace of these files that was made last: "train.json-1a2b.wattproof", "train.json-1a2b-2.wattproof" …
std::string placeInCache(const Loading &loading, const std::vector<std::string> &files) {
    const QString first = QString::fromStdString(cachePathOf(loading.cacheFolder, files, loading.part));
    const QFileInfo info(first);
    const auto made = [&info, &first](int time) {
        return time == 1 ? first
                         : info.dir().filePath(
                               QStringLiteral("%1-%2.%3").arg(info.completeBaseName()).arg(time).arg(info.suffix()));
    };
    int time = 1;
    while (QFileInfo::exists(made(time + 1)))
        ++time;
    if (isAnew(loading) && QFileInfo::exists(made(time)))
        ++time;
    return made(time).toStdString();
}

Expected<Opened> importToCache(const Loading &loading, const std::vector<std::string> &files, const Task &task) {
    const std::string output = placeInCache(loading, files);
    if (!isAnew(loading) && QFileInfo::exists(QString::fromStdString(output)))
        if (auto opened = openWorkspace(loading, output))
            return opened;
    if (auto made = makeFolder(loading.cacheFolder); !made)
        return passOn(made);
    auto outcome = loading.service.importToNew(files, output, {loading.part, loading.choices}, task);
    if (!outcome)
        return passOn(outcome);
    auto opened = openWorkspace(loading, output);
    if (opened) {
        opened->outcome = std::move(*outcome);
        opened->imported = true;
    }
    return opened;
}

Expected<Opened> openAndAdd(const Loading &loading, const std::string &workspace,
                            const std::vector<std::string> &files, const Task &task) {
    auto opened = openWorkspace(loading, workspace);
    if (!opened || files.empty())
        return opened;
    auto outcome = loading.service.importInto(*opened->workspace, files, {loading.part, loading.choices}, task);
    if (!outcome)
        return passOn(outcome);
    opened->outcome = std::move(*outcome);
    opened->imported = true;
    return opened;
}

}  // namespace

Expected<Opened> loadFiles(const Loading &loading, const std::vector<std::string> &paths, const Task &task) {
    const auto [data, workspaces] = sortedByKind(loading.service, paths);
    if (workspaces.empty())
        return importToCache(loading, data, task);
    auto opened = openAndAdd(loading, workspaces.front(), data, task);
    if (opened)
        opened->left.assign(workspaces.begin() + 1, workspaces.end());
    return opened;
}

Expected<Rebuilt> importSourcesAnew(Loading loading, store::Workspace &damaged, const Task &task) {
    auto reader = damaged.reader();
    if (!reader)
        return passOn(reader);
    auto sources = loading.service.sources(**reader);
    if (!sources)
        return passOn(sources);
    const QDir folder = QFileInfo(QString::fromStdString(damaged.path())).dir();
    Rebuilt rebuilt;
    for (const SourceEntry &source : *sources) {
        const QString path = QString::fromStdString(source.row.path);
        rebuilt.files.push_back(QFileInfo::exists(path) ? source.row.path : folder.filePath(path).toStdString());
        if (loading.part.isWhole())
            loading.part = source.part;
    }
    loading.anew = true;
    loading.current = nullptr;
    auto opened = loadFiles(loading, rebuilt.files, task);
    if (!opened)
        return passOn(opened);
    rebuilt.opened = std::move(*opened);
    return rebuilt;
}

std::string cachePathOf(const std::string &cacheFolder, const std::vector<std::string> &files,
                        const TracePart &part) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const std::string &file : files)
        addState(hash, QString::fromStdString(file));
    addState(hash, QCoreApplication::applicationFilePath());
    if (!part.isWhole())
        hash.addData(QByteArray::fromStdString(part.range + '\n' + part.categories));
    const QString stem = QFileInfo(QString::fromStdString(files.front())).fileName().left(kLongestStem);
    const QString name =
        QStringLiteral("%1-%2.wattproof").arg(stem, QString::fromLatin1(hash.result().toHex().left(12)));
    return QDir(QString::fromStdString(cacheFolder)).filePath(name).toStdString();
}

std::optional<LargeFile> largeFileAmong(const Loading &loading, const std::vector<std::string> &paths, Way way,
                                        std::uint64_t least) {
    const Sorted sorted = sortedByKind(loading.service, paths);
    LargeFile largest;
    for (const std::string &path : sorted.data) {
        const auto bytes = static_cast<std::uint64_t>(QFileInfo(QString::fromStdString(path)).size());
        if (bytes > largest.bytes)
            largest = {path, bytes};
    }
    if (largest.bytes < least || sorted.data.empty())
        return std::nullopt;
    return isKnown(loading, sorted, way) ? std::nullopt : std::optional(largest);
}

Expected<Prospect> prospectOf(const Loading &loading, const std::vector<std::string> &paths, Way way,
                              std::uint64_t least, bool always, const Task &task) {
    const Sorted sorted = sortedByKind(loading.service, paths);
    Prospect prospect{sorted.data, sorted.workspaces, {}, largeFileAmong(loading, paths, way, least), false};
    if (sorted.data.empty() || (!always && isKnown(loading, sorted, way)))
        return prospect;
    if (always || sorted.data.size() > 1) {
        prospect.ask = true;
        return prospect;
    }
    auto look = loading.service.look(sorted.data.front(), {}, task);
    if (!look)
        return passOn(look);
    prospect.ask = isOpenQuestion(*look);
    prospect.seen.push_back(std::move(*look));
    return prospect;
}

Expected<Realigned> realign(store::Workspace &workspace, std::optional<SourceId> only, const Task &task) {
    auto reader = workspace.reader();
    if (!reader)
        return passOn(reader);
    auto sources = (*reader)->sources();
    if (!sources)
        return passOn(sources);
    auto alignments = analysis::alignAutomatically(workspace, task, only);
    if (!alignments)
        return passOn(alignments);
    return Realigned{std::move(*alignments), std::move(*sources)};
}

}  // namespace wattproof::widgets
