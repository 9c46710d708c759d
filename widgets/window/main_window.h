// The window: composes panes around one session and keeps its own appearance, layout and list of recent files.
#pragma once

#include <memory>

#include <QMainWindow>
#include <QStringList>

#include "widgets/import_service.h"
#include "widgets/window/appearance.h"
#include "widgets/window/document.h"

class QSettings;
class QStackedWidget;

namespace wattproof::widgets {

class BannerStack;
class WelcomePage;

struct WindowOptions {
    QString settingsFile;      // empty: the user's own
    QString cacheFolder;       // empty: the user's cache
};

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(std::shared_ptr<ImportService> service, const WindowOptions &options = {}, QWidget *parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Document &document() { return *document_; }
    [[nodiscard]] Appearance &appearance() { return appearance_; }
    [[nodiscard]] BannerStack &banners() { return *banners_; }

private:
    std::unique_ptr<QSettings> settings_;
    Appearance appearance_;
    std::unique_ptr<Document> document_;
    BannerStack *banners_;
    QStackedWidget *pages_;
    WelcomePage *welcome_;
};

}  // namespace wattproof::widgets
