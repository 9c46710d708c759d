#include "widgets/window/appearance.h"

#include <QApplication>
#include <QEvent>
#include <QPalette>
#include <QScopedValueRollback>
#include <QStyle>
#include <QStyleFactory>
#include <QStyleHints>

namespace wattproof::widgets {
namespace {

bool isDark(const QPalette &palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

void setDisabled(QPalette &palette, const draw::Theme &theme) {
    const QColor faint = draw::blend(theme.muted, theme.panel, 0.35);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, faint);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, theme.grid);
}

}  // namespace

ThemeChoice themeChoiceFromWord(const QString &word) {
    if (word == QLatin1String("light"))
        return ThemeChoice::Light;
    return word == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::System;
}

QString word(ThemeChoice choice) {
    switch (choice) {
        case ThemeChoice::Light:
            return QStringLiteral("light");
        case ThemeChoice::Dark:
            return QStringLiteral("dark");
        case ThemeChoice::System:
            break;
    }
    return QStringLiteral("system");
}

QPalette paletteOf(const draw::Theme &theme) {
    QPalette palette;
    palette.setColor(QPalette::Window, theme.panel);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.background);
    palette.setColor(QPalette::AlternateBase, theme.panel);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::Button, theme.panel);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.bad);
    palette.setColor(QPalette::PlaceholderText, theme.muted);
    palette.setColor(QPalette::ToolTipBase, theme.panel);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::LinkVisited, theme.accent);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, draw::Theme::labelOn(theme.accent));
    palette.setColor(QPalette::Light, draw::blend(theme.panel, theme.background, 0.6));
    palette.setColor(QPalette::Midlight, draw::blend(theme.panel, theme.grid, 0.5));
    palette.setColor(QPalette::Mid, theme.grid);
    palette.setColor(QPalette::Dark, draw::blend(theme.grid, theme.muted, 0.4));
    palette.setColor(QPalette::Shadow, draw::blend(theme.grid, theme.text, 0.5));
    setDisabled(palette, theme);
    return palette;
}

Appearance::Appearance(QObject *parent) : QObject(parent), theme_(&draw::lightTheme()) {
    systemDark_ = isDark(QApplication::palette());
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    qApp->installEventFilter(this);
    apply();
}

void Appearance::choose(ThemeChoice choice) {
    choice_ = choice;
    apply();
}

bool Appearance::eventFilter(QObject *object, QEvent *event) {
    // The desktop switched between light and dark: its palette arrives here, ours must follow and replace it.
    if (object == qApp && event->type() == QEvent::ApplicationPaletteChange && !applying_ &&
        systemIsDark() != systemDark_) {
        systemDark_ = !systemDark_;
        QMetaObject::invokeMethod(this, &Appearance::apply, Qt::QueuedConnection);
    }
    return QObject::eventFilter(object, event);
}

bool Appearance::systemIsDark() const {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    if (const auto scheme = QApplication::styleHints()->colorScheme(); scheme != Qt::ColorScheme::Unknown)
        return scheme == Qt::ColorScheme::Dark;
#endif
    return isDark(QApplication::palette());
}

void Appearance::apply() {
    const bool dark = choice_ == ThemeChoice::Dark || (choice_ == ThemeChoice::System && systemDark_);
    theme_ = dark ? &draw::darkTheme() : &draw::lightTheme();
    const QScopedValueRollback guard(applying_, true);
    QApplication::setPalette(paletteOf(*theme_));
    emit themeChanged();
}

}  // namespace wattproof::widgets
