#include "widgets/window/main_window.h"

#include <QSettings>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "widgets/panes/welcome_page.h"
#include "widgets/window/banner.h"

namespace wattproof::widgets {
namespace {

std::unique_ptr<QSettings> settingsAt(const QString &file) {
    if (file.isEmpty())
        return std::make_unique<QSettings>(QStringLiteral("wattproof"), QStringLiteral("window"));
    return std::make_unique<QSettings>(file, QSettings::IniFormat);
}

QString cacheAt(const QString &folder) {
    return folder.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + QStringLiteral("/wattproof")
                            : folder;
}

}  // namespace

MainWindow::MainWindow(std::shared_ptr<ImportService> service, const WindowOptions &options, QWidget *parent)
    : QMainWindow(parent),
      settings_(settingsAt(options.settingsFile)),
      document_(std::make_unique<Document>(std::move(service), cacheAt(options.cacheFolder))),
      banners_(new BannerStack(appearance_.theme(), this)),
      pages_(new QStackedWidget(this)),
      welcome_(new WelcomePage(this)) {
    auto *central = new QWidget(this);
    auto *layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(banners_);
    layout->addWidget(pages_, 1);
    pages_->addWidget(welcome_);
    setCentralWidget(central);
    setWindowTitle(tr("Wattproof"));
    resize(1440, 900);
}

MainWindow::~MainWindow() = default;

}  // namespace wattproof::widgets
