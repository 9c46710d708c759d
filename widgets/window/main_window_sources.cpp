// Files that come in, whole or in part, and the sources of what is open.
#include "widgets/import/import_dialog.h"
#include "widgets/panes/words.h"
#include "widgets/window/main_window.h"
#include "widgets/window/part_dialog.h"
#include "widgets/window/sources_dialog.h"

#include <QFileDialog>

namespace wattproof::widgets {

void MainWindow::askOpen() {
    document_->offer(QFileDialog::getOpenFileNames(this, tr("Open traces, logs or a workspace"), {},
                                                   qs(document_->service().openFilter())),
                     Way::Open);
}

void MainWindow::askAdd() {
    document_->offer(QFileDialog::getOpenFileNames(this, tr("Add to the workspace"), {},
                                                   qs(document_->service().openFilter())),
                     Way::Add);
}

void MainWindow::askOpenPart() {
    const QStringList paths = QFileDialog::getOpenFileNames(this, tr("Import a part of a trace"), {},
                                                            qs(document_->service().openFilter()));
    if (!paths.isEmpty())
        askPart(paths, Way::Open, std::nullopt);
}

void MainWindow::askChoices() {
    document_->offer(QFileDialog::getOpenFileNames(this, tr("Import with choices"), {},
                                                   qs(document_->service().openFilter())),
                     document_->session() ? Way::Add : Way::Open, true);
}

void MainWindow::askImport(const Prospect &prospect, Way way) {
    auto *dialog = new ImportDialog(document_->service(), prospect.data, prospect.seen, appearance_.theme(), this);
    connect(dialog, &ImportDialog::chosen, this,
            [this, prospect, way](const QStringList &files, const FileChoices &choices) {
                QStringList paths;
                for (const std::string &workspace : prospect.workspaces)
                    paths << qs(workspace);
                paths << files;
                const bool large = prospect.large && files.contains(qs(prospect.large->path));
                if (large)
                    askPart(paths, way, prospect.large, choices);
                else if (way == Way::Add)
                    document_->add(paths, {{}, choices});
                else
                    document_->open(paths, {{}, choices});
            });
    showDialog(dialog);
}

void MainWindow::askPart(const QStringList &paths, Way way, const std::optional<LargeFile> &large,
                         const FileChoices &choices) {
    auto *dialog = new PartDialog(
        paths, large,
        [service = &document_->service()](const TracePart &part) { return service->checkPart(part); }, this);
    connect(dialog, &PartDialog::chosen, this, [this, paths, way, choices](const TracePart &part) {
        if (way == Way::Add)
            document_->add(paths, {part, choices});
        else
            document_->open(paths, {part, choices});
    });
    showDialog(dialog);
}

void MainWindow::showSources() {
    if (document_->session())
        showDialog(new SourcesDialog(*document_, this));
}

void MainWindow::showDialog(QDialog *dialog) {
    delete dialog_;
    dialog_ = dialog;
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

}  // namespace wattproof::widgets
