#include "widgets/window/document.h"

#include "analysis/analyze.h"
#include "store/reader.h"

#include <QDir>
#include <QFileInfo>

namespace wattproof::widgets {
namespace {

constexpr int kReanalyseMs = 400;
constexpr int kCheckMs = 1500;

std::vector<std::string> toStd(const QStringList &paths) {
    std::vector<std::string> all;
    for (const QString &path : paths)
        all.push_back(path.toStdString());
    return all;
}

QString namesOf(const QStringList &paths) {
    const QString first = QFileInfo(paths.value(0)).fileName();
    return paths.size() < 2
               ? first
               : Document::tr("%1 and %n more", nullptr, static_cast<int>(paths.size()) - 1).arg(first);
}

struct Axis {
    TimeRange extent, main;
};

Expected<Axis> readAxis(store::Reader &reader) {
    auto extent = reader.extent();
    if (!extent)
        return passOn(extent);
    auto part = reader.mainPart();
    if (!part)
        return passOn(part);
    return Axis{*extent, part->range};
}

QString sourceName(const std::vector<SourceRow> &sources, SourceId id) {
    for (const SourceRow &source : sources)
        if (source.id == id)
            return QFileInfo(QString::fromStdString(source.path)).fileName();
    return Document::tr("The power log");
}

}  // namespace

Document::Document(std::shared_ptr<ImportService> service, QString cacheFolder, QObject *parent)
    : QObject(parent), service_(std::move(service)), cacheFolder_(std::move(cacheFolder)) {
    reanalyse_.setSingleShot(true);
    reanalyse_.setInterval(kReanalyseMs);
    connect(&reanalyse_, &QTimer::timeout, this, &Document::analyze);
    checkLater_.setSingleShot(true);
    checkLater_.setInterval(kCheckMs);
    connect(&checkLater_, &QTimer::timeout, this, &Document::startCheck);
}

Document::~Document() = default;

QString Document::title() const {
    if (!session_)
        return {};
    return openedFrom_.isEmpty() ? QFileInfo(QString::fromStdString(session_->workspace().path())).fileName()
                                 : namesOf(openedFrom_);
}

bool Document::isInCache() const {
    return session_ &&
           QString::fromStdString(session_->workspace().path()).startsWith(cacheFolder_ + QLatin1Char('/'));
}

void Document::open(const QStringList &paths, const Wishes &wishes) {
    if (paths.isEmpty())
        return;
    const auto service = service_;
    const auto current = session_ ? session_->sharedWorkspace() : nullptr;
    run(
        opening_, tr("Opening %1").arg(namesOf(paths)),
        [service, current, wishes, folder = cacheFolder_.toStdString(), files = toStd(paths)](const Task &task) {
            return loadFiles(Loading{*service, folder, current, wishes.part, wishes.files}, files, task);
        },
        [this, paths, wishes](Expected<Opened> &&opened) { finishOpen(paths, wishes, std::move(opened)); });
}

void Document::offer(const QStringList &paths, Way way, bool always) {
    if (paths.isEmpty())
        return;
    const auto take = [this, paths, way](Expected<Prospect> &&prospect) {
        if (!prospect) {
            if (!isCancelled(prospect.error()))
                tell(Severity::Error, QString::fromStdString(prospect.error().sentence()), QStringLiteral("open"));
        } else if (prospect->ask) {
            emit importWanted(*prospect, way);
        } else if (prospect->large) {
            emit partWanted(paths, way, *prospect->large);
        } else if (way == Way::Add) {
            add(paths);
        } else {
            open(paths);
        }
    };
    run(
        looking_, tr("Looking at %1").arg(namesOf(paths)),
        [service = service_, folder = cacheFolder_.toStdString(), files = toStd(paths), way, least = largeFile_,
         always](const Task &task) {
            return prospectOf(Loading{*service, folder, nullptr}, files, way, least, always, task);
        },
        take);
}

void Document::finishOpen(const QStringList &paths, const Wishes &wishes, Expected<Opened> &&opened) {
    if (opened) {
        install(*opened, paths);
        return;
    }
    const auto again = [this, paths, wishes] { open(paths, wishes); };
    if (isCancelled(opened.error()))
        tell(Severity::Info, tr("Opening %1 was cancelled; nothing was changed.").arg(namesOf(paths)),
             QStringLiteral("open"), tr("Open it again"), again);
    else
        tell(Severity::Error, QString::fromStdString(opened.error().sentence()), QStringLiteral("open"),
             tr("Try again"), again);
}

void Document::install(const Opened &result, const QStringList &paths) {
    const bool same = session_ && session_->sharedWorkspace() == result.workspace;
    if (!same) {
        openedFrom_ = paths;
        replaceSession(std::make_unique<Session>(result.workspace));
    }
    if (result.analysis)
        session_->setAnalysis(result.analysis);
    askExtent(true);
    tellOutcome(result.outcome);
    tellMode();
    if (!result.left.empty())
        tell(Severity::Info,
             tr("One workspace is open at a time: %1 stays closed.")
                 .arg(QString::fromStdString(result.left.front())),
             QStringLiteral("left"));
    emit opened(paths);
    if (same && result.imported)
        session_->notifyDataChanged();
    if (result.imported || !result.analysis)
        alignAndAnalyze();
    if (!same && !result.imported)
        checkLater_.start();
}

void Document::replaceSession(std::unique_ptr<Session> next) {
    for (Turn *turn : {&adding_, &changing_, &aligning_, &analysing_, &checking_}) {
        tasks_.cancel(turn->task);
        ++turn->number;
        turn->task = 0;
    }
    reanalyse_.stop();
    checkLater_.stop();
    emit sessionClosing();
    session_ = std::move(next);
    if (session_) {
        connect(&session_->edits(), &EditQueue::inputsChanged, &reanalyse_, qOverload<>(&QTimer::start));
        connect(&session_->edits(), &EditQueue::failed, this,
                [this](const QString &sentence) { tell(Severity::Error, sentence, QStringLiteral("edit")); });
        connect(session_.get(), &Session::dataChanged, this, [this] { askExtent(false); });
    }
    emit sessionChanged();
}

void Document::add(const QStringList &paths, const Wishes &wishes) {
    if (paths.isEmpty())
        return;
    if (!session_) {
        open(paths, wishes);
        return;
    }
    run(
        adding_, tr("Adding %1").arg(namesOf(paths)),
        [service = service_, workspace = session_->sharedWorkspace(), files = toStd(paths), wishes](const Task &task) {
            return service->importInto(*workspace, files, wishes, task);
        },
        [this, paths, wishes](Expected<ImportOutcome> &&outcome) { finishAdd(paths, wishes, std::move(outcome)); });
}

void Document::finishAdd(const QStringList &paths, const Wishes &wishes, Expected<ImportOutcome> &&outcome) {
    if (outcome) {
        tellOutcome(*outcome);
        sourcesChanged();
        return;
    }
    const bool stopped = isCancelled(outcome.error());
    tell(stopped ? Severity::Info : Severity::Error,
         stopped ? tr("Adding %1 was cancelled; nothing was added.").arg(namesOf(paths))
                 : QString::fromStdString(outcome.error().sentence()),
         QStringLiteral("add"), tr("Try again"), [this, paths, wishes] { add(paths, wishes); });
}

void Document::sourcesChanged() {
    session_->notifyDataChanged();
    session_->edits().refresh();
    alignAndAnalyze();
}

void Document::openSample() {
    run(
        opening_, tr("Unpacking the sample"),
        [service = service_, folder = (cacheFolder_ + QStringLiteral("/sample")).toStdString()](const Task &) {
            return service->unpackSample(folder);
        },
        [this](Expected<std::vector<std::string>> &&files) {
            if (!files) {
                tell(Severity::Error, QString::fromStdString(files.error().sentence()), QStringLiteral("open"));
                return;
            }
            QStringList paths;
            for (const std::string &file : *files)
                paths << QString::fromStdString(file);
            open(paths);
        });
}

void Document::saveAs(const QString &path) {
    if (!session_)
        return;
    run(
        saving_, tr("Saving %1").arg(QFileInfo(path).fileName()),
        [workspace = session_->sharedWorkspace(), target = path.toStdString()](const Task &) {
            return workspace->saveAs(target);
        },
        [this, path](Status &&saved) {
            if (saved)
                open({path});
            else
                tell(Severity::Error, QString::fromStdString(saved.error().sentence()), QStringLiteral("save"),
                     tr("Try again"), [this, path] { saveAs(path); });
        });
}

void Document::close() {
    if (session_)
        replaceSession(nullptr);
    openedFrom_.clear();
    emit stateChanged();
}

void Document::alignAndAnalyze() {
    if (session_ && session_->workspace().writable())
        startAlign(std::nullopt);
    else
        analyze();
}

void Document::alignSource(SourceId source) {
    if (session_)
        startAlign(source);
}

void Document::startAlign(std::optional<SourceId> only) {
    run(
        aligning_, tr("Aligning clocks"),
        [workspace = session_->sharedWorkspace(), only](const Task &task) {
            return realign(*workspace, only, task);
        },
        [this](Expected<Realigned> &&result) { finishAlign(std::move(result)); });
}

void Document::finishAlign(Expected<Realigned> &&result) {
    if (result) {
        tellRefused(*result);
        emit aligned(*result);
        session_->edits().refresh();
        session_->notifyDataChanged();
    } else if (!isCancelled(result.error())) {
        tell(Severity::Error, QString::fromStdString(result.error().sentence()), QStringLiteral("align"),
             tr("Align by hand"), [this] { emit alignmentWanted(); });
    }
    if (result || !isCancelled(result.error()))
        analyze();
}

void Document::analyze() {
    if (!session_)
        return;
    reanalyse_.stop();
    run(
        analysing_, tr("Analysing"),
        [workspace = session_->sharedWorkspace()](const Task &task) {
            return analysis::analyze(*workspace, std::nullopt, task);
        },
        [this](Expected<analysis::AnalysisResult> &&result) { finishAnalysis(std::move(result)); });
}

void Document::finishAnalysis(Expected<analysis::AnalysisResult> &&result) {
    if (result) {
        session_->setAnalysis(std::make_shared<analysis::AnalysisResult>(std::move(*result)));
        return;
    }
    const bool stopped = isCancelled(result.error());
    tell(stopped ? Severity::Info : Severity::Error,
         stopped ? tr("The analysis was cancelled: findings and energies are those of the last one.")
                 : QString::fromStdString(result.error().sentence()),
         QStringLiteral("analyze"), tr("Analyze"), [this] { analyze(); });
}

void Document::askExtent(bool fit) {
    session_->queries().ask(
        session_.get(), "document/extent",
        [](store::Reader &reader, const std::stop_token &) { return readAxis(reader); },
        [this, fit](Expected<Axis> &&axis) {
            if (!axis)
                return;
            session_->view().setExtent(axis->extent, axis->main);
            if (fit)
                session_->view().fitMain();
        });
}

void Document::tell(Severity severity, const QString &text, const QString &key, const QString &actionText,
                    std::function<void()> action) {
    emit notice({severity, text, action ? actionText : QString(), std::move(action), key});
}

void Document::tellOutcome(const ImportOutcome &outcome) {
    std::int64_t count = 0;
    QString first;
    for (const ImportedFile &file : outcome.files)
        for (const WarningRow &warning : file.warnings) {
            if (first.isEmpty())
                first = QFileInfo(QString::fromStdString(file.path)).fileName() + QStringLiteral(": ") +
                        QString::fromStdString(warning.message);
            ++count;
        }
    if (count > 0)
        tell(Severity::Warning,
             count == 1 ? first : tr("%1 (and %n more)", nullptr, static_cast<int>(count) - 1).arg(first),
             QStringLiteral("warnings"), tr("Show warnings"), [this] { emit warningsWanted(); });
    for (const std::string &note : outcome.notes)
        tell(Severity::Info, QString::fromStdString(note), QStringLiteral("note"));
}

void Document::tellMode() {
    const auto save = [this] { emit saveWanted(); };
    switch (session_->workspace().openMode()) {
        case store::OpenMode::ReadWrite:
            break;
        case store::OpenMode::ReadOnlyLocked:
            tell(Severity::Warning,
                 tr("This workspace is open in another window: it can be read here, but not changed."),
                 QStringLiteral("mode"), tr("Save a copy…"), save);
            break;
        case store::OpenMode::ReadOnlyPlace:
            tell(Severity::Warning,
                 tr("This workspace stands in a place that cannot be written: it can be read, but not changed."),
                 QStringLiteral("mode"), tr("Save a copy…"), save);
            break;
    }
}

void Document::tellRefused(const Realigned &result) {
    for (const analysis::SourceAlignment &source : result.alignments)
        if (!source.proposal.alignment)
            tell(Severity::Warning,
                 tr("%1 was not aligned: %2")
                     .arg(sourceName(result.sources, source.source),
                          QString::fromStdString(source.proposal.refusal)),
                 QStringLiteral("align/%1").arg(source.source.value), tr("Align by hand"),
                 [this] { emit alignmentWanted(); });
}

}  // namespace wattproof::widgets
