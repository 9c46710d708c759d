// A session on the small run, with what pane tests do to it again and again.
#pragma once

#include "tests/support/temporary_workspace.h"
#include "tests/support/timeline_run.h"
#include "widgets/session.h"

#include <QCoreApplication>
#include <QImage>
#include <QMouseEvent>
#include <QTest>
#include <QWidget>

namespace wattproof::test {

class PaneBench {
public:
    PaneBench() {
        files_.create([this](store::BulkWriter &writer) { run = timelineRun(writer); });
        session = std::make_unique<widgets::Session>(files_.open());
        auto reader = require(session->workspace().reader());
        session->view().setExtent(require(reader->extent()));
        session->view().fitAll();
    }

    // Shows a pane and waits until it has drawn what it asked for.
    void show(QWidget &pane, int width = 1000, int height = 500) const {
        pane.resize(width, height);
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane));
        settle(pane);
    }

    // Answers of the query service come as events; painting may ask again: three rounds are enough for both. Some panes
    // wait a moment for the answers that come together.
    void settle(QWidget &pane) const {
        for (int i = 0; i < 6; ++i) {
            session->queries().service().waitIdle();
            session->longQueries().service().waitIdle();
            session->edits().waitIdle();
            QTest::qWait(10);
            pane.grab();
        }
    }

    TimelineRun run;
    std::unique_ptr<widgets::Session> session;

private:
    TemporaryWorkspace files_;
};

// One event of the mouse, as the window system would send it.
inline void sendMouse(QWidget &pane, QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons held,
                      Qt::KeyboardModifiers modifiers = {}) {
    QMouseEvent event(type, at, pane.mapToGlobal(at), button, held, modifiers);
    QCoreApplication::sendEvent(&pane, &event);
}

inline void hover(QWidget &pane, QPointF at) {
    sendMouse(pane, QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton);
}

// Presses, moves in two steps and releases.
inline void drag(QWidget &pane, QPointF from, QPointF to, Qt::MouseButton button = Qt::LeftButton,
                 Qt::KeyboardModifiers modifiers = {}) {
    sendMouse(pane, QEvent::MouseButtonPress, from, button, button, modifiers);
    sendMouse(pane, QEvent::MouseMove, (from + to) / 2, Qt::NoButton, button, modifiers);
    sendMouse(pane, QEvent::MouseMove, to, Qt::NoButton, button, modifiers);
    sendMouse(pane, QEvent::MouseButtonRelease, to, button, Qt::NoButton, modifiers);
}

inline QRgb pixelAt(QWidget &pane, QPointF at) {
    const QImage image = pane.grab().toImage();
    return image.pixel((at * image.devicePixelRatio()).toPoint());
}

// Pixels of a rectangle that have a colour.
inline int countColour(QWidget &pane, QRect rect, QColor colour) {
    const QImage image = pane.grab().toImage();
    int count = 0;
    for (int y = rect.top(); y <= rect.bottom(); ++y)
        for (int x = rect.left(); x <= rect.right(); ++x)
            count += image.valid(x, y) && image.pixel(x, y) == colour.rgb() ? 1 : 0;
    return count;
}

}  // namespace wattproof::test
