#include "widgets/sql/sql_editor.h"

#include "widgets/sql/sql_highlighter.h"
#include "widgets/sql/sql_text.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStringListModel>

namespace wattproof::widgets {
namespace {

constexpr int kTab = 4, kMostCompletions = 12;

bool isEnter(const QKeyEvent &event) {
    return event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
}

}  // namespace

SqlEditor::SqlEditor(const draw::Theme &theme, QWidget *parent)
    : QPlainTextEdit(parent),
      theme_(&theme),
      highlighter_(new SqlHighlighter(document(), theme)),
      words_(new QStringListModel(this)),
      completer_(new QCompleter(words_, this)) {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QPlainTextEdit::font().pointSizeF());
    setFont(font);
    setTabStopDistance(kTab * fontMetrics().horizontalAdvance(QLatin1Char(' ')));
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(true);
    setAccessibleName(tr("SQL"));
    setAccessibleDescription(tr("Ctrl+Enter runs it, Escape stops it, Ctrl+Up and Ctrl+Down go through what ran before."));
    setPlaceholderText(tr("SELECT … — Ctrl+Enter runs it"));
    completer_->setWidget(this);
    completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    completer_->setMaxVisibleItems(kMostCompletions);
    connect(completer_, qOverload<const QString &>(&QCompleter::activated), this, &SqlEditor::insertCompletion);
    connect(this, &QPlainTextEdit::textChanged, this, [this] { setExtraSelections({}); });
}

void SqlEditor::setTheme(const draw::Theme &theme) {
    theme_ = &theme;
    highlighter_->setTheme(theme);
    setExtraSelections({});
}

void SqlEditor::setViews(std::vector<store::PublicView> views) {
    views_ = std::move(views);
    QStringList names;
    for (const store::PublicView &view : views_)
        names << QString::fromStdString(view.name);
    highlighter_->setViews(names);
}

QString SqlEditor::statement() const {
    const QTextCursor cursor = textCursor();
    return cursor.hasSelection() ? cursor.selectedText().replace(QChar::ParagraphSeparator, QLatin1Char('\n'))
                                 : toPlainText();
}

int SqlEditor::statementBegin() const {
    return textCursor().hasSelection() ? textCursor().selectionStart() : 0;
}

void SqlEditor::showFault(qsizetype at) {
    if (at < 0)
        return setExtraSelections({});
    QTextEdit::ExtraSelection fault;
    fault.cursor = textCursor();
    const int end = static_cast<int>(toPlainText().size());
    fault.cursor.setPosition(std::min(static_cast<int>(at), std::max(0, end - 1)));
    fault.cursor.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
    if (!fault.cursor.hasSelection())
        fault.cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
    fault.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    fault.format.setUnderlineColor(theme_->bad);
    fault.format.setBackground(draw::blend(theme_->background, theme_->bad, 0.15));
    setExtraSelections({fault});
}

void SqlEditor::put(const QString &text) {
    QTextCursor cursor = textCursor();
    cursor.select(QTextCursor::Document);
    cursor.insertText(text);
    setTextCursor(cursor);
}

// Keys that the window has a shortcut for too, and that mean something else in here.
bool SqlEditor::isOurs(const QKeyEvent &event) const {
    const bool control = event.modifiers() & Qt::ControlModifier;
    return event.key() == Qt::Key_Escape ||
           (control && (isEnter(event) || event.key() == Qt::Key_Up || event.key() == Qt::Key_Down ||
                        event.key() == Qt::Key_Space));
}

bool SqlEditor::event(QEvent *event) {
    if (event->type() == QEvent::ShortcutOverride && isOurs(*static_cast<QKeyEvent *>(event))) {
        event->accept();
        return true;
    }
    return QPlainTextEdit::event(event);
}

void SqlEditor::command(const QKeyEvent &event) {
    completer_->popup()->hide();
    if (event.key() == Qt::Key_Escape)
        emit cancelRequested();
    else if (isEnter(event))
        emit runRequested();
    else if (event.key() == Qt::Key_Space)
        complete(true);
    else
        emit historyRequested(event.key() == Qt::Key_Up ? -1 : 1);
}

void SqlEditor::keyPressEvent(QKeyEvent *event) {
    const bool choosing = completer_->popup()->isVisible();
    const bool chosen = isEnter(*event) || event->key() == Qt::Key_Tab;
    if (choosing && (event->key() == Qt::Key_Escape || (chosen && !(event->modifiers() & Qt::ControlModifier)))) {
        event->ignore();  // the list's own
        return;
    }
    if (isOurs(*event))
        return command(*event);
    QPlainTextEdit::keyPressEvent(event);
    if (!event->text().isEmpty() || choosing)
        complete(false);
}

// Unasked from the second letter on, and behind a full stop.
void SqlEditor::complete(bool asked) {
    const int at = textCursor().position();
    const QString text = toPlainText(), word = wordBefore(text, at);
    const bool member = at > word.size() && text[at - word.size() - 1] == QLatin1Char('.');
    QStringList words;
    if (asked || member || word.size() > 1)
        words = sqlCompletions(text, at, views_);
    if (words.isEmpty() || (words.size() == 1 && words.front().compare(word, Qt::CaseInsensitive) == 0))
        return completer_->popup()->hide();
    words_->setStringList(words);
    completer_->setCompletionPrefix({});
    QRect place = cursorRect();
    place.setWidth(completer_->popup()->sizeHintForColumn(0) +
                   completer_->popup()->verticalScrollBar()->sizeHint().width() + 16);
    completer_->complete(place);
    completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
}

void SqlEditor::insertCompletion(const QString &completion) {
    QTextCursor cursor = textCursor();
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor,
                        static_cast<int>(wordBefore(toPlainText(), cursor.position()).size()));
    cursor.insertText(completion);
    setTextCursor(cursor);
}

}  // namespace wattproof::widgets
