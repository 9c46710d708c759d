// What tests of the window do by hand, and the service of a file that takes for ever.
#pragma once

#include "app/import_service.h"

#include <atomic>
#include <memory>
#include <thread>

#include <QCoreApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QTest>
#include <QUrl>
#include <QWidget>

namespace wattproof::test {

// Imports never end by themselves: what a user sees of a very large file.
class EndlessService : public widgets::ImportService {
public:
    bool isWorkspace(const std::string &path) const override { return real_->isWorkspace(path); }
    Expected<widgets::ImportOutcome> importToNew(const std::vector<std::string> &files, const std::string &output,
                                                 const widgets::TracePart &part, const Task &task) override {
        return endless ? run(task) : real_->importToNew(files, output, part, task);
    }
    Expected<widgets::ImportOutcome> importInto(store::Workspace &workspace, const std::vector<std::string> &files,
                                                const widgets::TracePart &part, const Task &task) override {
        return real_->importInto(workspace, files, part, task);
    }
    Expected<widgets::ImportOutcome> importAgain(store::Workspace &workspace, SourceId source,
                                                 const std::string &file, const widgets::TracePart &part, const Task &task) override {
        return endless ? run(task) : real_->importAgain(workspace, source, file, part, task);
    }
    Expected<std::vector<widgets::SourceEntry>> sources(store::Reader &reader) const override {
        return real_->sources(reader);
    }
    Status checkPart(const widgets::TracePart &part) const override { return real_->checkPart(part); }
    Expected<std::vector<std::string>> unpackSample(const std::string &folder) override {
        return real_->unpackSample(folder);
    }
    std::string openFilter() const override { return real_->openFilter(); }

    std::atomic<bool> endless = false;

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

}  // namespace wattproof::test
