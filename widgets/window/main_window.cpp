#include "widgets/window/main_window.h"

#include "store/reader.h"
#include "widgets/panes/alignment_pane.h"
#include "widgets/panes/findings_pane.h"
#include "widgets/panes/report_pane.h"
#include "widgets/panes/selection_pane.h"
#include "widgets/panes/welcome_page.h"
#include "widgets/plot/navigation.h"
#include "widgets/search/search_bar.h"
#include "widgets/sql/sql_pane.h"
#include "widgets/timeline/timeline_pane.h"
#include "widgets/window/banner.h"
#include "widgets/window/docks.h"
#include "widgets/window/headline_bar.h"
#include "widgets/window/session_view.h"
#include "widgets/window/status_line.h"

#include <algorithm>

#include <QAction>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QStatusBar>
#include <QToolBar>
#include <QUrl>
#include <QVBoxLayout>

namespace wattproof::widgets {
namespace {

// Grows when docks or toolbars change their meaning: an older stored layout is then left alone.
constexpr int kLayoutVersion = 1;

constexpr double kFirstShare = 0.9;  // of the screen, for a window that was never sized

std::unique_ptr<QSettings> settingsAt(const QString &file) {
    if (file.isEmpty())
        return std::make_unique<QSettings>(QStringLiteral("wattproof"), QStringLiteral("window"));
    return std::make_unique<QSettings>(file, QSettings::IniFormat);
}

QString cacheAt(const QString &folder) {
    return folder.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
                                  QStringLiteral("/wattproof")
                            : folder;
}

QStringList localFiles(const QMimeData *data) {
    QStringList paths;
    for (const QUrl &url : data->urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    return paths;
}

// Most of a large screen, and never more than a small one has.
QSize firstSize(const QScreen &screen) {
    constexpr QSize kLeast{1440, 900};
    const QSize available = screen.availableSize();
    return (available * kFirstShare).expandedTo(kLeast).boundedTo(available);
}

}  // namespace

MainWindow::MainWindow(std::shared_ptr<ImportService> service, const WindowOptions &options, QWidget *parent)
    : QMainWindow(parent),
      settings_(settingsAt(options.settingsFile)),
      recent_(*settings_),
      document_(std::make_unique<Document>(std::move(service), cacheAt(options.cacheFolder))),
      banners_(new BannerStack(appearance_.theme(), this)),
      headline_(new HeadlineBar(appearance_.theme(), this)),
      search_(new SearchBar(this)),
      pages_(new QStackedWidget(this)),
      welcome_(new WelcomePage(this)),
      status_(new StatusLine(document_->tasks(), this)),
      docks_(new Docks(this)) {
    setAcceptDrops(true);
    resize(firstSize(*screen()));
    buildCentre();
    buildMenus();
    buildToolBar();
    connectDocument();
    connect(&appearance_, &Appearance::themeChanged, this, &MainWindow::applyTheme);
    firstLayout_ = saveState(kLayoutVersion);
    restoreGeometry(settings_->value(QStringLiteral("geometry")).toByteArray());
    chooseTheme(themeChoiceFromWord(settings_->value(QStringLiteral("theme")).toString()));
    docks_->setShown(false);
    headlineBar_->hide();
    showRecent();
    showState();
    showUndo();
}

MainWindow::~MainWindow() {
    // The panes go before the session that they look at.
    dropSession();
}

void MainWindow::buildCentre() {
    auto *central = new QWidget(this);
    auto *layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(banners_);
    layout->addWidget(pages_, 1);
    pages_->addWidget(welcome_);
    setCentralWidget(central);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(status_, 1);
    connect(welcome_, &WelcomePage::openRequested, this, &MainWindow::askOpen);
    connect(welcome_, &WelcomePage::sampleRequested, document_.get(), &Document::openSample);
    connect(welcome_, &WelcomePage::recentRequested, document_.get(),
            [this](const QStringList &paths) { document_->open(paths); });
}

void MainWindow::connectDocument() {
    Document *document = document_.get();
    connect(document, &Document::sessionClosing, this, &MainWindow::dropSession);
    connect(document, &Document::sessionChanged, this, &MainWindow::takeSession);
    connect(document, &Document::stateChanged, this, &MainWindow::showState);
    connect(document, &Document::notice, banners_, &BannerStack::show);
    connect(document, &Document::opened, this, [this](const QStringList &paths) {
        banners_->dismiss(QStringLiteral("open"));
        recent_.add(paths);
        showRecent();
    });
    connect(document, &Document::importWanted, this, &MainWindow::askImport);
    connect(document, &Document::partWanted, this,
            [this](const QStringList &paths, Way way, const LargeFile &large) { askPart(paths, way, large); });
    connect(document, &Document::warningsWanted, this, [this] { docks_->raise(Place::Warnings); });
    connect(document, &Document::alignmentWanted, this, [this] { docks_->raise(Place::Alignment); });
    connect(document, &Document::saveWanted, this, &MainWindow::askSaveAs);
    connect(search_, &SearchBar::left, this, [this] {
        if (view_)
            view_->timeline()->setFocus();
    });
    connect(document, &Document::aligned, this, [this](const Realigned &result) {
        if (view_)
            view_->alignment()->setProposals(result.alignments);
    });
}

void MainWindow::takeSession() {
    Session *session = document_->session();
    status_->setSession(session);
    if (!session) {
        pages_->setCurrentWidget(welcome_);
        showUndo();
        return;
    }
    view_ = new SessionView(session, *docks_, appearance_.theme(), this);
    pages_->addWidget(view_);
    pages_->setCurrentWidget(view_);
    restoreLayout();
    connect(session, &Session::analysisChanged, this, &MainWindow::showHeadline);
    connect(session, &Session::dataChanged, this, &MainWindow::showHeadline);
    connect(&session->edits(), &EditQueue::changed, this, &MainWindow::showUndo);
    connect(view_->findings(), &FindingsPane::analysisRequested, document_.get(), &Document::analyze);
    connect(view_->alignment(), &AlignmentPane::alignRequested, document_.get(), &Document::alignSource);
    connect(view_->selection(), &SelectionPane::csvRequested, this, &MainWindow::askCsv);
    connect(view_->sql(), &SqlPane::exportRequested, this, &MainWindow::askRows);
    view_->sql()->useSettings(settings_.get());
    connect(view_->report(), &ReportPane::exportRequested, this, &MainWindow::askExport);
    connect(view_->report(), &ReportPane::browserRequested, this, &MainWindow::openReport);
    applySessionChoices();
    search_->setSession(session);
    view_->timeline()->setFocus();
    showHeadline();
    showUndo();
}

void MainWindow::dropSession() {
    if (!view_)
        return;
    saveLayout();
    delete dialog_;
    status_->setSession(nullptr);
    search_->setSession(nullptr);
    docks_->clear();
    docks_->setShown(false);
    headlineBar_->hide();
    banners_->clear();
    delete view_;
    view_ = nullptr;
}

void MainWindow::saveLayout() {
    settings_->setValue(QStringLiteral("layout"), saveState(kLayoutVersion));
    settings_->setValue(QStringLiteral("splitter"), view_->splitterState());
}

void MainWindow::restoreLayout() {
    docks_->setShown(true);
    headlineBar_->show();
    if (!restoreState(settings_->value(QStringLiteral("layout")).toByteArray(), kLayoutVersion))
        docks_->arrange();
    view_->restoreSplitter(settings_->value(QStringLiteral("splitter")).toByteArray());
    for (const char *name : {"minimap", "overlay", "occupancy"})
        view_->setPaneShown(QString::fromLatin1(name), action(QString::fromLatin1(name))->isChecked());
}

void MainWindow::showHeadline() {
    const auto read = [](store::Reader &reader, const std::stop_token &) -> Expected<bool> {
        auto sources = reader.sources();
        if (!sources)
            return passOn(sources);
        return std::any_of(sources->begin(), sources->end(),
                           [](const SourceRow &source) { return source.simulated; });
    };
    document_->session()->queries().ask(this, "window/headline", read, [this](Expected<bool> &&simulated) {
        const Session *session = document_->session();
        if (!session)
            return;
        const auto result = session->analysis();
        headline_->setChips(result ? chipsOf(*result, simulated.value_or(false))
                                   : QList<Chip>{{tr("not analysed yet"), {}, Chip::Tone::Plain, false}});
    });
}

void MainWindow::applyTheme() {
    const draw::Theme &theme = appearance_.theme();
    banners_->setTheme(theme);
    headline_->setTheme(theme);
    welcome_->setTheme(theme);
    if (view_)
        view_->setTheme(theme);
}

void MainWindow::chooseTheme(ThemeChoice choice) {
    settings_->setValue(QStringLiteral("theme"), word(choice));
    if (QAction *chosen = action(QStringLiteral("theme-") + word(choice)))
        chosen->setChecked(true);
    appearance_.choose(choice);
}

bool MainWindow::isSettled() {
    if (document_->tasks().isBusy() || document_->isOpening())
        return false;
    if (Session *session = document_->session()) {
        session->edits().waitIdle();
        session->queries().service().waitIdle();
        session->longQueries().service().waitIdle();
    }
    return true;
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
    if (!localFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) {
    const QStringList paths = localFiles(event->mimeData());
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    document_->offer(paths, event->modifiers() & Qt::ControlModifier ? Way::Add : Way::Open);
}

void MainWindow::closeEvent(QCloseEvent *event) {
    settings_->setValue(QStringLiteral("geometry"), saveGeometry());
    if (view_)
        saveLayout();
    QMainWindow::closeEvent(event);
}

void MainWindow::keyPressEvent(QKeyEvent *event) {
    // Keys of the time axis work wherever the focus is, unless the focused pane has a use of its own for them.
    const auto command = navigationFor(event->key(), event->modifiers());
    if (!view_ || !command || !navigate(document_->session()->view(), *command))
        QMainWindow::keyPressEvent(event);
}

}  // namespace wattproof::widgets
