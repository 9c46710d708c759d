// Messages in place, above the panes: what happened, and one button that does something about it. Never a modal
// box.
#pragma once

#include "report/draw/theme.h"

#include <functional>

#include <QFrame>
#include <QString>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace wattproof::widgets {

enum class Severity { Info, Warning, Error };

struct Notice {
    Severity severity = Severity::Info;
    QString text;        // one sentence: what, where, what to do
    QString actionText;  // a verb; empty: no button
    std::function<void()> action;
    QString key;  // a later notice of the same key replaces this one
};

// One message. Its mark is a shape as well as a colour: circle, triangle, octagon.
class Banner : public QFrame {
    Q_OBJECT

public:
    Banner(Notice notice, const draw::Theme &theme, QWidget *parent = nullptr);
    [[nodiscard]] const Notice &notice() const { return notice_; }
    void setTheme(const draw::Theme &);

signals:
    void closed();

private:
    Notice notice_;
    QLabel *mark_;
};

// The latest three, newest on top; takes no room when empty.
class BannerStack : public QWidget {
    Q_OBJECT

public:
    explicit BannerStack(const draw::Theme &theme, QWidget *parent = nullptr);

    void show(Notice);
    void dismiss(const QString &key);
    void clear();
    void setTheme(const draw::Theme &);
    [[nodiscard]] QStringList texts() const;        // newest first
    [[nodiscard]] QList<Banner *> banners() const;  // newest first

private:
    void remove(Banner *);

    const draw::Theme *theme_;
    QVBoxLayout *layout_;
};

}  // namespace wattproof::widgets
