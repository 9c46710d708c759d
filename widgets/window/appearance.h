// Light, dark or the system's theme: palette and font of the whole application, from the tokens of
// report/draw/theme.h.
#pragma once

#include "report/draw/theme.h"

#include <QObject>
#include <QString>

class QPalette;

namespace wattproof::widgets {

enum class ThemeChoice { System, Light, Dark };

[[nodiscard]] ThemeChoice themeChoiceFromWord(const QString &word);  // unknown words mean System
[[nodiscard]] QString word(ThemeChoice);
[[nodiscard]] QPalette paletteOf(const draw::Theme &);

class Appearance : public QObject {
    Q_OBJECT

public:
    // Remembers the platform's own palette and takes the application over with the Fusion style.
    explicit Appearance(QObject *parent = nullptr);

    [[nodiscard]] ThemeChoice choice() const { return choice_; }
    [[nodiscard]] const draw::Theme &theme() const { return *theme_; }
    void choose(ThemeChoice);

signals:
    void themeChanged();

protected:
    bool eventFilter(QObject *, QEvent *) override;

private:
    void apply();
    [[nodiscard]] bool systemIsDark() const;

    ThemeChoice choice_ = ThemeChoice::System;
    const draw::Theme *theme_;
    bool applying_ = false;
    bool systemDark_ = false;
};

}  // namespace wattproof::widgets
