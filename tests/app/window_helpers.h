// What tests of the window do by hand, and the service of a file that takes for ever.
#pragma once

#include "app/import_service.h"
#include "widgets/import/import_dialog.h"

#include <atomic>
#include <memory>
#include <thread>

#include <QCoreApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QUrl>
#include <QWidget>

namespace wattproof::test {

// Imports never end by themselves: what a user sees of a very large file.
class EndlessService : public widgets::ImportService {
public:
    bool isWorkspace(const std::string &path) const override { return real_->isWorkspace(path); }
    Expected<widgets::ImportOutcome> importToNew(const std::vector<std::string> &files, const std::string &output,
                                                 const widgets::Wishes &wishes, const Task &task) override {
        return endless ? run(task) : real_->importToNew(files, output, wishes, task);
    }
    Expected<widgets::ImportOutcome> importInto(store::Workspace &workspace, const std::vector<std::string> &files,
                                                const widgets::Wishes &wishes, const Task &task) override {
        return real_->importInto(workspace, files, wishes, task);
    }
    Expected<widgets::ImportOutcome> importAgain(store::Workspace &workspace, SourceId source,
                                                 const std::string &file, const widgets::TracePart &part, const Task &task) override {
        return endless ? run(task) : real_->importAgain(workspace, source, file, part, task);
    }
    Expected<std::vector<widgets::SourceEntry>> sources(store::Reader &reader) const override {
        return real_->sources(reader);
    }
    Status checkPart(const widgets::TracePart &part) const override { return real_->checkPart(part); }
    Expected<FileLook> look(const std::string &path, const FileChoice &choice, const Task &task) const override {
        while (endlessLook && !task.cancelled())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return endlessLook ? cancelled() : real_->look(path, choice, task);
    }
    std::vector<FormatName> formats() const override { return real_->formats(); }
    Expected<TableLook> guessTable(const std::string &path, const TableMapping *fixed, const Task &task) const override {
        return real_->guessTable(path, fixed, task);
    }
    Expected<std::string> descriptorOf(const TableMapping &mapping, const std::string &name) const override {
        return real_->descriptorOf(mapping, name);
    }
    Expected<std::string> keepDescriptor(const std::string &json, const std::string &name) override {
        return real_->keepDescriptor(json, name);
    }
    Expected<std::vector<std::string>> unpackSample(const std::string &folder) override {
        return real_->unpackSample(folder);
    }
    std::string openFilter() const override { return real_->openFilter(); }

    std::atomic<bool> endless = false, endlessLook = false;

private:
    static Expected<widgets::ImportOutcome> run(const Task &task) {
        while (!task.cancelled()) {
            task.report({"Reading endless.json", 1, 4, "bytes"});
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return cancelled();
    }

    std::unique_ptr<widgets::ImportService> real_ = app::makeImportService();
};

inline void drop(QWidget &target, const QStringList &paths, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString &path : paths)
        urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, modifiers);
    QCoreApplication::sendEvent(&target, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, modifiers);
    QCoreApplication::sendEvent(&target, &event);
}

// Takes what the import dialog shows as it is.
inline void confirmImport(QWidget &window) {
    widgets::ImportDialog *dialog = nullptr;
    QTRY_VERIFY((dialog = window.findChild<widgets::ImportDialog *>()) != nullptr);
    QTRY_VERIFY(dialog->importButton()->isEnabled());
    QTest::mouseClick(dialog->importButton(), Qt::LeftButton);
}

}  // namespace wattproof::test
