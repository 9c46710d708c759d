// The window: composes panes around one session and keeps its own appearance, layout and list of recent files.
#pragma once

#include "widgets/import_service.h"
#include "widgets/window/appearance.h"
#include "widgets/window/document.h"
#include "widgets/window/recent_files.h"

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <QHash>
#include <QMainWindow>
#include <QPointer>
#include <QStringList>

class QDialog;
class QMenu;
class QSettings;
class QStackedWidget;
class QToolBar;

namespace wattproof::widgets {

class BannerStack;
class Docks;
class HeadlineBar;
class QuickList;
class SearchBar;
class SessionView;
class StatusLine;
class TimelinePane;
class WelcomePage;

struct QuickItem;

struct WindowOptions {
    QString settingsFile;  // empty: the user's own
    QString cacheFolder;   // empty: the user's cache
};

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(std::shared_ptr<ImportService> service, const WindowOptions &options = {},
                        QWidget *parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Document &document() { return *document_; }
    [[nodiscard]] Appearance &appearance() { return appearance_; }
    [[nodiscard]] BannerStack &banners() { return *banners_; }
    [[nodiscard]] StatusLine &statusLine() { return *status_; }
    [[nodiscard]] HeadlineBar &headline() { return *headline_; }
    [[nodiscard]] Docks &docks() { return *docks_; }
    [[nodiscard]] SessionView *view() { return view_; }  // null: nothing is open
    [[nodiscard]] WelcomePage *welcome() { return welcome_; }
    [[nodiscard]] SearchBar *searchBar() { return search_; }
    [[nodiscard]] QuickList *quickList() { return quick_; }
    [[nodiscard]] RecentFiles &recent() { return recent_; }
    [[nodiscard]] QAction *action(const QString &name) const;  // by object name: "undo", "open", "theme-dark" …

    void chooseTheme(ThemeChoice);
    void exportReport(const QString &path, bool openAfterwards = false);
    void saveCsv(const QString &path);
    void saveRows(const QString &path);  // of the SQL console, as the file's ending says
    // Nothing runs and every pane has the answer to its last question. Blocks until running reads are through.
    [[nodiscard]] bool isSettled();

protected:
    void dragEnterEvent(QDragEnterEvent *) override;
    void dropEvent(QDropEvent *) override;
    void closeEvent(QCloseEvent *) override;
    void keyPressEvent(QKeyEvent *) override;

private:
    // One of several that exclude each other; the first one is chosen unless the settings say otherwise.
    struct SessionChoice {
        const char *word;  // in the settings, and behind the key in the action's name
        QString text;
        std::function<void(Session &)> apply;
    };

    void buildCentre();
    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void buildTracksMenu();
    void buildGoMenu();
    void buildChoiceMenus(QMenu *view);
    void addChoices(QMenu *, const QString &key, const std::vector<SessionChoice> &);
    void applySessionChoices();
    void buildHelpMenu();
    void buildToolBar();
    void connectDocument();
    QAction *makeAction(QMenu *, const QString &name, const QString &text, const QKeySequence &,
                        void (MainWindow::*slot)());

    QAction *makeTimelineAction(QMenu *, const QString &name, const QString &text, const QKeySequence &,
                                const std::function<void(TimelinePane &)> &);

    void askOpen();
    void askAdd();
    void askOpenPart();
    void askChoices();
    void askImport(const Prospect &, Way);
    void askPart(const QStringList &paths, Way, const std::optional<LargeFile> &large, const FileChoices & = {});
    void askSaveAs();
    void askExport();
    void askCsv();
    void askRows(const QString &suffix);
    void showEvents();
    void showSql();
    void tellSaved(const QString &path, const Status &);
    void openReport();
    void closeDocument();
    void undo();
    void redo();
    void addNote();
    void align();
    void analyze();
    void showSources();
    void showScenario();
    void showShortcuts();
    void showAbout();
    void showDialog(QDialog *);
    void resetLayout();
    void focusSelection();
    void fitAll();
    void clearSelection();
    void find();
    void findNext();
    void findPrevious();
    void findTrack();
    void showCommands();
    void openQuickList(std::vector<QuickItem> items, const QString &prompt, const QString &none,
                       void (MainWindow::*chosen)(const QString &key));
    void goToTrack(const QString &key);
    void runCommand(const QString &key);

    void takeSession();
    void dropSession();
    void showHeadline();
    void showUndo();
    void showState();
    void showRecent();
    void applyTheme();
    void saveLayout();
    void restoreLayout();

    std::unique_ptr<QSettings> settings_;
    RecentFiles recent_;
    Appearance appearance_;
    std::unique_ptr<Document> document_;
    BannerStack *banners_;
    HeadlineBar *headline_;
    SearchBar *search_;
    QuickList *quick_ = nullptr;  // made at its first use
    QHash<QString, QPointer<QAction>> commands_;  // by their keys in the quick list
    QStackedWidget *pages_;
    WelcomePage *welcome_;
    StatusLine *status_;
    Docks *docks_;
    SessionView *view_ = nullptr;
    QToolBar *headlineBar_ = nullptr;
    std::map<QString, std::vector<std::pair<QAction *, std::function<void(Session &)>>>> sessionChoices_;
    QList<QAction *> timelineActions_;  // of use while something is open
    QMenu *recentMenu_ = nullptr;
    QPointer<QWidget> dialog_;  // import, scenario, sources, part or shortcuts: one at a time
    QByteArray firstLayout_;
};

}  // namespace wattproof::widgets
